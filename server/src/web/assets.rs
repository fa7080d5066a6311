//! What the browser downloads: the bundle under `/pkg`, inside the binary in release builds and read from the disk in
//! debug builds. Names carry no hash, so browsers ask each time and are told "unchanged" by the tag.

use std::borrow::Cow;

use axum::{
    extract::{Path, RawQuery},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use bytes::Bytes;
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../target/site/pkg"]
#[allow_missing = true]
struct Bundle;

/// The files without which no page works.
pub const NEEDED: &[&str] =
    &["frontend.js", "frontend_bg.wasm", "docket.css", "page.js", "forms.js", "go.js", "passkey.js", "idiomorph.js"];
/// Compressed copies that may lie beside a file, best first.
const CODINGS: &[(&str, &str)] = &[("br", "br"), ("gz", "gzip")];

/// What is missing of the bundle.
pub fn missing() -> Vec<&'static str> {
    NEEDED.iter().copied().filter(|name| Bundle::get(name).is_none()).collect()
}

/// `GET /pkg/{*path}`.
pub async fn serve(Path(path): Path<String>, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let Some(plain) = Bundle::get(&path) else { return StatusCode::NOT_FOUND.into_response() };
    let kind = HeaderValue::try_from(content_type(&path, &plain))
        .unwrap_or(HeaderValue::from_static("application/octet-stream"));
    let accepted = |coding: &str| accepts(&headers, coding);
    let compressed = CODINGS
        .iter()
        .filter(|(_, coding)| accepted(coding))
        .find_map(|(ending, coding)| Some((Bundle::get(&format!("{path}.{ending}"))?, Some(*coding))));
    let (file, coding) = compressed.unwrap_or((plain, None));
    let tag = format!("\"{}\"", URL_SAFE_NO_PAD.encode(&file.metadata.sha256_hash()[..16]));
    let mut answer = HeaderMap::new();
    answer.insert(header::CONTENT_TYPE, kind);
    answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching(query.as_deref())));
    set(&mut answer, header::ETAG, &tag);
    if headers.get_all(header::IF_NONE_MATCH).iter().any(|known| known.to_str().is_ok_and(|known| known.contains(&tag)))
    {
        return (StatusCode::NOT_MODIFIED, answer).into_response();
    }
    if let Some(coding) = coding {
        set(&mut answer, header::CONTENT_ENCODING, coding);
    }
    (answer, bytes(file.data)).into_response()
}

/// A file of the binary as it lies there; only one read from the disk is held in memory.
fn bytes(data: Cow<'static, [u8]>) -> Bytes {
    match data {
        Cow::Borrowed(data) => Bytes::from_static(data),
        Cow::Owned(data) => Bytes::from(data),
    }
}

/// `GET /favicon.ico`, which browsers ask for by themselves.
pub async fn favicon() -> Response {
    let icon = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#2f5bd7"/><path d="M4 5h8M4 8h8M4 11h5" stroke="#fff" stroke-width="1.5"/></svg>"##;
    ([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "public, max-age=86400")], icon).into_response()
}

/// An address with a version in it never gets other content.
fn caching(query: Option<&str>) -> &'static str {
    match query.is_some_and(|query| query.starts_with("v=")) {
        true => "public, max-age=31536000, immutable",
        false => "no-cache",
    }
}

fn content_type(path: &str, file: &EmbeddedFile) -> String {
    let kind = file.metadata.mimetype();
    // Without the character set the browser would guess.
    if path.ends_with(".js") || kind.starts_with("text/") { format!("{kind}; charset=utf-8") } else { kind.to_owned() }
}

/// Whether the client takes this coding. A weight of zero means no; other weights are the server's choice anyway.
fn accepts(headers: &HeaderMap, coding: &str) -> bool {
    headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|offer| {
            let mut parts = offer.split(';').map(str::trim);
            parts.next() == Some(coding)
                && !parts.any(|weight| matches!(weight, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
        })
}

fn set(headers: &mut HeaderMap, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::try_from(value) {
        headers.insert(name, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_the_binary_is_not_copied_for_each_who_asks() {
        static FILE: [u8; 3] = [1, 2, 3];
        assert_eq!(bytes(Cow::Borrowed(&FILE)).as_ptr(), FILE.as_ptr());
    }
}
