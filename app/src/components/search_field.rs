//! Where one types what to look for, in a form that looks for it.

use leptos::prelude::*;

use super::{icon::Icon, type_erasure::Erase};

/// The field, with its sign.
#[component]
pub fn SearchField(
    #[prop(default = "q")] name: &'static str,
    /// For those who hear the page.
    label: &'static str,
    placeholder: &'static str,
    #[prop(into)] value: String,
    /// The longest text, in characters.
    #[prop(optional)]
    longest: Option<usize>,
    /// Whether the key `/` leads here.
    #[prop(optional)]
    by_key: bool,
    /// The id of the element whose parts go and come while somebody types (`frontend/forms.js`).
    #[prop(optional)]
    narrows: Option<&'static str>,
    /// Whether it takes all the room of its line.
    #[prop(optional)]
    grows: bool,
) -> impl IntoView {
    view! {
        <span class=if grows { "search grow" } else { "search" }>
            <Icon name="search"/>
            <input
                class="input"
                type="search"
                name=name
                data-keys=by_key.then_some("/")
                data-narrows=narrows
                aria-label=label
                placeholder=placeholder
                autocomplete="off"
                maxlength=longest.map(|longest| longest.to_string())
                value=value
            />
        </span>
    }
    .erase()
}
