//! Pages that the server renders whole, all of them behind one component: the browser puts their markup in place without
//! knowing how it is made, so that one more of them costs it nothing to download.

pub mod api;

use leptos::{html, prelude::*};
use leptos_meta::Title;
use leptos_router::hooks::use_location;
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsCast;
use web_sys::Element;

use crate::{
    answer::{Answer, Html, load, read},
    components::{blank::Refused, erase::Erase, frame::Frame, loaded::Loaded},
    live, url,
};

/// A page as the server rendered it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    pub title: String,
    pub html: Html,
}

/// Whichever page is at this address.
#[component]
pub fn ServedPage() -> impl IntoView {
    let search = url::own_search();
    let path = use_location().pathname.get_untracked();
    let asked = path.clone();
    // Nobody is signed in there yet.
    let path_is_bare = matches!(path.as_str(), "/login" | "/setup");
    let found = load(move || (asked.clone(), search.get()), |path, search| Box::pin(api::sheet(path, search)));
    let title = RwSignal::new(String::new());
    let show = move |answer: Answer| match read::<Sheet>(answer) {
        Ok(sheet) => {
            title.set(sheet.title);
            view! { <Live html=sheet.html/> }.erase()
        }
        Err(refusal) => {
            title.set(refusal.0.title.clone());
            view! { <Refused refusal retry=url::join(&path, &search.get_untracked())/> }.erase()
        }
    };
    // These pages stay as they are; but the end of a task is said here, too.
    if !path_is_bare {
        live::follow(|| "tasks".to_owned(), true, |_| ());
    }
    Effect::new(move |before: Option<String>| {
        let now = title.get();
        // What had the focus is gone with the sheet before.
        if before.is_some_and(|before| !before.is_empty() && before != now)
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
    view! { <Frame title><Loaded from=found show what="the page"/></Frame> }.erase()
}

/// The markup. A choice marked with `data-says` writes that on the button that it decides about.
#[component]
fn Live(html: Html) -> impl IntoView {
    let page = NodeRef::<html::Div>::new();
    let on_change = move |event: web_sys::Event| {
        let chosen = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let says = chosen.and_then(|chosen| chosen.get_attribute("data-says"));
        let button = page.get_untracked().and_then(|page| page.query_selector("button[data-said]").ok().flatten());
        if let (Some(says), Some(button)) = (says, button) {
            button.set_text_content(Some(&says));
        }
    };
    view! { <div node_ref=page on:change=on_change>{html}</div> }
}
