//! A page that stays as it is.

use leptos::prelude::*;

use crate::{
    components::{frame::PageContent, type_erasure::Erase},
    refusal::Refusal,
};

/// It, with this title.
pub fn rendered(title: impl Into<String>, view: impl IntoView + 'static) -> Result<PageContent, Refusal> {
    Ok(PageContent::new(title, view! { <div class="stack">{view}</div> }.erase()))
}
