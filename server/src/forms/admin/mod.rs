//! The forms of the pages below `/admin`. Each names a reason, does one thing, and leads to the page that shows it; whoever is
//! no administrator is refused outright.

pub mod audit;
pub mod operations;
pub mod tasks;
pub mod users;

use app::pages::done::Done;
use axum::response::{IntoResponse, Response};
use model::Problem;
use serde::Deserialize;

use crate::{forms::settings, web::problem::ProblemAnswer, web::redirect};

/// A form with nothing but a reason.
#[derive(Deserialize)]
pub struct Reasoned {
    #[serde(default)]
    reason: String,
}

/// Back to the page with what was wrong and what was typed; who may not even see that page is told so.
fn back(page: &str, problem: impl Into<Problem>, reason: &str) -> Response {
    back_keeping(page, problem, &[("reason", reason)])
}

/// The same, where more was typed than a reason.
fn back_keeping(page: &str, problem: impl Into<Problem>, typed: &[(&str, &str)]) -> Response {
    let problem = problem.into();
    if problem.status == 403 {
        return ProblemAnswer(problem).into_response();
    }
    settings::back(page, app::refusal::Refusal(problem).keeping(typed).0)
}

/// On to a page that says what was done.
fn done(page: &str, what: Done) -> Response {
    redirect::to(&redirect::with_query(page, &[("done", what.name())]))
}
