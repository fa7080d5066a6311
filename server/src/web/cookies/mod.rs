//! Cookies beside the session's: signed, if their words may be known, or sealed, if nobody else may read them. Like the
//! session's they are for this host alone where browsers come over TLS.

pub mod browser_zone;
pub mod one_time;

use axum::http::{HeaderMap, HeaderValue, header};
use cookie::{Cookie, CookieJar, Key, SameSite, time::Duration};

use crate::config::Http;

/// A cookie by its name.
pub struct NamedCookie<'a> {
    pub name: &'static str,
    pub key: &'a Key,
    pub http: &'a Http,
}

impl NamedCookie<'_> {
    /// Has the browser keep these words for so many seconds, with a mark that only this server can make.
    pub fn sign(&self, words: String, seconds: i64) -> Option<HeaderValue> {
        let mut jar = CookieJar::new();
        jar.signed_mut(self.key).add(self.cookie(words, seconds));
        self.header(&jar)
    }

    /// The words that were signed; nothing if anybody else wrote them.
    pub fn signed(&self, headers: &HeaderMap) -> Option<String> {
        let jar = self.sent(headers);
        jar.signed(self.key).get(&self.name()).map(|cookie| cookie.value().to_owned())
    }

    /// Has the browser keep these words for so many seconds, in a form that only this server can read.
    pub fn seal(&self, words: String, seconds: i64) -> Option<HeaderValue> {
        let mut jar = CookieJar::new();
        jar.private_mut(self.key).add(self.cookie(words, seconds));
        self.header(&jar)
    }

    /// The words that were sealed.
    pub fn open(&self, headers: &HeaderMap) -> Option<String> {
        let jar = self.sent(headers);
        jar.private(self.key).get(&self.name()).map(|cookie| cookie.value().to_owned())
    }

    /// Has the browser forget it.
    pub fn gone(&self) -> Option<HeaderValue> {
        HeaderValue::try_from(self.http.cookie(self.name).set("", 0)).ok()
    }

    fn name(&self) -> String {
        self.http.cookie(self.name).name
    }

    fn cookie(&self, words: String, seconds: i64) -> Cookie<'static> {
        let like = self.http.cookie(self.name);
        Cookie::build((like.name, words))
            .path(like.path)
            .http_only(true)
            .secure(like.secure)
            .same_site(SameSite::Lax)
            .max_age(Duration::seconds(seconds))
            .build()
    }

    fn header(&self, jar: &CookieJar) -> Option<HeaderValue> {
        HeaderValue::try_from(jar.get(&self.name())?.to_string()).ok()
    }

    fn sent(&self, headers: &HeaderMap) -> CookieJar {
        let (mut jar, name) = (CookieJar::new(), self.name());
        let sent = headers.get_all(header::COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
        for cookie in sent.flat_map(|cookies| Cookie::split_parse(cookies.to_owned())).flatten() {
            if cookie.name() == name {
                jar.add_original(cookie);
            }
        }
        jar
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn http(settings: &str) -> Http {
        Config::from_text(settings).unwrap().http
    }

    /// What a browser sends back for this header.
    fn sent(set: HeaderValue) -> HeaderMap {
        let pair = set.to_str().unwrap().split(';').next().unwrap().to_owned();
        HeaderMap::from_iter([(header::COOKIE, pair.parse().unwrap())])
    }

    #[test]
    fn words_come_back_if_this_server_wrote_them() {
        let (http, key, other) = (http(""), Key::generate(), Key::generate());
        let beside = |key| NamedCookie { name: "docket-x", key, http: &http };
        let signed = sent(beside(&key).sign("hello".to_owned(), 60).unwrap());
        assert_eq!(beside(&key).signed(&signed).as_deref(), Some("hello"));
        assert_eq!(beside(&other).signed(&signed), None);
        let sealed = beside(&key).seal("secret".to_owned(), 60).unwrap();
        assert!(!sealed.to_str().unwrap().contains("secret"));
        assert_eq!(beside(&key).open(&sent(sealed.clone())).as_deref(), Some("secret"));
        assert_eq!(beside(&other).open(&sent(sealed)), None);
        assert_eq!(beside(&key).signed(&sent("docket-x=hello".parse().unwrap())), None);
    }

    #[test]
    fn over_tls_it_is_bound_to_the_host() {
        let (http, key) = (http("http = { public_url = 'https://docket.example.edu' }"), Key::generate());
        let set = NamedCookie { name: "docket-x", key: &key, http: &http }.sign("hello".to_owned(), 60).unwrap();
        let set = set.to_str().unwrap();
        assert!(set.starts_with("__Host-docket-x="), "{set}");
        for attribute in ["HttpOnly", "SameSite=Lax", "Secure", "Path=/", "Max-Age=60"] {
            assert!(set.contains(attribute), "{set}");
        }
    }
}
