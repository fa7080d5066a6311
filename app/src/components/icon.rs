//! Icons, drawn from one sprite that the server puts at the end of each page.

use crate::components::{trusted_html, type_erasure::Erase};
use leptos::prelude::*;

/// The drawings. Only the server's page holds them; the bundle does not.
const SPRITE: &str = include_str!("sprite.svg");

/// An icon beside words; it says nothing by itself.
#[component]
pub fn Icon(
    /// The symbol's name in the sprite, without `i-`.
    name: &'static str,
    /// What it is coloured for: `is-ok`, `is-warn`, `is-danger` or `is-accent`.
    #[prop(optional)]
    tone: &'static str,
) -> impl IntoView {
    let class = if tone.is_empty() { "icon".to_owned() } else { format!("icon {tone}") };
    view! {
        <svg class=class aria-hidden="true">
            <use href=format!("#i-{name}")></use>
        </svg>
    }
    .erase()
}

/// All the drawings, once for a page.
#[component]
pub fn Sprite() -> impl IntoView {
    view! { <svg class="sprite" aria-hidden="true" inner_html=trusted_html::fixed(SPRITE)></svg> }
}
