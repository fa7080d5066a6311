//! What stands after the name of a field that may be left empty. Most may not, and say nothing.

use leptos::prelude::*;

use super::type_erasure::Erase;

#[component]
pub fn Optional() -> impl IntoView {
    view! { <span class="soft optional">" (optional)"</span> }.erase()
}
