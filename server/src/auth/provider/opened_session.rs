//! What a session keeps of the provider that opened it: by what the provider may end it, and until when its word holds.

use cookie::{Cookie, CookieJar, Key};
use model::Instant;
use serde::{Deserialize, Serialize};

/// By whom a session was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenedBy {
    pub provider: String,
    pub issuer: String,
    pub subject: String,
    /// What the provider calls this session.
    pub provider_session: Option<String>,
    /// By which its word is asked for again, sealed.
    pub refresh: Option<String>,
    /// Until when its last word holds that they may stay.
    pub vouched_until: Instant,
}

const SEALED: &str = "refresh";

/// A token in a form that only this server can read: whoever reads the table cannot go to the provider with it.
pub fn seal(key: &Key, token: &str) -> Option<String> {
    let mut jar = CookieJar::new();
    jar.private_mut(key).add(Cookie::new(SEALED, token.to_owned()));
    jar.get(SEALED).map(|cookie| cookie.value().to_owned())
}

/// The token.
pub fn open(key: &Key, sealed: &str) -> Option<String> {
    let jar = CookieJar::new();
    jar.private(key).decrypt(Cookie::new(SEALED, sealed.to_owned())).map(|cookie| cookie.value().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_by_whoever_sealed_it_alone() {
        let (key, other) = (Key::generate(), Key::generate());
        let sealed = seal(&key, "r-7").unwrap();
        assert!(!sealed.contains("r-7"));
        assert_eq!((open(&key, &sealed).as_deref(), open(&other, &sealed)), (Some("r-7"), None));
    }
}
