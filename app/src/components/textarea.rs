//! The only `<textarea>`. The framework does not escape a text area's children when the server renders them, so that text
//! from a stored comment could become markup; here it is escaped by hand.

use crate::components::{optional::Optional, trusted_html, type_erasure::Erase};
use leptos::prelude::*;

/// A text of several lines, with its label.
#[component]
pub fn TextArea(
    #[prop(into)] label: String,
    name: &'static str,
    #[prop(into)] value: String,
    #[prop(optional, into)] hint: Option<String>,
    #[prop(into)] problem: Option<String>,
    /// For a text in some notation, which is needed and has many lines.
    #[prop(optional)]
    long: bool,
    /// For prose of some length, which is needed.
    #[prop(optional)]
    letter: bool,
    /// For one of two fields, either of which is needed.
    #[prop(optional)]
    either: bool,
) -> impl IntoView {
    let describes =
        [hint.as_ref().map(|_| format!("{name}-hint")), problem.as_ref().map(|_| format!("{name}-problem"))];
    let described = describes.into_iter().flatten().collect::<Vec<_>>().join(" ");
    view! {
        <div class="field">
            <label for=name>{label}{(!long && !letter && !either).then(|| view! { <Optional/> })}</label>
            <textarea
                class=if long { "input code" } else if letter || either { "input" } else { "input brief" }
                id=name
                name=name
                rows=if long || letter { "16" } else if either { "8" } else { "3" }
                required=long || letter
                aria-invalid=problem.is_some().then_some("true")
                aria-describedby=(!described.is_empty()).then_some(described)
                inner_html=trusted_html::area(&value)
            ></textarea>
            {hint.map(|hint| view! { <span class="hint" id=format!("{name}-hint")>{hint}</span> })}
            {problem.map(|problem| view! { <span class="problem" id=format!("{name}-problem")>{problem}</span> })}
        </div>
    }
    .erase()
}
