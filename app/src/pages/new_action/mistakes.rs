//! What is wrong in a form, above it: each answer with a link to where it is given.

use leptos::prelude::*;
use model::{Code, Problem};

use crate::components::{blank::Notice, icon::Icon, type_erasure::Erase};

/// The notice. Scripts take a line away once its answer has been given anew; without lines it is not shown.
pub fn mistakes(problem: &Problem) -> AnyView {
    if problem.errors.is_empty() {
        let (title, text) = (problem.title.clone(), problem.detail.clone());
        return match needs_address(problem) {
            true => view! { <Notice title text link=("/settings".to_owned(), "Go to your settings")/> }.erase(),
            false => view! { <Notice title text/> }.erase(),
        };
    }
    let lines = problem
        .errors
        .iter()
        .map(|error| view! { <li><a href=format!("#{}", place(&error.field))>{error.message.clone()}</a></li> })
        .collect_view();
    view! {
        <div class="notice danger" role="alert" data-mistakes="">
            <Icon name="problems"/>
            <div><strong>{problem.title.clone()}</strong><ul>{lines}</ul></div>
        </div>
    }
    .erase()
}

/// Whether what is missing is an address of one’s own.
pub fn needs_address(problem: &Problem) -> bool {
    problem.code == Code::NO_OWN_ADDRESS.name()
}

/// Where an answer is given, by its name in a refusal.
fn place(field: &str) -> &str {
    match field {
        "triggerDate" => "start",
        "toPrimary" => "to",
        "template" => "templateName",
        field => field,
    }
}
