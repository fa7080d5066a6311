//! The dialog over a page in which one types where to go. Scripts open it and fill its list (`frontend/go.js`) from the page that
//! does the same without them (`app/src/pages/go`).

use leptos::prelude::*;

use crate::components::{icon::Icon, type_erasure::Erase};

/// The dialog, closed and without a list.
pub fn go_dialog() -> AnyView {
    view! {
        <dialog id="go" class="palette" aria-label="Go to a person, task, page or action">
            <form method="get" action="/go">
                <Icon name="search"/>
                <input
                    type="text"
                    name="q"
                    role="combobox"
                    aria-label="Go to"
                    aria-controls="go-list"
                    aria-expanded="false"
                    aria-autocomplete="list"
                    placeholder=GO_TO
                    autocomplete="off"
                    spellcheck="false"
                    maxlength=LETTERS.to_string()
                />
                <kbd aria-hidden="true">"Esc"</kbd>
            </form>
            <div id="go-list" role="listbox" aria-label="Results"></div>
            <p class="meta soft" role="status"></p>
            <footer aria-hidden="true">
                <span><kbd>"↑"</kbd>" "<kbd>"↓"</kbd>" choose"</span>
                <span><kbd>"Enter"</kbd>" open"</span>
            </footer>
        </dialog>
    }
    .erase()
}

/// The longest text that is looked for, in letters as a field counts them.
pub const LETTERS: usize = 200;

/// What can be looked for.
pub const GO_TO: &str = "A person, task, page or action";
