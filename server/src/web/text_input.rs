//! What callers send is text. Bytes that are no UTF-8, and the character NUL, which no text in PostgreSQL can hold, are
//! refused here with the name of the field, so that no handler and no statement ever meets them. The bodies of programs are
//! looked at once it is known who sends them (`api/strict.rs`), files by those who read them. What is neither comes as a form, and
//! whatever calls itself otherwise is not read at all.

use std::error::Error;

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    http::{HeaderMap, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use caseload::Actor;
use model::{Code, Problem};
use percent_encoding::percent_decode_str;
use tower_http::timeout::TimeoutError;

use crate::{
    auth::actor::{DOOR, place},
    config::http::BODY_LIMIT,
    web::problem::{self, ProblemAnswer},
};

/// The longest form in bytes, but for those that hold a letter.
const FORM: usize = 64 * 1024;
const LONGER: [&str; 2] = ["/api/page/actions/", "/api/page/submit-action"];

/// Lets a request through if everything in it is text. A form is not read of somebody who may not send it, nor beyond its length.
pub async fn only(request: Request, next: Next) -> Response {
    if !percent_decode_str(request.uri().path()).decode_utf8().is_ok_and(|path| is_text(&path)) {
        return StatusCode::NOT_FOUND.into_response();
    }
    match checked(request).await {
        Ok(request) => next.run(request).await,
        Err(problem) => ProblemAnswer(problem).into_response(),
    }
}

async fn checked(request: Request) -> Result<Request, Problem> {
    pairs(request.uri().query().unwrap_or_default().as_bytes())?;
    if request.method().is_safe() || ["/api/1/", DOOR].iter().any(|programs| request.uri().path().starts_with(programs))
    {
        return Ok(request);
    }
    let is_form = kind(request.headers()) == "application/x-www-form-urlencoded";
    let path = request.uri().path();
    // What calls itself anything else has to be empty.
    let longest = if !is_form {
        0
    } else if LONGER.iter().any(|longer| path.starts_with(longer)) {
        BODY_LIMIT
    } else {
        FORM
    };
    if let Some(actor) = request.extensions().get::<Actor>().filter(|_| place(path).starts_with("/admin/")) {
        actor.administers().map_err(Problem::from)?;
    }
    let (parts, body) = request.into_parts();
    let refused = |error| match unread(error, longest) {
        late if is_form || late.status == 408 => late,
        _ => problem::no_form(),
    };
    let bytes = to_bytes(body, longest).await.map_err(refused)?;
    pairs(&bytes)?;
    Ok(Request::from_parts(parts, Body::from(bytes)))
}

/// The type of a body, without its parameters.
fn kind(headers: &HeaderMap) -> String {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// A body that did not come to its end.
pub fn unread(error: axum::Error, longest: usize) -> Problem {
    let mut cause: Option<&dyn Error> = Some(&error);
    while let Some(error) = cause {
        if error.is::<TimeoutError>() {
            return Problem::new(408, Code::TIMEOUT, "That took too long", "The rest of the request did not arrive.");
        }
        cause = error.source();
    }
    problem::too_large(longest)
}

/// The pairs of a form or a query string.
fn pairs(text: &[u8]) -> Result<(), Problem> {
    for pair in text.split(|byte| *byte == b'&') {
        let (name, value) = match pair.iter().position(|byte| *byte == b'=') {
            Some(at) => (&pair[..at], &pair[at + 1..]),
            None => (pair, &[][..]),
        };
        if ![name, value].iter().all(|part| decoded(part).is_some_and(|part| is_text(&part))) {
            return Err(refused(&String::from_utf8_lossy(name)));
        }
    }
    Ok(())
}

fn decoded(part: &[u8]) -> Option<String> {
    let decoded: Vec<u8> = percent_encoding::percent_decode(part).collect();
    String::from_utf8(decoded).ok()
}

/// Whether it is what a text can hold.
pub fn is_text(text: &str) -> bool {
    !text.contains('\0')
}

/// The refusal of a field that is no text.
pub fn refused(field: &str) -> Problem {
    let name: String = field.chars().filter(|c| !c.is_control()).collect();
    Problem::field(&name, "not_text", format!("{name} holds bytes that are no text."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(refused: Result<(), Problem>) -> Option<String> {
        refused.err().map(|problem| problem.errors[0].field.clone())
    }

    #[test]
    fn what_is_no_text_is_named() {
        assert_eq!(named(pairs(b"q=ann&sort=-name&x")), None);
        assert_eq!(named(pairs("q=José&r=%C3%A9+%25".as_bytes())), None);
        assert_eq!(named(pairs(b"a=1&reason=x%00y")).as_deref(), Some("reason"));
        assert_eq!(named(pairs(b"reason=%ff")).as_deref(), Some("reason"));
        assert_eq!(named(pairs(b"reason=\xff")).as_deref(), Some("reason"));
        assert_eq!(named(pairs(b"a\0b=1")).as_deref(), Some("ab"));
    }
}
