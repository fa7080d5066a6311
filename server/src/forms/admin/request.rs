//! `POST /admin/tasks/{id}/request`: what was asked for with people's data, as a file.

use axum::{
    Form,
    extract::{Path, State},
    http::header,
    response::{IntoResponse, Response},
};
use caseload::Caseload;
use model::{Problem, TaskId};
use serde::Deserialize;

use crate::{auth::actor::Caller, forms::admin::back, web::headers::attachment};

/// Why it is looked at.
#[derive(Deserialize)]
pub struct Reasoned {
    #[serde(default)]
    reason: String,
}

pub async fn file(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(id): Path<String>,
    Form(given): Form<Reasoned>,
) -> Response {
    let Ok(id) = id.parse::<TaskId>() else { return back("/admin/tasks", Problem::not_found("task"), "") };
    match caseload.admin().whole_request(&actor, id, &given.reason).await {
        Ok(text) => {
            let name = attachment(&format!("task-{id}-request.json"));
            let headers =
                [(header::CONTENT_TYPE, "application/json".to_owned()), (header::CACHE_CONTROL, "no-store".to_owned())];
            (headers, [name], text.unwrap_or_else(|| "null".to_owned())).into_response()
        }
        Err(error) => back(&format!("/admin/tasks/{id}"), error, &given.reason),
    }
}
