//! The document that describes this interface to programs (OpenAPI 3.1), gathered from what stands beside each handler and
//! from the types that are read and written, so that it cannot say something else than they do.

pub mod answers;
pub mod bodies;
mod optional;
pub mod params;
mod prose;
pub mod written;

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use model::{
    FieldError, Problem, Submitted,
    admin::TaskOrder,
    ledger::{LedgerFilter, LedgerSort},
    task::TaskScope,
};
use serde_json::Value;
use utoipa::{
    OpenApi,
    openapi::{
        RefOr, Server,
        schema::Components,
        security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

use crate::{
    api::actions::early_alert, api::actions::email, api::actions::export, api::actions::program_status,
    api::actions::reassign_by_list, api::actions::reassign_coach, api::actions::self_test, api::actions::watch,
    api::admin::operations, api::admin::queue, api::admin::tasks as admin_tasks, api::approvals, api::ledger, api::me,
    api::people, api::person, api::session as sessions, api::tasks,
};
use crate::{auth::session, config::Http, state::AppState};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Docket",
        version = env!("CARGO_PKG_VERSION"),
        description = "Acting on many people at once, and knowing what became of each of them. Errors are problems \
                       (RFC 9457). Unknown members and parameters are refused, and members that are there \
                       twice; a member that is null is as if it had been left out."
    ),
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
        reassign_by_list::submit, reassign_by_list::preview,
        email::submit, email::preview, email::of_person, email::journal, email::resend, email::bounce,
        tasks::list, tasks::show, ledger::list, export::file,
        tasks::retry, tasks::abandon, tasks::undo, tasks::preview_undo, tasks::reschedule, tasks::send_now,
        approvals::list, approvals::show, approvals::approve, approvals::decline,
        queue::show, queue::history, queue::failures, queue::audit,
        admin_tasks::list, admin_tasks::show, admin_tasks::put_back,
        admin_tasks::preview_retry, admin_tasks::retry, admin_tasks::preview_abandon, admin_tasks::abandon,
        operations::processes, operations::kinds, operations::pause, operations::resume,
        operations::locks, operations::release,
        operations::schedules, operations::run, operations::pause_schedule, operations::resume_schedule,
        self_test::submit,
    ),
    // Those that only the shared answers and parameters speak of.
    components(schemas(FieldError, LedgerFilter, LedgerSort, Problem, Submitted, TaskOrder, TaskScope)),
)]
struct Interface;

/// The document. Where the interface is and how the cookie is called depends on how people reach Docket.
pub fn document(http: &Http) -> Value {
    let mut document = Interface::openapi();
    // The manifest names none, and an empty one is no licence.
    document.info.license = None;
    document.servers = Some(vec![Server::new(http.base().cookie_path())]);
    let components = document.components.get_or_insert_with(Components::new);
    components.responses.extend(answers::responses().map(|(name, response)| (name.to_owned(), RefOr::T(response))));
    let cookie = ApiKey::Cookie(ApiKeyValue::with_description(
        http.cookie(session::COOKIE).name,
        "The cookie that `POST /api/1/session` sets.".to_owned(),
    ));
    let token = HttpBuilder::new()
        .scheme(HttpAuthScheme::Bearer)
        .description(Some("An access token; it decides alone, whatever cookie is sent as well. Its scope says how far it goes: `read` for what is got, \
             `submit` for everything else but what is for administrators, `administer` for that, too."))
        .build();
    components.add_security_scheme("session", SecurityScheme::ApiKey(cookie));
    components.add_security_scheme("token", SecurityScheme::Http(token));
    let mut document = prose::tidied(serde_json::json!(document));
    optional::take_null(&mut document);
    lead_to_meaning(&mut document);
    document
}

/// What a problem becomes on its way out: its code leads to what it means.
fn lead_to_meaning(document: &mut Value) {
    let problem = &mut document["components"]["schemas"]["Problem"];
    problem["properties"]["type"] = serde_json::json!({
        "type": "string", "format": "uri-reference", "description": "Where it stands what the code means."
    });
    if let Some(required) = problem["required"].as_array_mut() {
        required.push("type".into());
    }
}

/// `GET /api/1/openapi.json`.
pub async fn show(State(state): State<AppState>) -> Response {
    let written = state.document.0.get_or_init(|| document(&state.http).to_string().into());
    ([(header::CONTENT_TYPE, "application/json")], written.clone()).into_response()
}
