//! Docket under a path of its host: what comes in and what leaves, with and without a proxy that takes the path off.

use axum::http::{Method, Request, header};

use crate::site::{self, PASSWORD, Site, request};

testkit::tests!(
    a_form_that_was_refused_comes_back_to_its_page_under_the_path,
    the_cookie_is_sent_to_docket_and_to_nothing_else_of_its_host,
    what_only_looks_like_the_path_is_another_address,
    a_path_of_dockets_own_is_refused_at_the_start,
    a_page_under_the_path_is_readable_for_whoever_takes_compressed_answers,
);

const SETTINGS: &str = "http.public_url = 'https://college.example/apps/docket'";

async fn a_form_that_was_refused_comes_back_to_its_page_under_the_path() {
    let site = Site::with(SETTINGS).await;
    site.sign_in("coach").await;
    let signed_in = site.server.post("/api/1/session").json(&credentials()).await;
    let session = site::cookie(&site::session_set(signed_in.headers()));
    let form = [("kind", "program-status"), ("sel", ""), ("programStatus", ""), ("reason", "as agreed")];
    for prefix in ["/apps/docket", ""] {
        let answer = site
            .server
            .post(&format!("{prefix}/api/page/submit-action"))
            .form(&form)
            .add_header(header::COOKIE, session.as_str())
            .add_header("accept", "text/html")
            .add_header("referer", "https://college.example/apps/docket/actions/new/program-status?sel=x")
            .await;
        let back = answer.header(header::LOCATION).to_str().unwrap().to_owned();
        let path = back.strip_prefix("https://college.example").unwrap_or(&back);
        assert!(path.starts_with("/apps/docket/actions/new/program-status?"), "{back}");
    }
}

async fn the_cookie_is_sent_to_docket_and_to_nothing_else_of_its_host() {
    let site = Site::with(SETTINGS).await;
    let answer = site.server.post("/apps/docket/api/1/session").json(&credentials()).await;
    let cookie = site::session_set(answer.headers());
    assert!(cookie.starts_with("__Secure-docket=") && cookie.contains("Path=/apps/docket"), "{cookie}");
}

async fn what_only_looks_like_the_path_is_another_address() {
    let site = Site::with(SETTINGS).await;
    for (path, status) in [("/apps/docket/healthz", 200), ("/healthz", 200), ("/apps/docketeer/healthz", 401)] {
        let request: Request<axum::body::Body> = request(Method::GET, path, None).body("".into()).unwrap();
        assert_eq!(site.send(request).await.status(), status, "{path}");
    }
}

async fn a_path_of_dockets_own_is_refused_at_the_start() {
    let mut state = Site::new().await.state;
    state.http.public_url = "https://college.example/people/".parse().unwrap();
    let refused = server::router::router(state).unwrap_err().to_string();
    assert_eq!(refused, "Docket has pages of its own at /people: choose another path");
}

/// The path is put before the addresses on a page, which have to be read for that.
async fn a_page_under_the_path_is_readable_for_whoever_takes_compressed_answers() {
    let site = Site::with(SETTINGS).await;
    let browser = [("accept", "text/html"), ("accept-encoding", "gzip"), ("sec-fetch-site", "none")];
    let asked = site.server.get("/apps/docket/login");
    let answer = browser.iter().fold(asked, |asked, (name, value)| asked.add_header(*name, *value)).await;
    assert_eq!(answer.status_code(), 200);
    let page = site::decompressed(answer.headers(), answer.as_bytes());
    assert!(page.contains(r#"action="/apps/docket/login"#), "{page}");
}

fn credentials() -> serde_json::Value {
    serde_json::json!({ "username": "coach", "password": PASSWORD })
}
