//! The boxes of the list and the form they belong to, as a browser finds them.

use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement};

/// The id of the form.
pub const FORM: &str = "selection";

/// The form of the selection, with what it says for scripts.
pub fn form(list: &Element) -> Option<Element> {
    list.query_selector(&format!("#{FORM}")).ok().flatten()
}

/// The boxes of the list.
pub fn boxes(list: &Element) -> impl Iterator<Item = HtmlInputElement> {
    let found = list.query_selector_all("input[type=checkbox]").ok();
    let count = found.as_ref().map_or(0, web_sys::NodeList::length);
    (0..count).filter_map(move |i| found.as_ref()?.item(i)?.dyn_into().ok())
}
