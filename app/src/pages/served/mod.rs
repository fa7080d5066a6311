//! Pages that the server renders whole, all of them behind one component: the browser puts their markup in place without
//! knowing how it is made, so that one more of them costs it nothing to download.

pub mod api;

use std::time::Duration;

use leptos::{html, prelude::*};
use leptos_meta::Title;
use leptos_router::hooks::use_location;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsCast;
use web_sys::Element;

use crate::{
    answer::{Answer, Html, Load, load, read},
    components::{blank::Refused, erase::Erase, frame::Frame, loaded::Loaded},
    live, url,
};

/// A page as the server rendered it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    pub title: String,
    pub html: Html,
    /// Set on a page that moves by itself.
    #[serde(default)]
    pub pulse: Option<Pulse>,
}

/// What a page that moves by itself listens to, and what it then asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pulse {
    /// The topics of the event stream.
    pub topics: String,
    /// The query string that brings what is on the page as it is by then.
    pub again: String,
}

/// How often a page that moves looks whether something has happened.
const LOOK: Duration = Duration::from_millis(400);

/// Whichever page is at this address.
#[component]
pub fn ServedPage() -> impl IntoView {
    let search = url::own_search();
    let path = use_location().pathname.get_untracked();
    let asked = path.clone();
    // Nobody is signed in there yet.
    let path_is_bare = matches!(path.as_str(), "/login" | "/setup");
    let moves = path.starts_with("/admin");
    // What a page that moves asks for instead of its own address, once something has happened.
    let again = RwSignal::new(None::<String>);
    let found = load(
        move || (asked.clone(), again.get().unwrap_or_else(|| search.get())),
        |path, search| Box::pin(api::sheet(path, search)),
    );
    let title = RwSignal::new(String::new());
    let pulse = RwSignal::new(None::<Pulse>);
    let show = move |answer: Answer| match read::<Sheet>(answer) {
        Ok(sheet) => {
            title.set(sheet.title);
            pulse.set(sheet.pulse);
            view! { <Live html=sheet.html/> }.erase()
        }
        Err(refusal) => {
            title.set(refusal.0.title.clone());
            pulse.set(None);
            view! { <Refused refusal retry=url::join(&path, &search.get_untracked())/> }.erase()
        }
    };
    // Pages that stay as they are say the end of a task all the same.
    if !path_is_bare {
        let happened = StoredValue::new(false);
        let topics = move || pulse.get().map_or_else(|| "tasks".to_owned(), |pulse| pulse.topics);
        live::follow(topics, true, move |_| happened.set_value(true));
        if moves {
            move_on(search, again, pulse, found, happened);
        }
    }
    Effect::new(move |before: Option<String>| {
        let now = title.get();
        // What had the focus is gone with the sheet before; one that moves is still the same.
        if before.is_some_and(|before| !before.is_empty() && before != now)
            && pulse.with_untracked(Option::is_none)
            && let Some(main) = document().get_element_by_id("content")
            && let Some(main) = main.dyn_ref::<web_sys::HtmlElement>()
        {
            let _ = main.focus();
        }
        now
    });
    if path_is_bare {
        return view! {
            <Title text=move || format!("{} · Docket", title.get())/>
            <div class="login"><main id="content" tabindex="-1"><Loaded from=found show/></main></div>
        }
        .erase();
    }
    view! { <Frame title live=moves><Loaded from=found show what="the page"/></Frame> }.erase()
}

/// Brings what is on the page as it is now, whenever something has happened.
fn move_on(
    search: Memo<String>,
    again: RwSignal<Option<String>>,
    pulse: RwSignal<Option<Pulse>>,
    found: Load,
    happened: StoredValue<bool>,
) {
    let live = live::Live::expect();
    Effect::new(move |before: Option<String>| {
        let now = search.get();
        if before.is_some_and(|before| before != now) {
            again.set(None);
        }
        now
    });
    Effect::new(move |before: Option<(u32, u32)>| {
        let now = (live.beat.get(), live.resync.get());
        if before.is_some_and(|before| before != now) {
            happened.set_value(true);
        }
        now
    });
    Effect::new(move |_| {
        let look = move || {
            let Some(asks) = pulse.get_untracked().map(|pulse| pulse.again) else { return };
            // Rows that may change places stay where they are under the pointer.
            let held = || document().query_selector("tbody:not([data-steady]) tr:is(:hover, :focus-within)");
            if !happened.get_value() || !live.flows() || held().is_ok_and(|held| held.is_some()) {
                return;
            }
            happened.set_value(false);
            if again.get_untracked().as_ref() == Some(&asks) {
                found.refetch();
            } else {
                again.set(Some(asks));
            }
        };
        let timer = set_interval_with_handle(look, LOOK);
        on_cleanup(move || {
            if let Ok(timer) = timer {
                timer.clear();
            }
        });
    });
}

/// The markup. A choice marked with `data-says` writes that on the button that it decides about.
#[component]
fn Live(html: Html) -> impl IntoView {
    let page = NodeRef::<html::Div>::new();
    let live = live::Live::expect();
    let on_change = move |event: web_sys::Event| {
        // Rows stay as they are under a selection.
        let chosen = page.get_untracked().and_then(|page| page.query_selector_all("input[name=only]:checked").ok());
        live.held.set(chosen.map_or(0, |chosen| chosen.length().into()));
        let chosen = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let says = chosen.and_then(|chosen| chosen.get_attribute("data-says"));
        let button = page.get_untracked().and_then(|page| page.query_selector("button[data-said]").ok().flatten());
        if let (Some(says), Some(button)) = (says, button) {
            button.set_text_content(Some(&says));
        }
    };
    view! { <div node_ref=page on:change=on_change>{html}</div> }
}
