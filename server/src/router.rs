//! Every route on one screen, and the layers around them. Pages and server functions have theirs from `app`.
//!
//! A route is closed to strangers unless [`crate::auth::actor::OPEN`] names it. What the directory of the institution calls has a door of its
//! own (`scim/asked.rs`).

use std::time::Duration;

use anyhow::{Result, ensure};
use app::server::routes::PAGES;
use axum::{
    Router,
    body::Body,
    extract::{DefaultBodyLimit, Request},
    http::HeaderName,
    middleware::{from_fn, from_fn_with_state, map_request, map_response},
};
use tower::ServiceBuilder;
use tower_http::{
    catch_panic::CatchPanicLayer,
    csrf::CsrfLayer,
    limit::RequestBodyLimitLayer,
    map_request_body::MapRequestBodyLayer,
    request_id::{MakeRequestUuid, PropagateRequestIdLayer, RequestId, SetRequestIdLayer},
    timeout::RequestBodyTimeoutLayer,
    trace::TraceLayer,
};

use crate::{
    api::actions::early_alert,
    api::actions::email as emails,
    api::actions::export,
    api::actions::program_status,
    api::actions::reassign_by_list,
    api::actions::reassign_coach,
    api::actions::self_test,
    api::actions::watch,
    api::admin::operations,
    api::admin::queue,
    api::admin::tasks as admin_tasks,
    api::approvals,
    api::docs,
    api::health,
    api::ledger,
    api::me,
    api::openapi,
    api::people,
    api::person,
    api::problems,
    api::session as sessions,
    api::tasks,
    auth::actor,
    auth::denials,
    auth::passkeys::{beside_password, whole_sign_in},
    auth::password_link,
    auth::provider,
    auth::second_factor::by_code,
    auth::session,
    auth::setup,
    auth::sign_in,
    config::http::BODY_LIMIT,
    events, fairness,
    forms::admin,
    forms::approvals as approval_form,
    forms::ids,
    forms::passkeys as passkey_forms,
    forms::reassign_upload,
    forms::second_factor,
    forms::settings,
    forms::{import, import_lines},
    pages,
    process::metrics,
    scim::answers,
    scim::discovery,
    scim::groups,
    scim::users as directory_users,
    state::AppState,
    web::assets,
    web::base_path,
    web::client_address::{self, Source},
    web::compression,
    web::cookies::one_time,
    web::form_errors,
    web::headers,
    web::host,
    web::known_routes::Table,
    web::problem,
    web::redirect,
    web::text_input,
    web::timeouts,
};

/// How long an answer may take to begin.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The same for uploads, which are answered once they have arrived. Whoever stops sending is let go of long before.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(15 * 60);
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The routes of this crate.
pub fn table() -> Table {
    Table::default()
        .get("/healthz", health::alive)
        .get("/readyz", health::ready)
        .get("/", pages::start)
        .get("/favicon.ico", assets::favicon)
        .get("/pkg/{*path}", assets::serve)
        .post("/login", sign_in::by_form)
        .post("/login/code", by_code::by_form)
        .post("/login/code/passkey", beside_password::by_form)
        .post("/login/code/passkey/question", beside_password::ask)
        .post("/login/passkey", whole_sign_in::by_form)
        .post("/login/passkey/question", whole_sign_in::ask)
        .get("/login/with/{provider}", provider::sign_in::begin)
        .get("/login/return/{provider}", provider::sign_in::finish)
        .get("/login/ended/{provider}", provider::ended::by_browser)
        .post("/login/ended/{provider}", provider::ended::by_provider)
        .post("/logout", sign_in::out)
        .post("/setup", setup::first)
        .post("/forgot", password_link::request)
        .post("/password", password_link::choose)
        .get("/events", events::listen)
        .get("/scim/v2/ServiceProviderConfig", discovery::config)
        .get("/scim/v2/ResourceTypes", discovery::types)
        .get("/scim/v2/ResourceTypes/{id}", discovery::one_type)
        .get("/scim/v2/Schemas", discovery::schemas)
        .get("/scim/v2/Schemas/{id}", discovery::one_schema)
        .get("/scim/v2/Users", directory_users::list)
        .post("/scim/v2/Users", directory_users::add)
        .get("/scim/v2/Users/{id}", directory_users::show)
        .put("/scim/v2/Users/{id}", directory_users::replace)
        .patch("/scim/v2/Users/{id}", directory_users::patch)
        .delete("/scim/v2/Users/{id}", directory_users::remove)
        .get("/scim/v2/Groups", groups::list)
        .post("/scim/v2/Groups", groups::add)
        .get("/scim/v2/Groups/{id}", groups::show)
        .put("/scim/v2/Groups/{id}", groups::replace)
        .patch("/scim/v2/Groups/{id}", groups::patch)
        .delete("/scim/v2/Groups/{id}", groups::remove)
        .get("/api/1/openapi.json", openapi::show)
        .get("/api/1/docs", docs::show)
        .get("/api/1/problems", problems::show)
        .post("/api/1/session", sessions::begin)
        .delete("/api/1/session", sessions::end)
        .get("/api/1/me", me::show)
        .get("/api/1/people", people::list)
        .post("/api/1/people/program-status", program_status::submit)
        .post("/api/1/people/program-status/preview", program_status::preview)
        .post("/api/1/people/watch", watch::submit)
        .post("/api/1/people/watch/preview", watch::preview)
        .post("/api/1/people/export", export::submit)
        .post("/api/1/people/export/preview", export::preview)
        .post("/api/1/people/early-alert", early_alert::submit)
        .post("/api/1/people/early-alert/preview", early_alert::preview)
        .post("/api/1/people/reassign-coach", reassign_coach::submit)
        .post("/api/1/people/reassign-coach/preview", reassign_coach::preview)
        .post("/api/1/people/reassign-list", reassign_by_list::submit)
        .post("/api/1/people/reassign-list/preview", reassign_by_list::preview)
        .post("/api/1/people/email", emails::submit)
        .post("/api/1/people/email/preview", emails::preview)
        .get("/api/1/people/{id}", person::show)
        .get("/api/1/people/{id}/program-status", person::program_status)
        .get("/api/1/people/{id}/tasks", person::tasks)
        .get("/api/1/people/{id}/early-alerts", early_alert::of_person)
        .get("/api/1/people/{id}/messages", emails::of_person)
        .get("/api/1/people/{id}/journal", emails::journal)
        .post("/api/1/people/{id}/erase", person::erase)
        .post("/settings/password", settings::change_password)
        .post("/settings/address", settings::verify_address)
        .post("/settings/second-factor", second_factor::confirm)
        .post("/settings/second-factor/codes", second_factor::new_codes)
        .post("/settings/second-factor/remove", second_factor::remove)
        .post("/settings/passkeys", passkey_forms::add)
        .post("/settings/passkeys/question", passkey_forms::ask)
        .post("/settings/passkeys/remove", passkey_forms::remove)
        .post("/settings/sessions/end", settings::end_sessions)
        .post("/settings/sessions/{id}/end", settings::end_session)
        .post("/settings/tokens", settings::issue_token)
        .get("/admin/audit.csv", admin::audit::file)
        .get("/admin/import/{id}/unreadable.csv", import_lines::prepared)
        .post("/admin/tasks/{id}/request", admin::request::file)
        .post("/admin/users/add", admin::users::add)
        .post("/admin/users/{id}/change", admin::users::change)
        .post("/admin/users/{id}/enable", admin::users::enable)
        .post("/admin/users/{id}/link", admin::users::link)
        .post("/admin/users/{id}/password", admin::users::password)
        .post("/admin/users/{id}/second-factor", admin::users::second_factor)
        .get("/files/{id}", export::for_people)
        .get("/tasks/{id}/people.csv", ledger::file)
        .get("/tasks/{id}/unreadable.csv", import_lines::of_task)
        .get("/api/1/tasks", tasks::list)
        .get("/api/1/tasks/{id}", tasks::show)
        .get("/api/1/tasks/{id}/people", ledger::list)
        .post("/api/1/tasks/{id}/retry", tasks::retry)
        .post("/api/1/tasks/{id}/resend", emails::resend)
        .post("/api/1/tasks/{id}/people/{person}/bounce", emails::bounce)
        .post("/api/1/tasks/{id}/abandon", tasks::abandon)
        .post("/api/1/tasks/{id}/undo", tasks::undo)
        .post("/api/1/tasks/{id}/undo/preview", tasks::preview_undo)
        .post("/api/1/tasks/{id}/reschedule", tasks::reschedule)
        .post("/api/1/tasks/{id}/send-now", tasks::send_now)
        .get("/api/1/tasks/{id}/file", export::file)
        .post("/approvals/{id}", approval_form::decide)
        .get("/api/1/approvals", approvals::list)
        .get("/api/1/approvals/{id}", approvals::show)
        .post("/api/1/approvals/{id}/approve", approvals::approve)
        .post("/api/1/approvals/{id}/decline", approvals::decline)
        .get("/api/1/admin/queue", queue::show)
        .get("/api/1/admin/queue/history", queue::history)
        .get("/api/1/admin/failures", queue::failures)
        .get("/api/1/admin/audit", queue::audit)
        .get("/api/1/admin/tasks", admin_tasks::list)
        .post("/api/1/admin/tasks/retry", admin_tasks::retry)
        .post("/api/1/admin/tasks/retry/preview", admin_tasks::preview_retry)
        .post("/api/1/admin/tasks/abandon", admin_tasks::abandon)
        .post("/api/1/admin/tasks/abandon/preview", admin_tasks::preview_abandon)
        .get("/api/1/admin/tasks/{id}", admin_tasks::show)
        .post("/api/1/admin/tasks/{id}/put-back", admin_tasks::put_back)
        .get("/api/1/admin/processes", operations::processes)
        .get("/api/1/admin/kinds", operations::kinds)
        .post("/api/1/admin/kinds/{kind}/pause", operations::pause)
        .post("/api/1/admin/kinds/{kind}/resume", operations::resume)
        .get("/api/1/admin/locks", operations::locks)
        .post("/api/1/admin/locks/{name}/release", operations::release)
        .get("/api/1/admin/schedules", operations::schedules)
        .post("/api/1/admin/schedules/{name}/run", operations::run)
        .post("/api/1/admin/schedules/{name}/pause", operations::pause_schedule)
        .post("/api/1/admin/schedules/{name}/resume", operations::resume_schedule)
        .post("/api/1/admin/self-test", self_test::submit)
}

/// The routes that take large bodies.
pub fn uploads() -> Table {
    Table::default()
        .post("/admin/import", import::upload)
        .post("/people/ids", ids::choose)
        .post("/people/reassign", reassign_upload::upload)
}

/// The whole of Docket over HTTP. The first layer is the outermost.
pub fn router(state: AppState) -> Result<Router> {
    let base = state.http.base();
    let pages = PAGES.iter().map(|page| page.address);
    let pages = pages.chain(pages::server_functions().into_iter().map(|(path, _)| path));
    let taken = base.is_taken_by(table().routes().iter().chain(uploads().routes()).map(|(_, path)| *path).chain(pages));
    ensure!(!taken, "Docket has pages of its own at {}: choose another path", base.as_str());
    let origin = state.http.public_url.origin().ascii_serialization();
    let same_site = CsrfLayer::new().add_trusted_origin(origin)?.with_rejection_response(problem::cross_site);
    let around = ServiceBuilder::new()
        .layer(from_fn_with_state(state.clone(), client_address::find))
        // Ids are ours: one that was sent could be anything.
        .layer(map_request(without_id))
        .layer(SetRequestIdLayer::new(REQUEST_ID, MakeRequestUuid))
        .layer(TraceLayer::new_for_http().make_span_with(span).on_request(()).on_failure(()))
        .layer(PropagateRequestIdLayer::new(REQUEST_ID))
        .layer(from_fn_with_state(state.clone(), headers::secure))
        .layer(from_fn_with_state(state.clone(), problem::render))
        .layer(from_fn(answers::in_their_shape))
        .layer(from_fn_with_state(state.clone(), denials::noted))
        .layer(CatchPanicLayer::custom(problem::panicked))
        .layer(from_fn_with_state(state.clone(), host::known))
        .layer(RequestBodyTimeoutLayer::new(state.http.bounds.idle))
        .layer(MapRequestBodyLayer::new(Body::new))
        .layer(from_fn_with_state(UPLOAD_TIMEOUT, timeouts::given_up))
        .layer(same_site)
        .layer(from_fn(headers::see_other))
        .layer(from_fn_with_state(state.clone(), form_errors::sealed))
        // Within: what is sealed is the address that the browser is led to.
        .layer(from_fn(redirect::kept));
    let caller = ServiceBuilder::new()
        .layer(session::layer(state.sessions.clone(), &state.http))
        .layer(from_fn_with_state(state.clone(), actor::identify))
        .layer(from_fn_with_state(state.clone(), fairness::within_share))
        .layer(from_fn_with_state(state.clone(), one_time::deliver));
    let routes = table().into_router().merge(pages::router(&state)).fallback(pages::missing);
    let routes = routes
        .layer(from_fn(text_input::only))
        .layer(RequestBodyLimitLayer::new(BODY_LIMIT))
        .layer(from_fn_with_state(state.clone(), fairness::whole))
        .layer(from_fn_with_state(TIMEOUT, timeouts::given_up));
    let large = ServiceBuilder::new()
        .layer(from_fn_with_state(state.clone(), fairness::in_pieces))
        .layer(DefaultBodyLimit::disable())
        .layer(RequestBodyLimitLayer::new(import::LARGEST));
    let large = uploads().into_router().layer(large).layer(map_response(problem::of_upload));
    let routes = routes.merge(large);
    let all = base_path::under(base, routes.layer(caller).layer(around).layer(metrics::requests()).with_state(state));
    // Around everything: within, what is said to be compressed could still be rewritten or replaced.
    Ok(all.layer(from_fn(compression::noted)).layer(compression::layer()))
}

async fn without_id(mut request: Request) -> Request {
    request.headers_mut().remove(REQUEST_ID);
    request
}

/// What every line of a request's log carries. The query is left out: it holds names that people searched for.
fn span<B>(request: &axum::http::Request<B>) -> tracing::Span {
    let id = request.extensions().get::<RequestId>().and_then(|id| id.header_value().to_str().ok()).unwrap_or_default();
    let source = request.extensions().get::<Source>().copied().unwrap_or_default();
    tracing::info_span!("request", id, %source, method = %request.method(), path = request.uri().path())
}
