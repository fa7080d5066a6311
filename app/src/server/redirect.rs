//! Where an answer leads. Addresses hold what callers sent, so they are made fit for a header here; that they stay within
//! Docket is seen to for all answers by the server (`server/src/web/redirect.rs`).

use axum::http::{HeaderMap, StatusCode, header, request::Parts};
use leptos::prelude::*;
use leptos_axum::ResponseOptions;

use crate::url;

/// Leads to `address` once this server function is over: a plain form is redirected, a script is told.
#[expect(clippy::disallowed_methods, reason = "the one place")]
pub fn lead_to(address: &str) {
    leptos_axum::redirect(&printable(address));
}

/// Leads a plain form to `address`. Calls from scripts are left alone: their page goes on by itself.
pub fn send_form_to(address: &str) {
    if is_form() {
        lead_to(address);
    }
}

/// Whether it is a plain form that is answered.
pub fn is_form() -> bool {
    use_context::<Parts>().is_some_and(|parts| wants_page(&parts.headers))
}

/// Leads a page that nobody may see yet to the sign-in page.
pub fn to_login(parts: &Parts) {
    if matches!(parts.uri.path(), "/login" | "/login/code" | "/setup" | "/forgot" | "/password") {
        return;
    }
    let next = parts.uri.path_and_query().map_or("/", |path| path.as_str());
    lead_to(&url::with("/login", &[("next", next)]));
    if let Some(response) = use_context::<ResponseOptions>() {
        response.set_status(StatusCode::SEE_OTHER);
    }
}

/// Whether it is a browser that asks, which shows what it is answered.
pub fn wants_page(headers: &HeaderMap) -> bool {
    headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).is_some_and(|value| value.contains("text/html"))
}

/// An address as a header can hold it: whatever is not printed in ASCII is encoded.
fn printable(address: &str) -> String {
    let encoded = |byte: u8| match byte.is_ascii_graphic() {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    address.bytes().map(encoded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_break_never_reaches_a_header() {
        assert_eq!(printable("/people?q=a\r\nSet-Cookie: x=é"), "/people?q=a%0D%0ASet-Cookie:%20x=%C3%A9");
    }
}
