//! The only `<textarea>`. The framework does not escape a text area's children when the server renders them, so that text
//! from a stored comment could become markup; here it is escaped by hand.

use crate::components::{optional::Optional, trusted_html, type_erasure::Erase};
use leptos::prelude::*;

/// What is written into one.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub enum Writing {
    /// A few words, which nobody has to write.
    #[default]
    Comment,
    /// Prose of some length, which is needed.
    Letter,
    /// Many short lines, unless they come another way.
    Lines,
}

impl Writing {
    fn class(self) -> &'static str {
        if self == Writing::Comment { "input brief" } else { "input" }
    }

    fn rows(self) -> &'static str {
        match self {
            Writing::Comment => "3",
            Writing::Letter => "16",
            Writing::Lines => "8",
        }
    }
}

/// A text of several lines, with its label.
#[component]
pub fn TextArea(
    #[prop(into)] label: String,
    name: &'static str,
    #[prop(into)] value: String,
    #[prop(optional, into)] hint: Option<String>,
    #[prop(into)] problem: Option<String>,
    #[prop(optional)] writing: Writing,
    /// What helps to write it, above it; then the hint is there, too.
    #[prop(optional)]
    tools: Option<AnyView>,
) -> impl IntoView {
    let describes =
        [hint.as_ref().map(|_| format!("{name}-hint")), problem.as_ref().map(|_| format!("{name}-problem"))];
    let described = describes.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let hint = hint.map(|hint| view! { <span class="hint" id=format!("{name}-hint")>{hint}</span> });
    let (before, after) = if tools.is_some() { (hint, None) } else { (None, hint) };
    view! {
        <div class="field">
            <label for=name>{label}{(writing == Writing::Comment).then(|| view! { <Optional/> })}</label>
            {tools}
            {before}
            <textarea
                class=writing.class()
                id=name
                name=name
                rows=writing.rows()
                required=writing == Writing::Letter
                aria-invalid=problem.is_some().then_some("true")
                aria-describedby=(!described.is_empty()).then_some(described)
                inner_html=trusted_html::area(&value)
            ></textarea>
            {after}
            {problem.map(|problem| view! { <span class="problem" id=format!("{name}-problem")>{problem}</span> })}
        </div>
    }
    .erase()
}
