//! The way back of a form that was refused without scripts: its words travel in the address (`__err`), where anybody could
//! have written them. The redirect that carries them therefore leaves a cookie with their hash, which only this server can sign,
//! and an address whose words do not fit it is led to the same page without them. Scripts take them out of the address once they
//! are shown (`frontend/page.js`); without them they are said again to this browser alone, and for half an hour.

use std::collections::HashSet;

use app::refusal::Refusal;
use axum::{
    extract::{Request, State},
    http::{Uri, header},
    middleware::Next,
    response::Response,
};
use leptos::server_fn::error::ServerFnUrlError;
use model::Problem;
use sha2::{Digest, Sha256};
use url::form_urlencoded;

use crate::{state::AppState, web::cookies::NamedCookie, web::redirect};

const COOKIE: &str = "docket-refused";
/// Long enough to put a form right and come back, in seconds.
const KEPT: i64 = 1_800;
/// What the framework adds to an address.
const ADDED: [&str; 2] = ["__err", "__path"];
/// The longest address that a form is led back to, in bytes: what proxies pass on as they come.
const LONGEST: usize = 4_000;
/// How what was typed is named among what a refusal says.
const TYPED: &str = "given.";

/// Seals the words of a refusal on their way out, and checks them on their way in.
pub async fn sealed(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let seal = NamedCookie { name: COOKIE, key: &state.key, http: &state.http };
    if let Some(words) = words(request.uri().query())
        && seal.signed(request.headers()) != Some(hash(&words))
    {
        return redirect::to(&without(request.uri()));
    }
    let mut response = next.run(request).await;
    if let Some(fitting) = redirect::of(&response).and_then(fitting) {
        redirect::set(&mut response, &fitting);
    }
    let words = redirect::of(&response).and_then(|location| words(location.split_once('?').map(|(_, query)| query)));
    if let Some(cookie) = words.and_then(|words| seal.sign(hash(&words), KEPT)) {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// The way back in so few bytes that it is passed on, if it has too many: without what was typed, the longest first, whether it
/// comes back with the refusal or stood in the address of the form. Whoever goes back in their browser has that still.
fn fitting(address: &str) -> Option<String> {
    let (path, query) = address.split_once('?').filter(|_| address.len() > LONGEST)?;
    let mut refusal = app::url::refusal(query)?;
    let mut words = encoded(&refusal)?;
    let kept: Vec<_> = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key != ADDED[0]).collect();
    // Anybody may have put very many there, so that each is looked at once.
    let mut lengths: Vec<(usize, usize)> = kept.iter().map(|(key, value)| length(key, value)).zip(0..).collect();
    lengths.sort_unstable();
    let mut all: usize = lengths.iter().map(|(length, _)| length).sum();
    let is_long = |words: &str, all| path.len() + length(ADDED[0], words) + all > LONGEST;
    while is_long(&words, all)
        && let Some(name) = longest_typed(&refusal.0)
    {
        refusal.0.more.remove(&name);
        words = encoded(&refusal)?;
    }
    let mut left_out = HashSet::new();
    while is_long(&words, all)
        && let Some((length, place)) = lengths.pop()
    {
        all -= length;
        left_out.insert(place);
    }
    if is_long(&words, all) {
        return Some(path.to_owned());
    }
    let kept = kept.iter().zip(0..).filter(|(_, place)| !left_out.contains(place)).map(|(pair, _)| pair);
    let mut query = form_urlencoded::Serializer::new(String::new());
    Some(format!("{path}?{}", query.extend_pairs(kept).append_pair(ADDED[0], &words).finish()))
}

/// The words of a refusal as they stand in an address.
fn encoded(refusal: &Refusal) -> Option<String> {
    let address = ServerFnUrlError::new("", refusal.clone()).to_url("http://docket/").ok()?;
    address.query_pairs().find(|(key, _)| key == ADDED[0]).map(|(_, words)| words.into_owned())
}

/// How many bytes a pair takes in an address, with its two signs.
fn length(key: &str, value: &str) -> usize {
    let of = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).map(str::len).sum::<usize>();
    of(key) + of(value) + 2
}

fn longest_typed(problem: &Problem) -> Option<String> {
    let typed = problem.more.iter().filter(|(name, _)| name.starts_with(TYPED));
    typed.max_by_key(|(_, value)| value.as_str().map_or(0, str::len)).map(|(name, _)| name.clone())
}

/// The words of a refusal in a query string; of several, those that a page shows.
fn words(query: Option<&str>) -> Option<String> {
    let last = form_urlencoded::parse(query?.as_bytes()).filter(|(key, _)| key == "__err").last();
    last.map(|(_, words)| words.into_owned())
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
    fn a_long_text_that_was_refused_does_not_end_at_an_address_that_nobody_passes_on() {
        let (mapping, reason) = ("x = 1\n".repeat(4_000), "before the term");
        let refusal = Refusal(Problem::field("mapping", "invalid", "Line 7 is none."));
        let refusal = refusal.keeping(&[("mapping", mapping.as_str()), ("reason", reason)]);
        let long = ServerFnUrlError::new("", refusal).to_url("http://docket/admin/import?tab=new").unwrap();
        let long = &long.as_str()["http://docket".len()..];
        let short = fitting(long).unwrap();
        assert!(long.len() > 32_000 && short.len() < LONGEST && short.starts_with("/admin/import?tab=new&"), "{short}");
        let back = app::url::refusal(short.split_once('?').unwrap().1).unwrap();
        assert_eq!(back.0.message_for("mapping"), Some("Line 7 is none."));
        assert_eq!((back.given("mapping"), back.given("reason").as_deref()), (None, Some(reason)));
        assert_eq!(fitting(&short), None);
    }

    #[test]
    fn what_stood_in_the_address_of_the_form_goes_before_the_words_of_the_refusal() {
        let refusal = Refusal(Problem::field("confirm", "invalid", "Type 12 to confirm."));
        let (comment, sel) = ("ж".repeat(900), "x".repeat(36));
        let page = form_urlencoded::Serializer::new("http://docket/actions/new/watch?".to_owned())
            .append_pair("sel", &sel)
            .append_pair("comment", &comment)
            .finish();
        let long = ServerFnUrlError::new("", refusal).to_url(&page).unwrap();
        let short = fitting(&long.as_str()["http://docket".len()..]).unwrap();
        assert!(short.starts_with(&format!("/actions/new/watch?sel={sel}&")) && !short.contains("comment"), "{short}");
        let back = app::url::refusal(short.split_once('?').unwrap().1).unwrap();
        assert_eq!(back.0.message_for("confirm"), Some("Type 12 to confirm."));
    }

    #[test]
    fn very_many_pairs_in_an_address_are_cut_to_those_that_fit() {
        let page = format!("http://docket/people?sel=7&{}", "a&".repeat(8_000));
        let long = ServerFnUrlError::new("", Refusal(Problem::field("id", "invalid", "No."))).to_url(&page).unwrap();
        let short = fitting(&long.as_str()["http://docket".len()..]).unwrap();
        assert!((LONGEST - 10..=LONGEST).contains(&short.len()), "{}", short.len());
        assert!(app::url::refusal(short.split_once('?').unwrap().1).is_some());
    }

    #[test]
    fn an_address_goes_on_without_the_words_of_others() {
        let uri: Uri = "/people?q=ann&__path=x&__err=abc&sort=-name".parse().unwrap();
        assert_eq!(words(uri.query()).as_deref(), Some("abc"));
        assert_eq!(without(&uri), "/people?q=ann&sort=-name");
        assert_eq!(without(&"/tasks?__err=abc".parse().unwrap()), "/tasks");
    }
}
