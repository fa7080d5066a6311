//! `/api/1/people/watch`: puts many on the caller's watch list, or takes them off it.

use axum::{Json, extract::State, response::Response};
use caseload::Caseload;
use model::{Action, Preview, Problem};
use serde::Deserialize;

use super::{
    input::IdempotencyKey,
    submission::{Order, Question, accepted, submission},
};
use crate::{actor::Caller, problem::Answer};

/// Which of the two.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    #[serde(default)]
    operation: String,
}

impl TryFrom<Change> for Action {
    type Error = Problem;

    fn try_from(change: Change) -> Result<Action, Problem> {
        Action::watch(&change.operation)
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
