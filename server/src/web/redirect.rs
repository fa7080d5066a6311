//! Addresses inside Docket, and the one way to be sent to one. Whatever writes a `Location`, a library included, it leaves
//! as a path of this very server.

use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Redirect, Response},
};
use percent_encoding::percent_decode_str;

/// Where everybody may go.
const START: &str = "/";

/// `address` if it is a path of this very server, else nothing. A browser reads `//host` and `/\host` as another host, and
/// skips tabs and line ends anywhere; a proxy may do so after decoding.
pub fn own(address: &str) -> Option<&str> {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let seen: Vec<u8> = percent_decode_str(path).collect();
    // Also after whoever is between has shortened `/..//host`.
    let here = path.starts_with('/') && !seen.windows(2).any(|two| two == b"//");
    let plain = !seen.iter().any(|byte| byte.is_ascii_control() || *byte == b'\\');
    let printable = address.bytes().all(|byte| byte.is_ascii_graphic());
    (here && plain && printable).then_some(address)
}

/// `path` if it leads to a page where one can go on after signing in, else nothing.
pub fn page(path: &str) -> Option<&str> {
    let sign_in = ["/login", "/logout"].contains(&path.split(['?', '#']).next().unwrap_or_default());
    own(path).filter(|_| !sign_in)
}

/// On to an address of Docket's by a GET (303); to its start, should the address be another's.
#[expect(clippy::disallowed_methods, reason = "the one place")]
pub fn to(address: &str) -> Response {
    Redirect::to(own(address).unwrap_or(START)).into_response()
}

/// On to the address of somebody else, which settings or a provider named there have given.
#[expect(clippy::disallowed_methods, reason = "the one other place")]
pub fn away(address: &url::Url) -> Response {
    let mut response = Redirect::to(address.as_str()).into_response();
    response.extensions_mut().insert(LeadsAway);
    response
}

/// Says that an answer is meant to lead elsewhere.
#[derive(Clone, Copy)]
struct LeadsAway;

/// Where something is that was made, for programs.
pub fn at(address: &str) -> [(HeaderName, HeaderValue); 1] {
    [(header::LOCATION, fit(address))]
}

/// The address that an answer leads to.
pub fn of(response: &Response) -> Option<&str> {
    response.headers().get(header::LOCATION)?.to_str().ok()
}

/// Has an answer lead to another address.
pub fn set(response: &mut Response, address: &str) {
    response.headers_mut().insert(header::LOCATION, fit(address));
}

/// Keeps every answer within Docket. The framework leads a form back to the page that the browser says it came from, which
/// is a whole address: of that the path counts.
pub async fn kept(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if response.headers().contains_key(header::LOCATION) && response.extensions().get::<LeadsAway>().is_none() {
        let address = of(&response).map_or("", without_host).to_owned();
        set(&mut response, &address);
    }
    response
}

fn fit(address: &str) -> HeaderValue {
    let address = own(address).and_then(|address| HeaderValue::from_str(address).ok());
    address.unwrap_or(HeaderValue::from_static(START))
}

/// What follows the host of a whole address.
fn without_host(address: &str) -> &str {
    let rest = ["https://", "http://"].iter().find_map(|scheme| address.strip_prefix(scheme));
    rest.map_or(address, |rest| rest.find('/').map_or(START, |path| &rest[path..]))
}

/// `path` with these pairs as its query.
pub fn with_query(path: &str, pairs: &[(&str, &str)]) -> String {
    let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_leads_to_another_host() {
        let elsewhere = [
            "//evil.example/",
            "///evil.example/",
            "/\\evil.example",
            "/people\\..\\evil",
            "/\t/evil.example",
            "/%09/evil.example",
            "/%2F/evil.example",
            "/..//evil.example",
            "/%2f%5cevil.example",
            "/people%0d%0aSet-Cookie:x=y",
            "/people\r\nSet-Cookie: x=y",
            "\\\\evil.example",
            "https://evil.example",
            "javascript:alert(1)",
            "evil.example",
            "",
        ];
        for address in elsewhere {
            assert_eq!(own(address), None, "{address:?}");
            assert_eq!(of(&to(address)), Some("/"), "{address:?}");
            assert_eq!(fit(address), "/", "{address:?}");
        }
        assert_eq!(of(&to("/login?failed=ended")), Some("/login?failed=ended"));
    }

    #[test]
    fn of_a_whole_address_the_path_counts() {
        assert_eq!(without_host("http://127.0.0.1:3000/people?q=a"), "/people?q=a");
        assert_eq!(without_host("https://docket.example.edu"), "/");
        assert_eq!(without_host("http://evil.example//evil.example"), "//evil.example");
        assert_eq!(without_host("/people"), "/people");
    }

    #[test]
    fn only_pages_of_this_server_are_local() {
        for good in ["/", "/people", "/people?q=a%20b&sort=-name", "/tasks/1#ledger", "/login-help"] {
            assert_eq!(page(good), Some(good));
        }
        let bad = [
            "",
            "people",
            "//evil",
            "/\\evil",
            "/\t/evil",
            "https://evil",
            "javascript:x",
            "/login?next=/",
            "/a b",
            "/é",
        ];
        for bad in bad {
            assert_eq!(page(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_query_is_encoded() {
        assert_eq!(with_query("/login", &[("next", "/people?q=a&b")]), "/login?next=%2Fpeople%3Fq%3Da%26b");
        assert_eq!(with_query("/login", &[]), "/login");
    }
}
