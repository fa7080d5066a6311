//! `/api/1/people/email`: writes to many people, or says what that would do; what one person was sent; and what can be done
//! about messages afterwards.

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use caseload::Caseload;
use model::{
    Action, PersonId, Preview, Problem, TaskId, TaskKind,
    action::{Recipients, email::WrittenEmail},
    ledger::LedgerFilter,
    person::{JournalEntry, Message},
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    api::actions::submission::ActionBody, api::actions::submission::PreviewRequest,
    api::actions::submission::SubmitRequest, api::actions::submission::accepted, api::actions::submission::submission,
    api::input, api::input::Body, api::input::IdempotencyKey, api::input::MaySend, api::input::Named,
    api::openapi::answers::Accepted, api::openapi::answers::Always, api::openapi::answers::Refused,
    api::openapi::answers::WithBody,
};
use crate::{auth::actor::Caller, web::problem::Answer};

/// What to write, and to which addresses.
#[derive(Deserialize, ToSchema)]
#[schema(as = SendEmail)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Send {
    /// With `{first name}`, `{middle name}` and `{last name}`, and fallbacks such as `{first name | there}`.
    #[serde(default)]
    #[schema(required = true, min_length = 1, max_length = 200)]
    subject: String,
    /// Plain text with the same fields, `*emphasis*`, and lists of lines that begin with `- `.
    #[serde(default)]
    #[schema(required = true, min_length = 1, max_length = 20000)]
    body: String,
    /// To the primary address.
    #[serde(default)]
    #[schema(required = true)]
    to_primary: bool,
    /// To the secondary address; with `toPrimary`, as a copy of the same message.
    #[serde(default)]
    #[schema(required = true)]
    to_secondary: bool,
    /// Up to five addresses with commas between them, for one copy of the whole action.
    cc: Option<String>,
    /// Whether each message leaves a journal entry on its person.
    #[serde(default)]
    create_journal_entry: bool,
}

impl ActionBody for Send {
    const KIND: TaskKind = TaskKind::Email;
}

impl TryFrom<Send> for Action {
    type Error = Problem;

    fn try_from(send: Send) -> Result<Action, Problem> {
        Action::email(WrittenEmail {
            subject: &send.subject,
            body: &send.body,
            recipients: Recipients::of(send.to_primary, send.to_secondary),
            cc: send.cc.as_deref().unwrap_or_default(),
            create_journal_entry: send.create_journal_entry,
        })
    }
}

type SendSubmit = SubmitRequest<Send>;
type SendPreview = PreviewRequest<Send>;

/// Writes to people, one message each.
///
/// The messages leave after the hold, within which the task can be cancelled. Each email takes `previewToken` or
/// `confirmTotal`.
#[utoipa::path(
    post,
    path = "/api/1/people/email",
    operation_id = "sendEmail",
    tag = "Actions",
    params(IdempotencyKey),
    request_body = SendSubmit,
    responses(Accepted, Always, WithBody, Refused<422>)
)]
pub async fn submit(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    key: IdempotencyKey,
    SubmitRequest { action, common }: SendSubmit,
) -> Answer<Response> {
    Ok(accepted(caseload.actions().submit(&actor, submission(action.try_into()?, common, key)?).await?))
}

/// Says whom an email would reach.
///
/// The token of the answer submits it, for exactly the people who were counted.
#[utoipa::path(
    post,
    path = "/api/1/people/email/preview",
    operation_id = "previewEmail",
    tag = "Actions",
    request_body = SendPreview,
    responses((status = 200, description = "What would happen.", body = Preview), Always, WithBody)
)]
pub async fn preview(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    PreviewRequest { action, target }: SendPreview,
) -> Answer<Json<Preview>> {
    Ok(Json(caseload.actions().preview(&actor, action.try_into()?, target).await?))
}

/// The messages to a person, latest first.
#[utoipa::path(
    get,
    path = "/api/1/people/{id}/messages",
    operation_id = "listMessagesOfPerson",
    tag = "People",
    params(Named<PersonId>),
    responses((status = 200, description = "The latest hundred.", body = Vec<Message>), Always, Refused<404>)
)]
pub async fn of_person(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<PersonId>,
) -> Answer<Json<Vec<Message>>> {
    Ok(Json(caseload.people().messages(&actor, id).await?))
}

/// The journal of a person, latest first.
#[utoipa::path(
    get,
    path = "/api/1/people/{id}/journal",
    operation_id = "listJournalOfPerson",
    tag = "People",
    params(Named<PersonId>),
    responses((status = 200, description = "The latest hundred.", body = Vec<JournalEntry>), Always, Refused<404>)
)]
pub async fn journal(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<PersonId>,
) -> Answer<Json<Vec<JournalEntry>>> {
    Ok(Json(caseload.people().journal(&actor, id).await?))
}

/// To whom to write again.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Resend {
    /// `FAILED` or `UNCERTAIN`.
    outcome: LedgerFilter,
}

impl Body for Resend {
    const BY: MaySend = MaySend::OfTask(Some(TaskKind::Email.right()));
}

/// Writes again to those who got nothing, or of whom that is uncertain.
///
/// The answer is the task that does it.
#[utoipa::path(
    post,
    path = "/api/1/tasks/{id}/resend",
    operation_id = "resendEmail",
    tag = "Tasks",
    params(Named<TaskId>),
    request_body = Resend,
    responses(Accepted, Always, WithBody, Refused<404>, Refused<409>, Refused<422>)
)]
pub async fn resend(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Named(id): Named<TaskId>,
    input::Json(resend): input::Json<Resend>,
) -> Answer<Response> {
    Ok(accepted(caseload.tasks().resend(&actor, id, resend.outcome).await?))
}

/// That a message came back.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Bounce {
    /// Why, as far as it is known; empty takes the note away.
    #[serde(default)]
    #[schema(max_length = 500)]
    note: String,
}

impl Body for Bounce {
    const BY: MaySend = MaySend::OfTask(None);
}

/// Notes that a message came back.
#[utoipa::path(
    post,
    path = "/api/1/tasks/{id}/people/{person}/bounce",
    operation_id = "noteBounce",
    tag = "Tasks",
    params(("id" = uuid::Uuid, Path, description = "The task."), ("person" = uuid::Uuid, Path, description = "The person.")),
    request_body = Bounce,
    responses((status = 204, description = "Noted."), Always, WithBody, Refused<404>)
)]
pub async fn bounce(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path((id, person)): Path<(String, String)>,
    input::Json(bounce): input::Json<Bounce>,
) -> Answer<StatusCode> {
    let nothing = || Problem::not_found("message");
    let (task, person) = (id.parse().map_err(|_| nothing())?, person.parse().map_err(|_| nothing())?);
    caseload.people().note_bounce(&actor, task, person, &bounce.note).await?;
    Ok(StatusCode::NO_CONTENT)
}
