//! What is wrong in a form, above it: each answer with a link to where it is given.

use leptos::prelude::*;
use model::{Code, FieldError, Problem};

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
        .map(|error| view! { <li><a href=format!("#{}", place(&error.field))>{said(error, problem)}</a></li> })
        .collect_view();
    view! {
        <div class="notice danger" role="alert" data-mistakes="">
            <Icon name="problems"/>
            <div><strong>{problem.title.clone()}</strong><ul>{lines}</ul></div>
        </div>
    }
    .erase()
}

/// What is wrong; where the same is wrong with another answer, after the name of this one.
fn said(error: &FieldError, problem: &Problem) -> String {
    let several = problem.errors.iter().filter(|other| other.message == error.message).count() > 1;
    let name = match error.field.as_str() {
        "subject" => "Subject",
        "body" => "Message",
        _ => "",
    };
    match several && !name.is_empty() {
        true => format!("{name}: {}", error.message),
        false => error.message.clone(),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_mistake_in_two_places_says_which_is_which() {
        let error = |field| FieldError::new(field, "invalid", "There is no field {nick name}.");
        let both = Problem::fields(vec![error("subject"), error("body")]);
        let lines: Vec<_> = both.errors.iter().map(|error| said(error, &both)).collect();
        assert_eq!(lines, ["Subject: There is no field {nick name}.", "Message: There is no field {nick name}."]);
        let one = Problem::fields(vec![error("body")]);
        assert_eq!(said(&one.errors[0], &one), "There is no field {nick name}.");
    }
}
