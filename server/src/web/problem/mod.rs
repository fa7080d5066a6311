//! The one place where errors become answers: `application/problem+json` (RFC 9457), or a page for whoever waits for one, with the
//! request's id.
//!
//! Handlers return a [`ProblemAnswer`]. It only marks the response; [`render`] writes the body, and writes one as well for every
//! bare error that a layer or the router gave, so that no text of a library leaves the server.

pub mod page;

use axum::{
    extract::{Request, State},
    http::{HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use leptos::server_fn::error::SERVER_FN_ERROR_HEADER;
use model::{Code, Problem};
use tower_http::request_id::RequestId;

use crate::{api::problems, config::Http};

/// An error of a handler.
#[derive(Debug)]
pub struct ProblemAnswer(pub Problem);

/// What a handler gives.
pub type Answer<T> = Result<T, ProblemAnswer>;

impl From<Problem> for ProblemAnswer {
    fn from(problem: Problem) -> Self {
        ProblemAnswer(problem)
    }
}

impl From<caseload::Error> for ProblemAnswer {
    fn from(error: caseload::Error) -> Self {
        ProblemAnswer(error.into())
    }
}

impl IntoResponse for ProblemAnswer {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = status.into_response();
        if let Some(wait) = self.0.more.get("retryAfter").and_then(serde_json::Value::as_u64) {
            response.headers_mut().insert(header::RETRY_AFTER, wait.into());
        }
        response.extensions_mut().insert(self.0);
        response
    }
}

/// Writes the bodies of errors.
pub async fn render(State(http): State<Http>, request: Request, next: Next) -> Response {
    let id = request.extensions().get::<RequestId>().and_then(|id| id.header_value().to_str().ok()).map(str::to_owned);
    let to_person = page::is_wanted(&request);
    let mut response = next.run(request).await;
    let Some(problem) = taken_from(&mut response) else { return response };
    let meaning = problems::address(&http.public_url, &problem.code);
    let problem = Problem { request_id: id, ..problem };
    let (mut parts, _) = response.into_parts();
    // They speak of a body that is no more.
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.remove(header::CONTENT_ENCODING);
    let (kind, body) = if to_person {
        parts.headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(page::POLICY));
        ("text/html; charset=utf-8", page::of(&problem).into_bytes())
    } else {
        ("application/problem+json", serde_json::to_vec(&problem.with("type", meaning)).unwrap_or_default())
    };
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    Response::from_parts(parts, body.into())
}

/// The problem that an answer is marked with, or that its status tells of; nothing if it is none.
pub fn taken_from(response: &mut Response) -> Option<Problem> {
    let marked = response.extensions_mut().remove::<Problem>();
    marked.or_else(|| is_bare_error(response).then(|| bare(response.status())))
}

/// An error whose body is empty or plain text, as axum and tower write them. Pages and server functions write their own.
fn is_bare_error(response: &Response) -> bool {
    let failed = response.status().is_client_error() || response.status().is_server_error();
    let kind = response.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    failed
        && kind.is_none_or(|kind| kind.starts_with(b"text/plain"))
        && !response.headers().contains_key(SERVER_FN_ERROR_HEADER)
}

/// Says of a file that it is too large, since each has a limit of its own.
pub async fn of_upload(response: Response) -> Response {
    if response.status() != StatusCode::PAYLOAD_TOO_LARGE || !is_bare_error(&response) {
        return response;
    }
    let detail = "The file is larger than Docket accepts here.";
    ProblemAnswer(Problem::new(413, Code::TOO_LARGE, "That is too large", detail)).into_response()
}

/// The words for an error that is only a status.
fn bare(status: StatusCode) -> Problem {
    let refused = |code, title, detail: &str| Problem::new(status.as_u16(), code, title, detail);
    match status {
        StatusCode::UNAUTHORIZED => Problem::signed_out(),
        StatusCode::FORBIDDEN => Problem::forbidden("You do not have permission to do that."),
        StatusCode::NOT_FOUND => refused(Code::NOT_FOUND, "Not found", "There is nothing at this address."),
        StatusCode::METHOD_NOT_ALLOWED => {
            refused(Code::METHOD_NOT_ALLOWED, "Method not allowed", "This address does not take that method.")
        }
        StatusCode::REQUEST_TIMEOUT | StatusCode::GATEWAY_TIMEOUT => {
            refused(Code::TIMEOUT, "That took too long", "Try again in a moment.")
        }
        StatusCode::PAYLOAD_TOO_LARGE => too_large(crate::config::http::BODY_LIMIT),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => unsupported(),
        StatusCode::SERVICE_UNAVAILABLE => Problem::unavailable(),
        status if status.is_server_error() => Problem::internal(),
        _ => refused(Code::BAD_REQUEST, "That request cannot be carried out", "The request could not be read."),
    }
}

/// 413: more bytes than are read.
pub fn too_large(most: usize) -> Problem {
    const KB: usize = 1024;
    let most = if most < KB * KB { format!("{} kB", most / KB) } else { format!("{} MB", most / KB / KB) };
    Problem::new(413, Code::TOO_LARGE, "That is too large", format!("The limit is {most}."))
}

/// 415: another type of content than JSON.
pub fn unsupported() -> Problem {
    Problem::new(415, Code::UNSUPPORTED_MEDIA_TYPE, "Unsupported type of content", "Send JSON, as application/json.")
}

/// 415: another type of content than a form, where people send one.
pub fn no_form() -> Problem {
    let detail = "Send a form, as application/x-www-form-urlencoded.";
    Problem::new(415, Code::UNSUPPORTED_MEDIA_TYPE, "Unsupported type of content", detail)
}

/// A panic in a handler: logged by the layer that caught it, told as any fault.
pub fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    tracing::error!("a request panicked");
    ProblemAnswer(Problem::internal()).into_response()
}

/// A request that a browser sent from somebody else's page.
pub fn cross_site(_: tower_http::csrf::ProtectionError) -> Response {
    ProblemAnswer(Problem::new(
        403,
        Code::CROSS_SITE,
        "That request came from another site",
        "For your safety Docket does only what its own pages ask for. Open Docket and try again there.",
    ))
    .into_response()
}
