//! `GET /api/1/problems`: what each refusal means. The `type` of every problem leads to its line here, so it is open to whoever
//! may be refused.

#![expect(clippy::disallowed_types, reason = "a page of constants")]

use std::fmt::Write;

use axum::response::Html;
use model::Code;
use url::Url;

/// Where the meaning of a code stands.
pub fn address(public_url: &Url, code: &str) -> String {
    format!("{}/api/1/problems#{code}", public_url.as_str().trim_end_matches('/'))
}

/// `GET /api/1/problems`. Codes and meanings are of this program alone, so nothing in them has to be escaped.
pub async fn show() -> Html<String> {
    let mut list = String::new();
    for (code, meaning) in Code::all() {
        let name = code.name();
        let _ = write!(list, "<dt id=\"{name}\"><code>{name}</code></dt>\n<dd>{meaning}</dd>\n");
    }
    Html(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Refusals · Docket</title>\n\
         </head>\n<body>\n<main>\n<h1>What a refusal means</h1>\n\
         <p>Each refusal of the interface has one of these as its <code>code</code>.</p>\n<dl>\n{list}</dl>\n</main>\n\
         </body>\n</html>\n"
    ))
}
