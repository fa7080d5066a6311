//! The name by which somebody asked for Docket. A demo shows its passwords to whoever opens it, so it answers to the names of
//! this machine alone: a page elsewhere could have its own name lead here, and would then read all that is answered to it.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};
use model::{Code, Problem};
use url::Host;

use crate::{state::AppState, web::problem::ProblemAnswer};

/// Lets a request through that has one name at most, and in a demo one of this machine.
pub async fn known(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let hosts = request.headers().get_all(header::HOST).iter().count();
    if hosts > 1 {
        return StatusCode::BAD_REQUEST.into_response();
    }
    let is_demo = !state.demo.0.is_empty();
    if is_demo && !name(request.headers()).is_none_or(|name| is_here(&name, state.http.public_url.host_str())) {
        let detail = format!("This is a demo, for one machine only. It is at {}.", state.http.public_url);
        return ProblemAnswer(Problem::new(421, Code::BAD_REQUEST, "Not at this address", detail)).into_response();
    }
    next.run(request).await
}

/// Without the port. What cannot be read is a name like any other.
fn name(headers: &HeaderMap) -> Option<String> {
    let host = headers.get(header::HOST)?.to_str().unwrap_or_default();
    Some(host.parse::<Authority>().map_or_else(|_| host.to_owned(), |authority| authority.host().to_owned()))
}

/// An address in figures is no name that could lead anywhere else.
fn is_here(name: &str, public: Option<&str>) -> bool {
    match Host::parse(name) {
        Ok(Host::Ipv4(_) | Host::Ipv6(_)) => true,
        Ok(Host::Domain(name)) => name == "localhost" || public == Some(&name),
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_demo_answers_to_the_names_of_this_machine() {
        let asked = |host: &str| {
            let headers = HeaderMap::from_iter([(header::HOST, host.parse().unwrap())]);
            name(&headers).is_none_or(|name| is_here(&name, Some("docket.test")))
        };
        for here in ["127.0.0.1:3000", "localhost", "LOCALHOST:3000", "[::1]:3000", "docket.test", "docket.test:8080"] {
            assert!(asked(here), "{here}");
        }
        for elsewhere in
            ["evil.example", "evil.example:3000", "127.0.0.1.evil.example", "localhost.evil.example", "", "a b", "@"]
        {
            assert!(!asked(elsewhere), "{elsewhere}");
        }
    }
}
