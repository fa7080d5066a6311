//! The document that describes this interface to programs (OpenAPI 3.1), gathered from what stands beside each handler and
//! from the types that are read and written, so that it cannot say something else than they do.

pub mod answers;
pub mod bodies;
pub mod params;
mod prose;

use axum::{Json, extract::State};
use model::{FieldError, Problem, Submitted, admin::TaskOrder, ledger::LedgerFilter, task::TaskScope};
use serde_json::Value;
use utoipa::{
    OpenApi,
    openapi::{
        RefOr,
        schema::Components,
        security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use super::{
    admin::{machinery, queue, tasks as admin_tasks},
    early_alert, email, export, ledger, me, people, person, program_status, reassign_coach, reassign_list, self_test,
    session as sessions, tasks, watch,
};
use crate::{session, state::AppState};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Docket",
        version = env!("CARGO_PKG_VERSION"),
        description = "Acting on many people at once, and knowing what became of each of them. Errors are problems \
                       (RFC 9457); unknown members and parameters are refused."
    ),
    servers((url = "/")),
    security(("session" = []), ("token" = [])),
    tags(
        (name = "Session", description = "Who calls."),
        (name = "People", description = "The people within the caller's reach."),
        (name = "Actions", description = "What can be done to many people at once, and what it would do."),
        (name = "Tasks", description = "What became of what was submitted."),
        (name = "Administration", description = "For administrators."),
    ),
    paths(
        sessions::begin, sessions::end, me::show,
        people::list, person::show, person::program_status, person::tasks, person::erase,
        program_status::submit, program_status::preview,
        watch::submit, watch::preview,
        export::submit, export::preview,
        early_alert::submit, early_alert::preview, early_alert::of_person,
        reassign_coach::submit, reassign_coach::preview,
        reassign_list::submit, reassign_list::preview,
        email::submit, email::preview, email::of_person, email::journal, email::resend, email::bounce,
        tasks::list, tasks::show, ledger::list, export::file,
        tasks::retry, tasks::abandon, tasks::undo, tasks::preview_undo, tasks::reschedule,
        queue::show, queue::course, queue::failures, queue::audit,
        admin_tasks::list, admin_tasks::show, admin_tasks::put_back,
        admin_tasks::preview_retry, admin_tasks::retry, admin_tasks::preview_abandon, admin_tasks::abandon,
        machinery::processes, machinery::kinds, machinery::pause, machinery::resume,
        machinery::locks, machinery::release,
        machinery::schedules, machinery::run, machinery::pause_schedule, machinery::resume_schedule,
        self_test::submit,
    ),
    // Those that only the shared answers and parameters speak of.
    components(schemas(FieldError, LedgerFilter, Problem, Submitted, TaskOrder, TaskScope)),
)]
struct Interface;

/// The document. The name of the cookie depends on whether browsers come over TLS.
pub fn document(over_tls: bool) -> Value {
    let mut document = Interface::openapi();
    // The manifest names none, and an empty one is no licence.
    document.info.license = None;
    let components = document.components.get_or_insert_with(Components::new);
    components.responses.extend(answers::responses().map(|(name, response)| (name.to_owned(), RefOr::T(response))));
    let cookie = ApiKey::Cookie(ApiKeyValue::with_description(
        session::cookie_name(over_tls),
        "The cookie that `POST /api/1/session` sets.",
    ));
    let token = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("An access token; it decides alone, whatever cookie is sent as well."))
        .build();
    components.add_security_scheme("session", SecurityScheme::ApiKey(cookie));
    components.add_security_scheme("token", SecurityScheme::Http(token));
    prose::tidied(serde_json::json!(document))
}

/// `GET /api/1/openapi.json`.
pub async fn show(State(state): State<AppState>) -> Json<Value> {
    Json(document(state.http.over_tls()))
}
