//! `GET /api/1/docs`: the document of this interface, for people. The viewer is a part of the bundle and needs a policy of
//! its own: it writes styles into the page, and no script of it carries a nonce.

#![expect(clippy::disallowed_types, reason = "a page of constants")]

use axum::{
    http::header,
    response::{Html, IntoResponse, Response},
};

/// Only files of this server, and styles that those write.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// What stands in the element is there until the viewer is, and stays where the bundle was built without one.
const PAGE: &str = r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · Docket</title>
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="/pkg/docs/swagger-ui.css">
</head>
<body>
<main id="document"><p>The interface of Docket is described in <a href="/api/1/openapi.json">openapi.json</a>.</p></main>
<script src="/pkg/docs/swagger-ui-bundle.js"></script>
<script src="/pkg/docs/start.js"></script>
</body>
</html>
"#;

/// `GET /api/1/docs`.
pub async fn show() -> Response {
    ([(header::CONTENT_SECURITY_POLICY, POLICY)], Html(PAGE)).into_response()
}
