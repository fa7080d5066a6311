//! What keys do. A link, a button or a field says in its markup by which keys it is reached (`data-keys`), alone or after
//! `g`; rows are walked with `j` and `k` and ticked with `x`. Who does not want single keys to do anything switches them off
//! in the settings. Shift and the arrows extend a selection from row to row, as they do in any list.

use std::cell::Cell;

use leptos::{
    ev::{self, KeyboardEvent},
    prelude::*,
};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement};

/// Says on the document that single keys do nothing.
pub const OFF: &str = "data-keys-off";
/// Where letters are typed, or something else has the keys.
const TYPED: &str = "input:not([type=checkbox], [type=radio]), textarea, select, dialog";

/// Looks after the keys; called once, in the browser.
pub fn look_after() {
    let led = Cell::new(false);
    let _ = window_event_listener(ev::keydown, move |event| {
        let (key, single) = (event.key(), is_single(&event));
        let after_g = led.replace(single && key == "g");
        let done = match key.as_str() {
            "ArrowDown" if event.shift_key() => extend(1),
            "ArrowUp" if event.shift_key() => extend(-1),
            _ if !single => None,
            "j" => step(1).and_then(enter),
            "k" => step(-1).and_then(enter),
            "x" => row().and_then(|row| tick(&row)).map(|tick| tick.click()),
            key => reach(&if after_g { format!("g {key}") } else { key.to_owned() }),
        };
        if done.is_some() {
            event.prevent_default();
        }
    });
}

/// Whether a key was pressed alone, where no text is entered, by somebody who has not switched such keys off.
fn is_single(event: &KeyboardEvent) -> bool {
    let elsewhere = focused().is_none_or(|at| matches!(at.closest(TYPED), Ok(None)));
    let on = document().document_element().is_some_and(|root| !root.has_attribute(OFF));
    elsewhere && on && !event.ctrl_key() && !event.alt_key() && !event.meta_key()
}

/// Goes where the keys lead.
fn reach(keys: &str) -> Option<()> {
    let keys = keys.replace(['\\', '\''], "");
    let place = document().query_selector(&format!("[data-keys='{keys}']")).ok()??.dyn_into::<HtmlElement>().ok()?;
    if place.has_type::<HtmlInputElement>() {
        let _ = place.focus();
    } else {
        place.click();
    }
    Some(())
}

/// Takes the next row into the selection; back towards where it began, the row that one leaves is taken out.
fn extend(by: i32) -> Option<()> {
    let (from, to) = (row()?, step(by)?);
    let (left, reached) = (tick(&from)?, tick(&to)?);
    if left.checked() && reached.checked() {
        left.click();
    } else {
        [&left, &reached].into_iter().filter(|tick| !tick.checked()).for_each(|tick| tick.click());
    }
    reached.focus().ok()
}

/// The row so many rows from the one with the focus; from outside the rows, the first or the last.
fn step(by: i32) -> Option<Element> {
    let rows = document().query_selector_all("main tbody tr").ok()?;
    let rows: Vec<Element> = (0..rows.length()).filter_map(|i| rows.item(i)?.dyn_into().ok()).collect();
    let here = row().and_then(|row| rows.iter().position(|other| *other == row));
    let index = match here {
        Some(here) => here.checked_add_signed(by as isize)?,
        None if by > 0 => 0,
        None => rows.len().checked_sub(1)?,
    };
    rows.into_iter().nth(index)
}

/// The row with the focus.
fn row() -> Option<Element> {
    focused()?.closest("tbody tr").ok()?
}

fn tick(row: &Element) -> Option<HtmlInputElement> {
    row.query_selector("input[type=checkbox]").ok()??.dyn_into().ok()
}

/// Puts the focus on what a row is about.
fn enter(row: Element) -> Option<()> {
    row.query_selector("a, button").ok()??.dyn_into::<HtmlElement>().ok()?.focus().ok()
}

fn focused() -> Option<Element> {
    document().active_element()
}
