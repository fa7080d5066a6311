//! The headers that tell a browser how little of the world Docket needs: the content security policy, what may be kept,
//! what may be told to others.

use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::Response,
};

use crate::{state::AppState, web::client_address::Source};

/// The policy of a page: scripts that carry this answer's nonce and what those load, our own styles, nothing else.
/// `wasm-unsafe-eval` lets the browser compile the bundle.
pub fn page_policy(nonce: &str) -> String {
    format!(
        "default-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic' 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
}

/// The policy of everything that is no page, should a browser ever show it as one.
const BARE_POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const ALWAYS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // `no-referrer` would take the way back from forms that are posted without scripts.
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
];

/// Sets what the handler has not set.
pub async fn secure(State(state): State<AppState>, source: Source, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(BARE_POLICY));
    // Whatever does not say otherwise may be about people.
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    // What came in clear may have been changed on its way, and no browser takes this from there.
    if state.http.over_tls() && !source.in_clear {
        let year = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, year);
    }
    response
}

/// A download under this name, which may be anybody's: whatever could end the name or mean a folder is replaced.
pub fn attachment(name: &str) -> (HeaderName, HeaderValue) {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') { c } else { '_' };
    let value = format!("attachment; filename=\"{}\"", name.chars().map(plain).collect::<String>());
    (header::CONTENT_DISPOSITION, HeaderValue::try_from(value).unwrap_or(HeaderValue::from_static("attachment")))
}

/// Turns the 302 with which server functions answer a posted form into 303, so that no client repeats the post.
pub async fn see_other(request: Request, next: Next) -> Response {
    let unsafe_method = !request.method().is_safe();
    let mut response = next.run(request).await;
    if unsafe_method && response.status() == StatusCode::FOUND {
        *response.status_mut() = StatusCode::SEE_OTHER;
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_download_stays_a_name() {
        assert_eq!(attachment("task-1.csv").1, "attachment; filename=\"task-1.csv\"");
        let hostile = attachment("a\"; filename*=x\r\nSet-Cookie: y\u{202e}/../b.csv").1;
        assert_eq!(hostile, "attachment; filename=\"a___filename__x__Set-Cookie__y__.._b.csv\"");
    }
}
