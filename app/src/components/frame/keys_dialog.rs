//! The keys in words. Only the server's page holds them.

use leptos::prelude::*;

/// The id of the dialog, by which buttons open it.
pub const ID: &str = "keys";

/// The dialog, which a button opens by the `popovertarget` attribute alone.
#[component]
pub fn KeysDialog(
    /// Whether single keys do anything.
    on: bool,
) -> impl IntoView {
    let state = match on {
        true => "Single-key shortcuts are on.",
        false => "Single-key shortcuts are off.",
    };
    view! {
        // What the key presses, wherever one is.
        <button type="button" hidden popovertarget=ID data-keys="?"></button>
        <dialog id=ID class="dialog" popover="auto" aria-labelledby="keys-title">
            <div>
                <h2 id="keys-title">"Keyboard shortcuts"</h2>
                <dl class="defs">
                    <dt><kbd>"Ctrl"</kbd>" "<kbd>"K"</kbd></dt>
                    <dd>"go to a person, task, page or action"</dd>
                    <dt><kbd>"/"</kbd></dt>
                    <dd>"search"</dd>
                    <dt><kbd>"g"</kbd>" "<kbd>"p"</kbd></dt>
                    <dd>"people"</dd>
                    <dt><kbd>"g"</kbd>" "<kbd>"t"</kbd></dt>
                    <dd>"my tasks"</dd>
                    <dt><kbd>"g"</kbd>" "<kbd>"a"</kbd></dt>
                    <dd>"administration"</dd>
                    <dt><kbd>"j"</kbd>" "<kbd>"k"</kbd></dt>
                    <dd>"next, previous row"</dd>
                    <dt><kbd>"x"</kbd></dt>
                    <dd>"select the row"</dd>
                    <dt><kbd>"Shift"</kbd>" "<kbd>"↓"</kbd>" "<kbd>"↑"</kbd></dt>
                    <dd>"select from row to row"</dd>
                    <dt><kbd>"Enter"</kbd></dt>
                    <dd>"open"</dd>
                    <dt><kbd>"Esc"</kbd></dt>
                    <dd>"close"</dd>
                    <dt><kbd>"?"</kbd></dt>
                    <dd>"these shortcuts"</dd>
                </dl>
                <p>{state}" You can change that in your "<a href="/settings">"settings"</a>". "<a href="/help">"Help"</a>" has a page for each job."</p>
                <div class="buttons">
                    <button type="button" class="button primary" popovertarget=ID popovertargetaction="hide" autofocus>"Close"</button>
                </div>
            </div>
        </dialog>
    }
}
