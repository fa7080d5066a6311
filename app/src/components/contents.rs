//! What a long page has, as links to its parts: beside it where there is room, and above it where there is none.

use leptos::prelude::*;

use super::type_erasure::Erase;

/// The links: the id of each part's heading, and its name.
pub fn contents(parts: impl IntoIterator<Item = (String, String)>) -> AnyView {
    let links = parts.into_iter().map(|(id, name)| view! { <li><a href=format!("#{id}")>{name}</a></li> });
    view! { <nav class="contents" aria-label="On this page"><ul>{links.collect_view()}</ul></nav> }.erase()
}
