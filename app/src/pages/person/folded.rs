//! A list that is for looking up, below the timeline: closed until somebody asks for it.

use leptos::prelude::*;

use crate::components::{icon::Icon, type_erasure::Erase, values::numbers::grouped};

/// The section, with how many lines it has.
pub fn folded(id: &'static str, title: &'static str, count: u64, open: bool, body: AnyView) -> AnyView {
    view! {
        <section aria-labelledby=id>
            <details class="disclosure" open=open>
                <summary><Icon name="right"/><h2 id=id>{title}</h2><span class="count">{grouped(count)}</span></summary>
                {body}
            </details>
        </section>
    }
    .erase()
}
