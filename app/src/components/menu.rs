//! Menus are `details` elements and work without scripts. Scripts add what people expect of a menu: it closes on Esc and
//! when one leaves it or follows a link of it, and gives the focus back.

use leptos::{ev, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, Node};

const OPEN: &str = "details.menu[open]";

/// Looks after all menus of the application; called once, in the browser.
pub fn look_after() {
    let _ = window_event_listener(ev::keydown, |event| {
        if event.key() != "Escape" {
            return;
        }
        for menu in open_menus() {
            let holds_focus = document().active_element().is_some_and(|focus| menu.contains(Some(&focus)));
            let _ = menu.remove_attribute("open");
            if holds_focus && let Ok(Some(summary)) = menu.query_selector("summary") {
                let _ = summary.unchecked_into::<HtmlElement>().focus();
            }
        }
    });
    let _ = window_event_listener(ev::click, |event| {
        let leads = |target: &web_sys::EventTarget| {
            target.dyn_ref::<web_sys::Element>().is_some_and(|inside| inside.matches("a, a *").unwrap_or_default())
        };
        close_others(event.target().filter(|target| !leads(target)));
    });
    let _ = window_event_listener(ev::focusin, |event| close_others(event.target()));
}

fn close_others(target: Option<web_sys::EventTarget>) {
    let inside = target.and_then(|target| target.dyn_into::<Node>().ok());
    for menu in open_menus() {
        if !menu.contains(inside.as_ref()) {
            let _ = menu.remove_attribute("open");
        }
    }
}

fn open_menus() -> Vec<web_sys::Element> {
    let Ok(found) = document().query_selector_all(OPEN) else { return Vec::new() };
    (0..found.length()).filter_map(|i| found.item(i)?.dyn_into().ok()).collect()
}
