//! Where a value may break: it stays whole where there is room, and an address breaks before its domain.

use leptos::prelude::*;

use crate::components::type_erasure::Erase;

/// A value with the place where it may.
pub fn broken(text: &str) -> AnyView {
    followed(text, "")
}

/// The same, with a sign that stays with it.
pub fn followed(text: &str, sign: &'static str) -> AnyView {
    match text.split_once('@') {
        Some((name, domain)) => {
            view! { <span class="value">{name.to_owned()}<wbr/>{format!("@{domain}{sign}")}</span> }.erase()
        }
        None => view! { <span class="value">{format!("{text}{sign}")}</span> }.erase(),
    }
}
