//! The table of people with its boxes. The server renders it; here its boxes are listened to and kept in step.

use crate::components::type_erasure::Erase;
use leptos::{ev::MouseEvent, html, prelude::*};
use model::PersonId;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};

use super::{live_selection::Picks, page_address, row::BOX, table::WHOLE_PAGE};
use crate::answer::Html;

/// The table.
#[component]
pub fn TickedList(html: Html, picks: Picks) -> impl IntoView {
    let list = NodeRef::<html::Div>::new();
    let on_click = move |event: MouseEvent| {
        let Some(hit) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else { return };
        if let Ok(Some(link)) = hit.closest("a[href*='/people?'], a[href$='/people']") {
            carry(&link, picks);
        }
        let Ok(hit) = hit.dyn_into::<HtmlInputElement>() else { return };
        match hit.name().as_str() {
            BOX => {
                let id: PersonId = hit.value().parse().unwrap_or(PersonId::NOBODY);
                if let Some(index) = picks.shown.with_untracked(|shown| shown.iter().position(|shown| *shown == id)) {
                    picks.tick(index, hit.checked(), event.shift_key());
                }
            }
            WHOLE_PAGE => picks.tick_page(hit.checked()),
            _ => {}
        }
    };
    Effect::new(move |_| {
        let (shown, ticked) =
            (picks.shown.with(Vec::len), picks.now.with(|now| now.as_ref().map(|now| now.ticked.clone())));
        let ticked = ticked.unwrap_or_default();
        if let Some(list) = list.get() {
            for input in boxes(&list) {
                if input.name() == WHOLE_PAGE {
                    input.set_checked(shown > 0 && ticked.len() >= shown);
                    input.set_indeterminate(!ticked.is_empty() && ticked.len() < shown);
                } else {
                    input.set_checked(input.value().parse().is_ok_and(|id| ticked.contains(&id)));
                }
            }
        }
    });
    view! { <div node_ref=list on:click=on_click>{html}</div> }.erase()
}

/// Takes the selection of now along to another page of the list: the link was rendered before it was made.
fn carry(link: &Element, picks: Picks) {
    let href = link.get_attribute("href").unwrap_or_default();
    let (path, search) = href.split_once('?').unwrap_or((&href, ""));
    let _ = link.set_attribute("href", &page_address::selected_at(path, search, picks.token()));
}

fn boxes(list: &web_sys::Element) -> impl Iterator<Item = HtmlInputElement> {
    let found = list.query_selector_all("input[type=checkbox]").ok();
    let count = found.as_ref().map_or(0, web_sys::NodeList::length);
    (0..count).filter_map(move |i| found.as_ref()?.item(i)?.dyn_into().ok())
}
