//! The pages of `app`, rendered here and mounted under their own routes, and the server functions behind them.

use std::{future::Future, panic::resume_unwind, pin::Pin, sync::Arc};

use any_spawner::Executor;
pub use app::server::DemoAccounts;
use app::{
    components::values::time::{RenderedAt, Wall},
    refusal::Refusal,
    server::{
        Sessions,
        routes::{PAGES, PageAsked},
    },
};
use axum::{
    RequestExt, Router,
    body::to_bytes,
    extract::{RawPathParams, Request, State},
    http::{HeaderValue, Method, StatusCode, header, request::Parts},
    response::{IntoResponse, Response},
    routing::{MethodFilter, get, on},
};
use caseload::Actor;
use chrono_tz::Tz;
use leptos::{
    config::LeptosOptions,
    nonce::use_nonce,
    prelude::*,
    server_fn::{self, error::SERVER_FN_ERROR_HEADER},
};
use leptos_axum::ResponseOptions;
use tokio::task::JoinError;
use tower_sessions::Session;
use tracing::Instrument;

use crate::{
    auth::{second_factor::offered, session},
    config,
    state::AppState,
    web::{cookies::browser_zone, headers, redirect},
};

type RenderedPage = Pin<Box<dyn Future<Output = Response> + Send>>;

/// Every server function, by its path and method.
pub fn server_functions() -> Vec<(&'static str, Method)> {
    let mut found: Vec<_> = server_fn::axum::server_fn_paths().collect();
    found.sort_by_key(|(path, _)| *path);
    found
}

/// Where the shell finds the bundle. The name is fixed here and not by a variable at compile time.
pub fn options() -> LeptosOptions {
    LeptosOptions::builder().output_name("frontend").site_pkg_dir("pkg").build()
}

/// The router of pages and server functions.
pub fn router(state: &AppState) -> Router<AppState> {
    // Whatever a page waits for is run by the process that serves it; whoever has said so before has said the same.
    let _ = Executor::init_tokio();
    let mut router = Router::new();
    for route in PAGES {
        let shown = async move |State(state): State<AppState>, mut request: Request| {
            let named = named(&mut request).await;
            request.extensions_mut().insert(PageAsked { route, named });
            shown(&state, request).await
        };
        router = router.route(route.address, get(shown));
    }
    for (path, method) in server_functions() {
        let context = context(state);
        let handler = async move |request: Request| {
            // Otherwise it is the child of whichever page waits on the same thread, and finds what that page provides.
            let apart = Owner::new_root(None);
            let answer =
                apart.with(|| ScopedFuture::new(leptos_axum::handle_server_fns_with_context(context, request)));
            with_its_status(answer.await.into_response()).await
        };
        let method = MethodFilter::try_from(method).unwrap_or(MethodFilter::POST);
        router = router.route(path, on(method, handler));
    }
    router
}

/// A call that cannot be read never reaches its function, and the framework answers it as a fault of ours; what it says of it
/// is right.
async fn with_its_status(response: Response) -> Response {
    let refused = response.headers().contains_key(SERVER_FN_ERROR_HEADER);
    if !refused || response.status() != StatusCode::INTERNAL_SERVER_ERROR {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let body = to_bytes(body, config::http::BODY_LIMIT).await.unwrap_or_default();
    let said = serde_json::from_slice::<Refusal>(&body).ok().and_then(|said| StatusCode::from_u16(said.0.status).ok());
    parts.status = said.unwrap_or(parts.status);
    Response::from_parts(parts, body.into())
}

/// Whatever has no route: for people the page that says so, for programs a problem.
pub async fn missing(State(state): State<AppState>, request: Request) -> Response {
    let accepts = request.headers().get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    if !request.method().is_safe() || !accepts.is_some_and(|accept| accept.contains("text/html")) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let mut response = shown(&state, request).await;
    if response.status() == StatusCode::OK {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    response
}

/// Where everybody begins.
pub async fn start() -> Response {
    redirect::to("/people")
}

/// A page, which is made to its end, whether or not its browser still waits for it. What makes a page and what it is made of hold
/// each other until then: one that is given up on the way is never taken down, and keeps whatever it had locked. How many are made
/// for nobody is bounded by how often an account may ask.
async fn shown(state: &AppState, request: Request) -> Response {
    let render = leptos_axum::render_app_async_with_context(context(state), shell(state));
    let rendered: RenderedPage = render(request);
    let made = state.making.0.spawn(whole(rendered).in_current_span());
    match made.await.map_err(JoinError::try_into_panic) {
        Ok(response) => response,
        Err(Ok(panic)) => resume_unwind(panic),
        // The process ends.
        Err(Err(_)) => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    }
}

async fn whole(rendered: RenderedPage) -> Response {
    let (parts, body) = rendered.await.into_parts();
    match to_bytes(body, usize::MAX).await {
        Ok(body) => Response::from_parts(parts, body.into()),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// What stands in the address where its route has a name; nothing where it has none, or where it cannot be read.
async fn named(request: &mut Request) -> String {
    let named = request.extract_parts::<RawPathParams>().await;
    named.ok().and_then(|named| named.iter().next().map(|(_, value)| value.to_owned())).unwrap_or_default()
}

fn shell(state: &AppState) -> impl Fn() -> AnyView + Clone + Send + Sync + 'static {
    let (options, base) = (state.leptos.clone(), state.http.base());
    move || app::server::page::shell(options.clone(), base.as_str()).into_any()
}

/// What pages and server functions find in their context. Called once for each request, within that request's owner.
fn context(state: &AppState) -> impl Fn() + Clone + Send + Sync + 'static {
    let (caseload, demo, sessions) = (state.caseload.clone(), state.demo.clone(), state.sessions.clone());
    let (settings, ways, key) = (state.settings.clone(), state.providers.ways(), state.key.clone());
    move || {
        provide_context(caseload.clone());
        let parts = use_context::<Parts>();
        let actor = parts.as_ref().and_then(|parts| parts.extensions.get::<Actor>());
        let preferences = actor.map(|actor| actor.preferences.clone()).unwrap_or_default();
        let of_browser = || parts.as_ref().and_then(|parts| browser_zone::of(&parts.headers));
        let wall = actor.and_then(Actor::time_zone).or_else(of_browser).map(wall);
        let (dates, numbers) = (preferences.dates, preferences.numbers);
        provide_context(RenderedAt { now: caseload.now(), wall, dates, numbers });
        provide_context(preferences);
        provide_context(signed_in(&sessions, parts.as_ref()));
        let session = parts.as_ref().and_then(|parts| parts.extensions.get::<Session>()).cloned();
        provide_context(offered::for_page(&key, session, actor));
        provide_context(demo.clone());
        provide_context(ways.clone());
        provide_context(settings.clone());
        // A page has a nonce from here on, a server function never.
        let policy = use_nonce().and_then(|nonce| HeaderValue::try_from(headers::page_policy(&nonce)).ok());
        if let (Some(policy), Some(response)) = (policy, use_context::<ResponseOptions>()) {
            response.insert_header(header::CONTENT_SECURITY_POLICY, policy);
        }
    }
}

/// The clock on the wall in a time zone.
fn wall(zone: Tz) -> Wall {
    Arc::new(move |at| at.with_timezone(&zone).naive_local())
}

/// Where the caller is signed in, for the page that asks.
fn signed_in(store: &session::Store, parts: Option<&Parts>) -> Sessions {
    let session = parts.and_then(|parts| parts.extensions.get::<Session>()).cloned();
    let store = store.clone();
    Sessions(Arc::new(move || {
        let (store, session) = (store.clone(), session.clone());
        Box::pin(async move {
            let session = session?;
            let who = session::who(&session).await.ok()??;
            store.list(who, session.id()).await.inspect_err(|error| tracing::error!(%error, "no sessions listed")).ok()
        })
    }))
}
