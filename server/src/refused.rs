//! The way back of a form that was refused without scripts: its words travel in the address (`__err`), where anybody could
//! have written them. The redirect that carries them therefore leaves a cookie with their hash, and an address whose words
//! do not fit it is led to the same page without them.

use axum::{
    extract::Request,
    http::{HeaderValue, Uri, header},
    middleware::Next,
    response::{IntoResponse, Redirect, Response},
};
use sha2::{Digest, Sha256};
use url::form_urlencoded;

const COOKIE: &str = "docket-refused";
/// Long enough to put a form right and come back, in seconds.
const KEPT: u32 = 1_800;
/// What the framework adds to an address.
const ADDED: [&str; 2] = ["__err", "__path"];

/// Seals the words of a refusal on their way out, and checks them on their way in.
pub async fn sealed(request: Request, next: Next) -> Response {
    if let Some(words) = words(request.uri().query())
        && !sealed_here(&request, &words)
    {
        return Redirect::to(&without(request.uri())).into_response();
    }
    let mut response = next.run(request).await;
    let location = response.headers().get(header::LOCATION).and_then(|location| location.to_str().ok());
    let words = location.and_then(|location| words(location.split_once('?').map(|(_, query)| query)));
    if let Some(words) = words {
        let cookie = format!("{COOKIE}={}; Path=/; Max-Age={KEPT}; HttpOnly; SameSite=Lax", hash(&words));
        if let Ok(cookie) = HeaderValue::try_from(cookie) {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
    }
    response
}

/// The words of a refusal in a query string; of several, those that a page shows.
fn words(query: Option<&str>) -> Option<String> {
    let last = form_urlencoded::parse(query?.as_bytes()).filter(|(key, _)| key == "__err").last();
    last.map(|(_, words)| words.into_owned())
}

fn sealed_here(request: &Request, words: &str) -> bool {
    let wanted = format!("{COOKIE}={}", hash(words));
    let cookies = request.headers().get_all(header::COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    cookies.flat_map(|cookies| cookies.split(';')).any(|cookie| cookie.trim() == wanted)
}

fn hash(words: &str) -> String {
    Sha256::digest(words.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The same address without the refusal.
fn without(uri: &Uri) -> String {
    let kept = form_urlencoded::parse(uri.query().unwrap_or_default().as_bytes())
        .filter(|(key, _)| !ADDED.contains(&key.as_ref()));
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(kept).finish();
    if query.is_empty() { uri.path().to_owned() } else { format!("{}?{query}", uri.path()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_goes_on_without_the_words_of_others() {
        let uri: Uri = "/people?q=ann&__path=x&__err=abc&sort=-name".parse().unwrap();
        assert_eq!(words(uri.query()).as_deref(), Some("abc"));
        assert_eq!(without(&uri), "/people?q=ann&sort=-name");
        assert_eq!(without(&"/tasks?__err=abc".parse().unwrap()), "/tasks");
    }
}
