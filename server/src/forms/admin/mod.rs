//! What the pages below `/admin` send that is no server function: what takes the own password once more, and files. Whoever is no
//! administrator is refused outright.

pub mod audit;
pub mod request;
pub mod users;

use app::pages::done::Done;
use axum::response::{IntoResponse, Response};
use model::Problem;

use crate::{forms::settings, web::problem::ProblemAnswer, web::redirect};

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
