//! The time zone of a browser, which `frontend/page.js` leaves in a cookie. It is as much worth as any word of a browser: times on
//! its own pages are written by it, and nothing else.

use axum::http::{HeaderMap, header};
use chrono_tz::Tz;
use cookie::Cookie;

const COOKIE: &str = "docket-zone";

/// Nothing where a browser has not been here, runs no scripts, or names no zone that is known.
pub fn of(headers: &HeaderMap) -> Option<Tz> {
    let sent = headers.get_all(header::COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    let mut cookies = sent.flat_map(Cookie::split_parse).flatten();
    cookies.find(|cookie| cookie.name() == COOKIE)?.value().parse().ok()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn only_a_zone_that_is_known_is_one() {
        let of =
            |cookies: &'static str| of(&HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_static(cookies))]));
        assert_eq!(of("docket=x; docket-zone=Europe/Vienna"), Some(Tz::Europe__Vienna));
        for other in ["docket=x", "docket-zone=", "docket-zone=Mars/Olympus", "docket-zone=<b>", "=; docket-zone"] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
