//! Help on the spot: a button beside a word opens two lines on it, with a way to more. The `popover` attribute does it all.

use leptos::prelude::*;

use super::{icon::Icon, type_erasure::Erase};
use crate::help::hint::Hint;

/// The button, and what it opens. Each stands once on a page.
#[component]
pub fn Tip(on: Hint) -> impl IntoView {
    view! {
        <button type="button" class="tip" popovertarget=on.id() aria-label=on.question()>
            <Icon name="help"/>
        </button>
        <div class="popover" id=on.id() popover="auto" role="note">
            <strong>{on.title()}</strong>
            <p>{on.text()}</p>
            <p class="meta"><a href=on.topic().path()>"More about this"</a></p>
        </div>
    }
    .erase()
}
