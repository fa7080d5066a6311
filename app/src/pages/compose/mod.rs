//! Composing a program status change: choose, check, confirm. Which of these is shown is in the address, and all three are
//! rendered by the server.

pub mod api;
pub mod check;
pub mod confirm;
pub mod draft;
pub mod form;
pub mod sample;
pub mod shown;
pub mod sum;

use crate::components::erase::Erase;
use leptos::{html, prelude::*};
use wasm_bindgen::JsCast;

use crate::{
    answer::{Answer, Html, load, read},
    components::{
        blank::{Blank, Refused},
        frame::Frame,
        loaded::Loaded,
    },
    url,
};
use draft::{Draft, PATH};

/// The value of `show` for all the people of a preview.
pub const EVERYBODY: &str = "ALL";

/// Which part of composing is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Choose,
    Check,
    /// The people behind a number of a preview.
    Show,
}

fn step(search: &str) -> Step {
    let value = |key: &str| url::value(search, key);
    match (value("preview"), value("show"), value("step").as_deref()) {
        (Some(_), Some(_), _) => Step::Show,
        // What cannot be submitted is not checked but put right first.
        (_, _, Some("check")) if Draft::read(search).action().is_ok() => Step::Check,
        _ => Step::Choose,
    }
}

async fn of_step(search: String) -> Answer {
    match step(&search) {
        Step::Choose => api::choose(search).await,
        Step::Check => api::preview(search).await,
        Step::Show => api::preview_people(search).await,
    }
}

/// The page.
#[component]
pub fn ComposePage() -> impl IntoView {
    let search = url::own_search();
    let found = load(move || (search.get(), String::new()), |search, _| Box::pin(of_step(search)));
    let show = move |answer: Answer| match read::<Html>(answer) {
        Ok(html) => view! { <Live html/> }.erase(),
        Err(refusal) if refusal.0.status == 404 => gone(),
        Err(refusal) => view! { <Refused refusal retry=url::join(PATH, &search.get_untracked())/> }.erase(),
    };
    let title = Signal::derive(move || match step(&search.get()) {
        Step::Choose => "Set program status".to_owned(),
        Step::Check => "Check".to_owned(),
        Step::Show => "People of this check".to_owned(),
    });
    let shown = Memo::new(move |_| search.with(|search| step(search)));
    Effect::new(move |before: Option<Step>| {
        let now = shown.get();
        // What had the focus is gone with the step before.
        if before.is_some_and(|before| before != now)
            && let Some(main) = document().get_element_by_id("content")
            && let Some(main) = main.dyn_ref::<web_sys::HtmlElement>()
        {
            let _ = main.focus();
        }
        now
    });
    view! { <Frame title><Loaded from=found show what="the selection"/></Frame> }.erase()
}

/// The markup, whose button says what it will do as soon as a status is chosen.
#[component]
fn Live(html: Html) -> impl IntoView {
    let page = NodeRef::<html::Div>::new();
    let on_change = move |event: web_sys::Event| {
        let chosen = event.target().and_then(|target| target.dyn_into::<web_sys::HtmlInputElement>().ok());
        let button = page.get_untracked().and_then(|page| page.query_selector("button[data-count]").ok().flatten());
        if let (Some(chosen), Some(button)) = (chosen.filter(|chosen| chosen.name() == "programStatus"), button) {
            let count = button.get_attribute("data-count").and_then(|count| count.parse().ok()).unwrap_or_default();
            button.set_text_content(Some(&form::button(&chosen.value(), count)));
        }
    };
    view! { <div node_ref=page on:change=on_change>{html}</div> }
}

/// Nobody is selected, or not any more.
fn gone() -> AnyView {
    view! {
        <h1 class="hidden">"Set program status"</h1>
        <Blank
            icon="people"
            title="Nobody is selected"
            text="Selections are kept for 30 minutes. Select people in the list, then choose what to do."
        >
            <a class="button primary" href="/people">"Go to people"</a>
        </Blank>
    }
    .erase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_submitted_is_not_checked() {
        assert_eq!(step("sel=x&programStatus=INACTIVE&step=check"), Step::Check);
        assert_eq!(step("sel=x&programStatus=NON_PARTICIPATING&step=check"), Step::Choose);
        assert_eq!(step("sel=x"), Step::Choose);
        assert_eq!(step("programStatus=INACTIVE&preview=p&show=CHANGE"), Step::Show);
    }
}
