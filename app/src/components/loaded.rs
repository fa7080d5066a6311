//! A part of a page that depends on something loaded. While it is loaded again the old part stays; then it is made anew,
//! together with every part in it that is loaded itself. Pages that are loaded again and again by themselves therefore
//! load once, and hand on what they hear later by signals.

use crate::components::type_erasure::Erase;
use leptos::prelude::*;

use super::blank::Loading;
use crate::answer::{Answer, Load};

/// Shows what was loaded, or nothing but `what` is on its way.
#[component]
pub fn Loaded(
    from: Load,
    #[prop(into)] show: Callback<Answer, AnyView>,
    /// What is loaded, in words; nothing is said about small parts.
    #[prop(optional)]
    what: &'static str,
) -> impl IntoView {
    let fallback = move || (!what.is_empty()).then(|| view! { <Loading what/> });
    view! {
        <Transition fallback>
            // A part that was replaced while it waited is shown nowhere, and what it would read is gone.
            {move || Suspend::new(async move { show.try_run(from.await) })}
        </Transition>
    }
    .erase()
}
