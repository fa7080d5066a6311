//! The decision on a task that waits for a second person. It is one form with two buttons, and leads back to its own page.

use app::{
    pages::{approvals::list::PAGE, done::Done},
    refusal::Refusal,
};
use axum::{
    Form,
    extract::{Path, State},
    response::Response,
};
use caseload::Caseload;
use model::{Problem, TaskId};
use serde::Deserialize;

use super::settings::back;
use crate::{auth::actor::Caller, web::redirect};

/// What was decided.
#[derive(Deserialize)]
pub struct DecisionForm {
    #[serde(default)]
    decide: String,
    #[serde(default)]
    note: String,
    /// How many were to be acted on when the page was made.
    #[serde(default)]
    seen: String,
}

/// `POST /approvals/{id}`.
pub async fn decide(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(id): Path<String>,
    Form(given): Form<DecisionForm>,
) -> Response {
    let page = format!("{PAGE}/{id}");
    let note = Some(given.note.as_str());
    let decided = async {
        let id: TaskId = id.parse().map_err(|_| Problem::not_found("approval"))?;
        let approvals = caseload.approvals();
        match given.decide.as_str() {
            "approve" => approvals.approve(&actor, id, given.seen.parse().ok(), note).await.map(|()| Done::Approved),
            "decline" => approvals.decline(&actor, id, note).await.map(|()| Done::Declined),
            _ => Err(Problem::field("decide", "required", "Choose Approve or Decline.").into()),
        }
    };
    match decided.await {
        Ok(done) => redirect::to(&redirect::with_query(&page, &[("done", done.name())])),
        Err(error) => back(&page, Refusal(error.into()).keeping(&[("note", &given.note)]).0),
    }
}
