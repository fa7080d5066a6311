//! An address that leads nowhere.

use crate::components::type_erasure::Erase;
use leptos::prelude::*;
use model::Problem;

use crate::{
    components::{blank::Refused, frame::Frame},
    refusal::Refusal,
};

/// The page for an unknown address.
#[component]
pub fn NotFoundPage() -> impl IntoView {
    view! {
        <Frame title="Not found">
            <h1 class="hidden">"Not found"</h1>
            <Refused refusal=Refusal(Problem::not_found("page")) retry="/people"/>
        </Frame>
    }
    .erase()
}
