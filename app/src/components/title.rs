//! The title of the document, which is text. The framework sets it as text in the browser, but the server writes it into the
//! document as it was given, where a name or subject could end it and go on with markup of its own. What escapes it there is
//! one formatter around every title, so that no page can forget it.

#![expect(clippy::disallowed_methods, reason = "the one place")]

use leptos::{prelude::*, text_prop::TextProp};
use leptos_meta::{Title, provide_meta_context};
use model::Markup;

/// What a page is called.
#[component]
pub fn PageTitle(#[prop(into)] text: TextProp) -> impl IntoView {
    view! { <Title text/> }
}

/// For the document around the pages, which the server alone renders: every title of this answer is escaped.
#[component]
pub fn TitlesAreText() -> impl IntoView {
    provide_meta_context();
    view! { <Title formatter=|title: String| Markup::default().text(&title).into_string()/> }
}
