//! The addresses of pages: reading and writing query strings, and following the one of the page itself.

use leptos::{prelude::*, server_fn::error::ServerFnUrlError};
use model::{Cursor, Problem, length::within};

use crate::refusal::Refusal;

/// What is in the address but belongs to no page: the way back of a refused form, and the switch of live updates.
const FOREIGN: [&str; 3] = ["__path", "__err", "live"];

/// Where the page of a list begins, in its address.
pub const AFTER: &str = "after";

/// The longest query string that a server takes as one, in bytes. What says to be one and is longer was made up.
const LONGEST: usize = 16 * 1024;

/// The pairs of a query string, without empty values and without what belongs to no page.
pub fn pairs(search: &str) -> Vec<(String, String)> {
    let search = within::<LONGEST>(search).unwrap_or_default().trim_start_matches('?');
    let pairs: Vec<(String, String)> = serde_urlencoded::from_str(search).unwrap_or_default();
    pairs.into_iter().filter(|(key, value)| !value.is_empty() && !FOREIGN.contains(&key.as_str())).collect()
}

/// The pairs of a query string without empty values, and with what belongs to no page.
pub fn pairs_as_they_are(search: &str) -> Vec<(String, String)> {
    let search = within::<LONGEST>(search).unwrap_or_default().trim_start_matches('?');
    let pairs: Vec<(String, String)> = serde_urlencoded::from_str(search).unwrap_or_default();
    pairs.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}

/// The first value of a key.
pub fn value(search: &str, key: &str) -> Option<String> {
    pairs(search).into_iter().find(|(name, _)| name == key).map(|(_, value)| value)
}

/// Where the page of a list begins that is asked for.
pub fn after(search: &str) -> Result<Option<Cursor>, Problem> {
    value(search, AFTER).map(|text| Cursor::read(&text)).transpose()
}

/// Whether the first page of a list is asked for.
pub fn begins(search: &str) -> bool {
    value(search, AFTER).is_none()
}

/// The query string that leads to the next page of a list.
pub fn following(search: &str, next: &Cursor) -> String {
    set(search, AFTER, Some(next.as_str()))
}

/// The query string that leads to the first page of a list.
pub fn from_first(search: &str) -> String {
    set(search, AFTER, None)
}

/// A path with these pairs as its query; empty values are left out.
pub fn with<K: AsRef<str>, V: AsRef<str>>(path: &str, pairs: &[(K, V)]) -> String {
    let kept: Vec<(&str, &str)> =
        pairs.iter().map(|(k, v)| (k.as_ref(), v.as_ref())).filter(|(_, v)| !v.is_empty()).collect();
    join(path, &serde_urlencoded::to_string(kept).unwrap_or_default())
}

/// A path with a name as its last part: as it is if it needs no encoding, else one that nothing has.
pub fn below(path: &str, name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let name = if !name.is_empty() && name.bytes().all(is_plain) { name } else { "unknown" };
    format!("{path}/{name}")
}

/// A path with a query string.
pub fn join(path: &str, query: &str) -> String {
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

/// The query string with one key set to a value, or without it. Whoever narrows or sorts a list starts at its first page,
/// so `after` goes as well unless it is the key.
pub fn set(search: &str, key: &str, value: Option<&str>) -> String {
    let mut kept = pairs(search);
    kept.retain(|(name, _)| name != key && name != AFTER);
    kept.extend(value.map(|value| (key.to_owned(), value.to_owned())));
    query(&kept)
}

/// These pairs as a query string.
pub fn query<K: AsRef<str>, V: AsRef<str>>(pairs: &[(K, V)]) -> String {
    with("", pairs).trim_start_matches('?').to_owned()
}

/// Why the form that led back here was refused. Without scripts that is how a page hears of it.
pub fn refusal(search: &str) -> Option<Refusal> {
    let all: Vec<(String, String)> = serde_urlencoded::from_str(search.trim_start_matches('?')).ok()?;
    // A form that was refused twice has both in its address.
    let (_, error) = all.into_iter().rfind(|(key, _)| key == "__err")?;
    Some(ServerFnUrlError::<Refusal>::decode_err(&error))
}

/// A page with why its form was refused.
pub fn with_refusal(page: &str, refusal: &Refusal) -> String {
    let address = ServerFnUrlError::new("", refusal.clone()).to_url(&format!("http://docket{page}"));
    address.map_or_else(|_| page.to_owned(), |address| join(address.path(), address.query().unwrap_or_default()))
}

/// The path that Docket is served under, as the document says; nothing at the root, and nothing on the server, whose addresses
/// come without it. Markup needs no thought of it: `frontend/page.js` puts it before the addresses there.
pub fn base() -> String {
    if cfg!(not(target_arch = "wasm32")) {
        return String::new();
    }
    document().document_element().and_then(|root| root.get_attribute("data-base")).unwrap_or_default()
}

/// Tells the script of pages, which is not of the module: `docket:address` writes an address over the one of the page, and
/// `docket:go` leads to another one.
pub fn tell(what: &str, address: &str) {
    let said = web_sys::CustomEventInit::new();
    said.set_detail(&address.into());
    if let Ok(event) = web_sys::CustomEvent::new_with_event_init_dict(what, &said) {
        let _ = window().dispatch_event(&event);
    }
}

/// The query string of the page that the browser shows; nothing on the server.
pub fn shown_search() -> String {
    match cfg!(target_arch = "wasm32") {
        true => window().location().search().unwrap_or_default(),
        false => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_a_key_goes_back_to_the_first_page() {
        assert_eq!(set("?q=ann&after=xyz&sort=-name", "sort", Some("name")), "q=ann&sort=name");
        assert_eq!(set("q=ann&outcome=DONE", "outcome", None), "q=ann");
        assert_eq!(set("q=ann&after=x", "after", Some("y z")), "q=ann&after=y+z");
    }

    #[test]
    fn what_belongs_to_no_page_is_not_read() {
        assert_eq!(pairs("q=&live=off&__err=abc&scope=all"), [("scope".to_owned(), "all".to_owned())]);
        assert_eq!(value("a=1&a=2", "a").as_deref(), Some("1"));
    }

    #[test]
    fn empty_values_leave_no_trace() {
        assert_eq!(with("/people", &[("q", ""), ("scope", "all")]), "/people?scope=all");
        assert_eq!(with("/people", &[("q", "")]), "/people");
    }
}
