//! `/api/1/people/reassign-list`: gives each person of a list the coach beside them, or says what that would do.

use axum::{Json, extract::State, response::Response};
use caseload::Caseload;
use model::{
    Preview, PreviewToken, Problem, Submission, TaskKind, action::CoachRequest, school_id::NoSchoolId,
    submission::SubmitSource,
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    api::actions::submission::accepted, api::input, api::input::Body, api::input::IdempotencyKey, api::input::MaySend,
    api::openapi::answers::Accepted, api::openapi::answers::Always, api::openapi::answers::Refused,
    api::openapi::answers::WithBody,
};
use crate::{auth::actor::Caller, config::http::BODY_LIMIT, web::problem::Answer};

/// People and their new coaches. Of two lines on one person the last one counts.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CoachList {
    /// What the task is called after.
    #[schema(max_length = 120)]
    name: Option<String>,
    #[serde(default)]
    #[schema(required = true, min_items = 1, max_items = 10000)]
    lines: Vec<CoachLine>,
}

/// A line of a list: who, and to whom.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CoachLine {
    school_id: String,
    /// The user name, school id or name of somebody with an account; also their initial and last name, where only one has these.
    coach: String,
}

impl CoachLine {
    /// As the line of this number, from 0.
    fn read(self, number: usize) -> Result<CoachRequest, Problem> {
        let refused = |why: NoSchoolId| why.of(&format!("lines[{number}].schoolId"));
        let line = number as u64 + 1;
        Ok(CoachRequest { line, school_id: self.school_id.parse().map_err(refused)?, coach: self.coach })
    }
}

impl Body for CoachList {
    const BY: MaySend = MaySend::Those(TaskKind::ReassignByList.right());
    const LONGEST: usize = BODY_LIMIT;
}

/// The list that was looked at.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CoachListRequest {
    /// Of its preview.
    #[schema(required = true, nullable = false)]
    preview_token: Option<PreviewToken>,
    /// When to start; at once when absent.
    #[schema(value_type = Option<DateTime>)]
    trigger_date: Option<model::Instant>,
    /// Why, for the task and its history.
    #[schema(max_length = 500)]
    reason: Option<String>,
}

impl Body for CoachListRequest {
    const BY: MaySend = MaySend::Those(TaskKind::ReassignByList.right());
}

/// Reassigns the people of a list whose preview was looked at.
#[utoipa::path(
    post,
    path = "/api/1/people/reassign-list",
    operation_id = "reassignList",
    tag = "Actions",
    params(IdempotencyKey),
    request_body = CoachListRequest,
    responses(Accepted, Always, WithBody, Refused<422>)
)]
pub async fn submit(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    key: IdempotencyKey,
    input::Json(order): input::Json<CoachListRequest>,
) -> Answer<Response> {
    actor.require(TaskKind::ReassignByList.right())?;
    let missing = || Problem::field("previewToken", "required", "Look at the preview of the list first.");
    let submission = Submission {
        preview: Some(order.preview_token.ok_or_else(missing)?),
        trigger_date: order.trigger_date,
        reason: order.reason,
        idempotency_key: key.0,
        ..Submission::from_source(SubmitSource::Program)
    };
    Ok(accepted(caseload.actions().submit(&actor, submission).await?))
}

/// Says what a list of coaches would change.
///
/// The token of the answer submits it. Each line has a line in the ledger of the task.
#[utoipa::path(
    post,
    path = "/api/1/people/reassign-list/preview",
    operation_id = "previewReassignList",
    tag = "Actions",
    request_body = CoachList,
    responses((status = 200, description = "What would happen.", body = Preview), Always, WithBody)
)]
pub async fn preview(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    input::Json(list): input::Json<CoachList>,
) -> Answer<Json<Preview>> {
    let name = list.name.unwrap_or_else(|| "list".to_owned());
    let lines = list.lines.into_iter().enumerate().map(|(number, line)| line.read(number)).collect::<Result<_, _>>()?;
    Ok(Json(caseload.actions().preview_lines(&actor, &name, lines).await?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_refused_by_its_own_field() {
        let line = |school_id: &str| CoachLine { school_id: school_id.to_owned(), coach: "ann".to_owned() };
        assert_eq!(line(" G1-1 ").read(0).unwrap().school_id.as_str(), "G1-1");
        let refused = line(&"x".repeat(201)).read(3).unwrap_err();
        assert_eq!(
            (refused.errors[0].field.as_str(), refused.errors[0].code.as_str()),
            ("lines[3].schoolId", "too_long")
        );
    }
}
