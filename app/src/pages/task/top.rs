//! The head of a task's page and how far it is, which change with each step that is heard of.

use leptos::prelude::*;
use model::TaskRow;

use super::{head, pace::TaskPace, progress};
use crate::{
    components::{blank::Notice, values::time::now},
    live::Live,
    url,
};

/// What a look brings.
#[derive(serde::Deserialize)]
struct Said {
    row: TaskRow,
    refused: Option<(String, String)>,
}

/// The head and the progress. What the server knows comes with the page, and again with each look at it.
#[island]
pub fn TaskTop(row: TaskRow, search: String, refused: Option<(String, String)>) -> impl IntoView {
    let heard = RwSignal::from(Live::of_page().task);
    let (known, pace) = (RwSignal::new(row), RwSignal::new(TaskPace::default()));
    let arrive = move |row: TaskRow| {
        if row.modified_date >= known.with_untracked(|known| known.modified_date) {
            known.set(row);
        }
    };
    Effect::new(move |_| {
        let Some(row) = heard.get() else { return };
        let done = row.listed.unwrap_or(row.treated());
        let left = row.total.unwrap_or_default().saturating_sub(done);
        pace.update(|pace| pace.note(now(), done, left));
        let before = known.with_untracked(|known| known.status);
        let status = row.status;
        arrive(row);
        if before != status {
            url::tell("docket:changed", "now");
        }
    });
    let refused = RwSignal::new(refused);
    // What a look brings is on the island that it brings: also that nothing is refused any more.
    Effect::new(move |_| {
        let again = window_event_listener_untyped("docket:props", move |event| {
            let said = js_sys::Reflect::get(&event, &"detail".into()).ok().and_then(|said| said.as_string());
            if let Some(Said { row, refused: why }) = said.and_then(|said| serde_json::from_str(&said).ok()) {
                refused.set(why);
                arrive(row);
            }
        });
        on_cleanup(move || again.remove());
    });
    view! {
        {move || head::head(known.get(), &search)}
        {move || refused.get().map(|(title, text)| view! { <Notice title text/> })}
        {move || progress::progress(known.get(), &pace.read())}
    }
}
