//! Numbers, grouped as the reader wants them. Whatever a page counts comes through here.

use leptos::prelude::*;
use model::{TaskRow, Total, kind::Description};

/// `12,345`.
pub fn grouped(number: u64) -> String {
    model::grouped_by(number, separator())
}

/// A number of things, by the word for one and the word for several.
pub fn counted(number: u64, one: &str, several: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { several })
}

/// `1 person`, `1,204 people`.
pub fn people(number: u64) -> String {
    counted(number, "person", "people")
}

/// `1 task`, `1,200 tasks`.
pub fn tasks(number: u64) -> String {
    counted(number, "task", "tasks")
}

/// What a kind of task is about: `12 people`, or `1 step`.
pub fn units(kind: &Description, number: u64) -> String {
    counted(number, kind.unit.0, kind.unit.1)
}

/// How many a task is about: those who were confirmed, and where some of all were to be skipped, both numbers: `17 of 20 people`.
pub fn about(row: &TaskRow) -> Option<String> {
    let (confirmed, total) = (row.people()?, row.total.unwrap_or_default());
    let all = units(&row.description(), confirmed.max(total));
    Some(if confirmed < total { grouped(confirmed) + " of " + &all } else { all })
}

/// `214`, or `10,000+`.
pub fn short(total: Total) -> String {
    let number = grouped(total.value);
    if total.exact { number } else { format!("{number}+") }
}

/// `214`, or `more than 10,000`.
pub fn in_words(total: Total) -> String {
    let number = grouped(total.value);
    if total.exact { number } else { format!("more than {number}") }
}

/// What stands between two groups of digits: the document says it where it is no comma.
#[cfg(target_arch = "wasm32")]
fn separator() -> char {
    let said = document().document_element().and_then(|root| root.get_attribute("data-numbers"));
    said.and_then(|said| said.chars().next()).unwrap_or(',')
}

/// What stands between two groups of digits.
#[cfg(not(target_arch = "wasm32"))]
fn separator() -> char {
    use_context::<super::time::RenderedAt>().map_or(',', |rendered| rendered.numbers.separator())
}
