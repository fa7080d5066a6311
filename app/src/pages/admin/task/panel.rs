//! Why something is so with a task, as a panel at its top: a question, and lines that answer it.

use leptos::prelude::*;

use crate::{
    components::{tip::Tip, type_erasure::Erase},
    help::hint::Hint,
};

/// The panel; the hint explains the word that its question is about, and what to do stands before the lines.
pub fn panel(title: impl Into<String>, hint: Option<Hint>, to_do: Option<AnyView>, lines: AnyView) -> AnyView {
    let title = title.into();
    view! {
        <section class="panel sunken" aria-labelledby="h-why">
            <div class="line"><h2 id="h-why">{title}</h2>{hint.map(|on| view! { <Tip on/> })}</div>
            {to_do}
            <ul class="blockers">{lines}</ul>
        </section>
    }
    .erase()
}
