//! Verbs on one task and on many.

use app::pages::done::Done;
use axum::{
    Form,
    extract::{Path, State},
    http::header,
    response::{IntoResponse, Response},
};
use caseload::{Actor, Caseload, Result};
use model::{
    Problem, TaskId,
    admin::{BulkDone, BulkVerb, Confirmed},
    enum_words::Reader,
    filter,
};

use crate::{auth::actor::Caller, web::headers::attachment, web::redirect};
use crate::{forms::admin::Reasoned, forms::admin::back, forms::admin::done};

/// `POST /admin/tasks/{id}/retry`.
pub async fn retry(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(id): Path<String>,
    Form(given): Form<Reasoned>,
) -> Response {
    let act = async |actor: &Actor, id| caseload.admin().retry_any(actor, id, &given.reason).await;
    one(&actor, &id, Done::Retried, &given.reason, act).await
}

/// `POST /admin/tasks/{id}/abandon`.
pub async fn abandon(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(id): Path<String>,
    Form(given): Form<Reasoned>,
) -> Response {
    let act = async |actor: &Actor, id| caseload.admin().abandon_any(actor, id, &given.reason).await.map(|()| id);
    one(&actor, &id, Done::Closed, &given.reason, act).await
}

/// `POST /admin/tasks/{id}/put-back`.
pub async fn put_back(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(id): Path<String>,
    Form(given): Form<Reasoned>,
) -> Response {
    let act = async |actor: &Actor, id| caseload.admin().put_back(actor, id, &given.reason).await.map(|()| id);
    one(&actor, &id, Done::PutBack, &given.reason, act).await
}

/// `POST /admin/tasks/{id}/request`: what was asked for with people's data, as a file.
pub async fn request(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(id): Path<String>,
    Form(given): Form<Reasoned>,
) -> Response {
    let page = page(&id);
    let Ok(id) = id.parse::<TaskId>() else { return back("/admin/tasks", Problem::not_found("task"), "") };
    match caseload.admin().whole_request(&actor, id, &given.reason).await {
        Ok(text) => {
            let name = attachment(&format!("task-{id}-request.json"));
            let headers =
                [(header::CONTENT_TYPE, "application/json".to_owned()), (header::CACHE_CONTROL, "no-store".to_owned())];
            (headers, [name], text.unwrap_or_else(|| "null".to_owned())).into_response()
        }
        Err(error) => back(&page, error, &given.reason),
    }
}

/// `POST /admin/tasks/apply`: a verb on the tasks that its check showed.
pub async fn apply(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Form(given): Form<Vec<(String, String)>>,
) -> Response {
    let value = |key: &str| given.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value.as_str());
    // Where it was asked, and where to go on to; both below an address of our own.
    let page = redirect::with_rest("/admin/tasks/check", value("asked"));
    let read = || -> Result<(BulkVerb, Confirmed), Problem> {
        let unknown =
            |_| Problem::field("previewToken", "invalid", "The page was incomplete. Please go back and try again.");
        let preview_token = value("preview").parse().map_err(unknown)?;
        Ok((
            filter::parse("verb", value("verb"), Reader::Person)?,
            Confirmed { preview_token, everything: value("everything") == "yes" },
        ))
    };
    let (verb, confirmed) = match read() {
        Ok(read) => read,
        Err(problem) => return back(&page, problem, value("reason")),
    };
    match caseload.admin().apply_bulk(&actor, verb, &confirmed, value("reason")).await {
        Ok(BulkDone { changed, left }) => {
            let said = format!("done={}&n={changed}&left={left}", Done::from(verb).name());
            let rest = [value("then"), said.as_str()].into_iter().filter(|part| !part.is_empty());
            let rest = rest.collect::<Vec<_>>().join("&");
            redirect::to(&redirect::with_rest("/admin/tasks", &rest))
        }
        Err(error) => back(&page, error, value("reason")),
    }
}

async fn one(
    actor: &Actor,
    id: &str,
    what: Done,
    reason: &str,
    act: impl AsyncFnOnce(&Actor, TaskId) -> Result<TaskId>,
) -> Response {
    let page = page(id);
    let Ok(id) = id.parse() else { return back("/admin/tasks", Problem::not_found("task"), "") };
    match act(actor, id).await {
        Ok(now) => done(&format!("/admin/tasks/{now}"), what),
        Err(error) => back(&page, error, reason),
    }
}

fn page(id: &str) -> String {
    match id.parse::<TaskId>() {
        Ok(id) => format!("/admin/tasks/{id}"),
        Err(_) => "/admin/tasks".to_owned(),
    }
}
