//! Where a request came from, in the eyes of the sign-in and of the audit, with a proxy in between and without.

use axum::{
    body::Body,
    http::{Method, Request, StatusCode, header},
    response::Response,
};
use serde_json::json;
use server::client_address;

use crate::site::{PASSWORD, Site, request};

testkit::tests!(
    ten_wrong_passwords_of_one_visitor_behind_the_proxy_lock_nobody_else_out,
    nobody_chooses_the_address_that_they_are_counted_by,
    the_audit_names_the_visitor_and_not_the_proxy,
    a_browser_that_came_in_clear_is_not_told_to_stay_with_tls,
    a_browser_that_has_signed_in_is_not_kept_out_by_a_colleague_at_the_same_address,
);

const PROXY: &str = "10.0.0.2";

async fn behind_a_proxy() -> Site {
    Site::with("http = { trusted_proxies = ['10.0.0.0/8'] }").await
}

/// A sign-in over a connection from `peer`, with what that says of where it came from.
async fn sign_in(site: &Site, peer: &str, forwarded_for: &str, username: &str, password: &str) -> StatusCode {
    let body = json!({ "username": username, "password": password }).to_string();
    answer(site, peer, ("/api/1/session", "application/json", &body), forwarded_for, None).await.status()
}

/// The answer to what is sent to an address, by a browser that may have a cookie.
async fn answer(
    site: &Site,
    peer: &str,
    (address, kind, body): (&str, &str, &str),
    forwarded_for: &str,
    cookie: Option<&str>,
) -> Response {
    let mut request = request(Method::POST, address, None)
        .header(header::CONTENT_TYPE, kind)
        .header("x-forwarded-for", forwarded_for);
    if let Some(cookie) = cookie {
        request = request.header(header::COOKIE, cookie);
    }
    let mut request: Request<Body> = request.body(body.to_owned().into()).unwrap();
    client_address::arrived(&mut request, format!("{peer}:4711").parse().unwrap());
    site.send(request).await
}

/// The cookie by which a browser is known from now on.
fn known(answer: &Response) -> Option<String> {
    let set = answer.headers().get_all(header::SET_COOKIE).iter().map(|set| set.to_str().unwrap());
    let set = set.into_iter().find(|set| set.starts_with("docket-known="))?;
    assert!(set.contains("HttpOnly") && set.contains("Max-Age=31536000"), "{set}");
    set.split(';').next().map(str::to_owned)
}

async fn ten_wrong_passwords_of_one_visitor_behind_the_proxy_lock_nobody_else_out() {
    let site = behind_a_proxy().await;
    for n in 0..10 {
        assert_eq!(sign_in(&site, PROXY, "203.0.113.9", &format!("guess{n}"), "wrong").await, 401);
    }
    assert_eq!(sign_in(&site, PROXY, "203.0.113.9", "guess", "wrong").await, 429);
    assert_eq!(sign_in(&site, PROXY, "198.51.100.7", "manager", PASSWORD).await, 204);
}

async fn nobody_chooses_the_address_that_they_are_counted_by() {
    let site = behind_a_proxy().await;
    for n in 0..10 {
        let invented = format!("192.0.2.{n}, 203.0.113.9");
        assert_eq!(sign_in(&site, PROXY, &invented, &format!("guess{n}"), "wrong").await, 401);
        let invented = format!("192.0.2.{n}");
        assert_eq!(sign_in(&site, "198.51.100.7", &invented, &format!("other{n}"), "wrong").await, 401);
    }
    assert_eq!(sign_in(&site, PROXY, "192.0.2.99, 203.0.113.9", "guess", "wrong").await, 429);
    assert_eq!(sign_in(&site, "198.51.100.7", "192.0.2.99", "other", "wrong").await, 429);
}

async fn the_audit_names_the_visitor_and_not_the_proxy() {
    let site = behind_a_proxy().await;
    sign_in(&site, PROXY, "198.51.100.7", "manager", PASSWORD).await;
    let token = site.token("admin").await;
    let page: serde_json::Value =
        site.server.get("/api/1/admin/audit?action=session.begin").authorization_bearer(token).await.json();
    assert_eq!(page["items"][0]["source"], "198.51.100.7");
}

async fn a_browser_that_came_in_clear_is_not_told_to_stay_with_tls() {
    let site =
        Site::with("http = { trusted_proxies = ['10.0.0.0/8'], public_url = 'https://docket.example.edu' }").await;
    for (proto, told) in [("http", false), ("https", true)] {
        let mut request = request(Method::GET, "/healthz", None);
        request = request.header("x-forwarded-proto", proto);
        let mut request: Request<Body> = request.body(Body::empty()).unwrap();
        client_address::arrived(&mut request, format!("{PROXY}:4711").parse().unwrap());
        assert_eq!(site.send(request).await.headers().contains_key(header::STRICT_TRANSPORT_SECURITY), told, "{proto}");
    }
}

async fn a_browser_that_has_signed_in_is_not_kept_out_by_a_colleague_at_the_same_address() {
    let site = behind_a_proxy().await;
    let office = "203.0.113.9";
    let right = json!({ "username": "manager", "password": PASSWORD }).to_string();
    let by_api = ("/api/1/session", "application/json", right.as_str());
    let right = format!("username=manager&password={}", PASSWORD.replace(' ', "+"));
    let by_form = ("/login", "application/x-www-form-urlencoded", right.as_str());
    let wrong = ("/login", "application/x-www-form-urlencoded", "username=manager&password=wrong");
    assert_eq!(known(&answer(&site, PROXY, wrong, office, None).await), None);
    let (api, form) =
        (answer(&site, PROXY, by_api, office, None).await, answer(&site, PROXY, by_form, office, None).await);
    let browsers = [known(&api).unwrap(), known(&form).unwrap()];
    for _ in 0..10 {
        assert_eq!(sign_in(&site, PROXY, office, "manager", "wrong").await, 401);
    }
    let forged = format!("{}x", browsers[0]);
    for stranger in [None, Some(forged.as_str())] {
        assert_eq!(answer(&site, PROXY, by_api, office, stranger).await.status(), 429);
    }
    for browser in &browsers {
        assert_eq!(answer(&site, PROXY, by_api, office, Some(browser)).await.status(), 204);
        let inside = answer(&site, PROXY, by_form, office, Some(browser)).await;
        assert_eq!(inside.headers()[header::LOCATION], "/people");
    }
}
