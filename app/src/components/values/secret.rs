//! What is shown once, to be taken away: in one press, or by hand.

use leptos::prelude::*;

use crate::components::type_erasure::Erase;

/// A password or a token, with a button that copies it.
pub fn secret(text: String) -> AnyView {
    view! {
        <p class="secret">
            <code id="secret">{text}</code>
            <button type="button" class="button scripted" data-copies="secret">"Copy"</button>
        </p>
    }
    .erase()
}
