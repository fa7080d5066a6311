//! What was denied goes into the audit, whatever it became on the way out: a page, a problem, or the way back to a form.

use axum::{
    extract::{MatchedPath, Request, State},
    http::StatusCode,
    middleware::Next,
    response::Response,
};
use caseload::{Actor, Caseload, Denial, Denied};
use model::{Code, Problem};

use crate::web::client_address::Source;

/// What a problem says of a denial, for an answer that does not carry the problem itself.
pub fn of(problem: &Problem) -> Option<Denial> {
    match problem.status {
        403 => Some(Denial::Forbidden),
        429 => Some(Denial::Throttled),
        _ => None,
    }
}

/// Notes what was denied of a request.
pub async fn noted(State(caseload): State<Caseload>, source: Source, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let asked = format!("{} {route}", request.method());
    let response = next.run(request).await;
    let actor = response.extensions().get::<Actor>();
    if let Some(denial) = denial(&response, actor) {
        let denied = Denied { denial, actor, source: source.address, request: asked };
        if let Err(error) = caseload.audit().note_denial(denied).await {
            tracing::error!(%error, "a denied request could not be noted");
        }
    }
    response
}

fn denial(response: &Response, actor: Option<&Actor>) -> Option<Denial> {
    let refused = actor.map(|actor| &actor.via.refused);
    let code = response.extensions().get::<Problem>().map(|problem| problem.code.as_str());
    if let Some(denial) = response.extensions().get::<Denial>() {
        return Some(*denial);
    }
    match response.status() {
        StatusCode::TOO_MANY_REQUESTS => Some(Denial::Throttled),
        StatusCode::FORBIDDEN if code == Some(Code::CROSS_SITE.name()) => Some(Denial::CrossSite),
        StatusCode::FORBIDDEN => Some(Denial::Forbidden),
        _ if refused.is_some_and(|refused| refused.is_forbidden()) => Some(Denial::Forbidden),
        _ if refused.is_some_and(|refused| refused.is_throttled()) => Some(Denial::Throttled),
        _ if refused.is_some_and(|refused| refused.is_hidden()) => Some(Denial::Hidden),
        _ => None,
    }
}
