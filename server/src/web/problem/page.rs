//! A refusal as a page, for somebody at a browser where none of the pages themselves says it: too many requests, a form that is too
//! long, the name of another host, a fault of ours.

use axum::{
    extract::Request,
    http::{HeaderValue, header},
};
use model::{Markup, Problem};

/// It needs its stylesheet and nothing else.
pub const POLICY: &str =
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Whether a person at a browser waits for a page, having followed a link or sent a form, rather than a program or a script.
pub fn is_wanted(request: &Request) -> bool {
    let path = request.uri().path();
    let html = |accept: &HeaderValue| accept.to_str().is_ok_and(|accept| accept.contains("text/html"));
    path != "/events"
        && (!path.starts_with("/api/") || path.starts_with("/api/page/") || path == "/api/1/docs")
        && request.headers().get_all(header::ACCEPT).iter().any(html)
}

/// The page.
pub fn of(problem: &Problem) -> String {
    let page = Markup::default()
        .ours("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .ours("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .ours("<meta name=\"color-scheme\" content=\"light dark\">\n<title>")
        .text(&problem.title)
        .ours(" · Docket</title>\n<link rel=\"stylesheet\" href=\"/pkg/docket.css\">\n</head>\n<body>\n")
        .ours("<div class=\"login\"><main id=\"content\"><div class=\"blank\">\n<h1>")
        .text(&problem.title)
        .ours("</h1>\n<p>")
        .text(&problem.detail)
        .ours("</p>\n<div class=\"line\"><a class=\"button\" href=\"/people\">Go to people</a>");
    let page = match &problem.request_id {
        Some(id) => page.ours("<span class=\"meta soft\">Request <span class=\"id\">").text(id).ours("</span></span>"),
        None => page,
    };
    page.ours("</div>\n</div></main></div>\n</body>\n</html>\n").into_string()
}
