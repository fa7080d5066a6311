//! `/api/1/people/program-status`: sets the program status of many, or says what that would do.

use axum::{Json, extract::State, response::Response};
use caseload::Caseload;
use model::{Action, Preview, Problem};
use serde::Deserialize;

use super::{
    input::IdempotencyKey,
    submission::{Order, Question, accepted, submission},
};
use crate::{actor::Caller, problem::Answer};

/// What is to be set.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Change {
    #[serde(default)]
    program_status: String,
    change_reason: Option<String>,
    comment: Option<String>,
}

impl TryFrom<Change> for Action {
    type Error = Problem;

    fn try_from(change: Change) -> Result<Action, Problem> {
        let (reason, comment) = (change.change_reason.unwrap_or_default(), change.comment.unwrap_or_default());
        Action::program_status(&change.program_status, &reason, &comment)
    }
}

/// `POST`: 202 and the task.
pub async fn submit(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    key: IdempotencyKey,
    Order { action, common }: Order<Change>,
) -> Answer<Response> {
    Ok(accepted(caseload.submit(&actor, submission(action.try_into()?, common, key)?).await?))
}

/// `POST …/preview`: what would happen, and the token to submit it with.
pub async fn preview(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Question { action, target }: Question<Change>,
) -> Answer<Json<Preview>> {
    Ok(Json(caseload.preview(&actor, action.try_into()?, target).await?))
}
