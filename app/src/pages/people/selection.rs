//! What scripts make of the list: ticks show at once, and the bar says how many people are selected. The list itself is the
//! server's, also where it comes anew.

use leptos::{ev::MouseEvent, html, prelude::*};
use model::{Permission, PersonId, SelectionView};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};

use super::{
    bar::{EVERYBODY, SelectionBar},
    boxes::boxes,
    list::{row::BOX, table::WHOLE_PAGE},
    page_address,
    picks::Picks,
};
use crate::{components::blank::Notice, refusal::Refusal};

/// The list with its boxes, which are its children, and the bar.
#[island]
pub fn Selection(
    permissions: Vec<Permission>,
    view: Option<SelectionView>,
    refusal: Option<Refusal>,
    children: Children,
) -> impl IntoView {
    let picks = Picks::new(view, refusal);
    let list = NodeRef::<html::Div>::new();
    let arrive = move || {
        if let Some(list) = list.get_untracked() {
            picks.arrive(&list);
        }
    };
    Effect::new(move |_| {
        list.track();
        arrive();
        let again = window_event_listener_untyped("docket:morphed", move |_| arrive());
        on_cleanup(move || again.remove());
    });
    let on_click = move |event: MouseEvent| {
        let Some(hit) = event.target().and_then(|target| target.dyn_into::<Element>().ok()) else { return };
        if matches!(hit.closest(&format!("button[name={EVERYBODY}]")), Ok(Some(_))) {
            event.prevent_default();
            picks.take_matching();
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
        picks.arrivals.track();
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
    // Links were rendered before the selection was made: whoever leads to another page of the list takes it along.
    Effect::new(move |_| {
        let carry = window_event_listener(leptos::ev::click, move |event| {
            let hit = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            let link = hit.and_then(|hit| hit.closest("a[href*='/people?'], a[href$='/people']").ok().flatten());
            if let Some(link) = link.filter(|link| matches!(link.closest("#page"), Ok(Some(_)))) {
                take_along(&link, picks);
            }
        });
        on_cleanup(move || carry.remove());
    });
    let refused =
        move || picks.refusal.get().map(|refusal| view! { <Notice title=refusal.0.title text=refusal.0.detail/> });
    view! {
        {refused}
        <div class="stack tight" node_ref=list on:click=on_click>{children()}</div>
        <SelectionBar picks permissions/>
    }
}

fn take_along(link: &Element, picks: Picks) {
    let href = link.get_attribute("href").unwrap_or_default();
    let (path, search) = href.split_once('?').unwrap_or((&href, ""));
    let _ = link.set_attribute("href", &page_address::selected_at(path, search, picks.token()));
}
