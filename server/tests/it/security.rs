//! What a browser is told, and what other sites cannot make it do.

use axum::{
    body::Body,
    http::{Method, StatusCode},
};
use axum_test::TestResponse;
use scraper::{Html, Selector};
use serde_json::json;

use crate::site::{PASSWORD, Site};

testkit::tests!(
    a_page_runs_only_scripts_that_carry_its_nonce,
    every_answer_carries_the_headers_that_close_the_rest,
    over_tls_browsers_are_told_to_stay_with_it,
    a_request_id_is_never_the_clients,
    other_sites_can_make_a_browser_do_nothing,
    our_own_pages_and_programs_without_a_browser_are_served,
    a_link_cannot_put_words_into_dockets_mouth,
    an_address_with_two_slashes_does_not_lead_to_another_host,
    a_form_leads_back_to_docket_whatever_the_browser_says_it_came_from,
    a_subject_that_closes_the_title_stays_text,
    the_length_of_a_page_tells_other_sites_nothing,
);

fn header(answer: &TestResponse, name: &str) -> String {
    answer.maybe_header(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
}

async fn a_page_runs_only_scripts_that_carry_its_nonce() {
    let site = Site::new().await;
    let (one, two) =
        (site.server.get("/login").add_header("accept", "text/html").await, site.server.get("/login").await);
    let policy = header(&one, "content-security-policy");
    let nonce = policy.split("'nonce-").nth(1).unwrap().split('\'').next().unwrap().to_owned();
    assert!(nonce.len() >= 22, "{policy}");
    assert_eq!(
        policy.replace(&nonce, "N"),
        "default-src 'none'; script-src 'nonce-N' 'strict-dynamic' 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    let html = one.text();
    let scripts = html.matches("<script").count() + html.matches("<link rel=\"modulepreload\"").count();
    assert!(scripts > 0);
    assert_eq!(html.matches(&format!("nonce=\"{nonce}\"")).count(), scripts, "every script carries the nonce");
    assert!(!header(&two, "content-security-policy").contains(&nonce), "a nonce is used once");
}

async fn every_answer_carries_the_headers_that_close_the_rest() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    for path in ["/login", "/people", "/api/1/me", "/api/1/nothing", "/healthz", "/pkg/nothing.js"] {
        let answer = site.server.get(path).await;
        assert_eq!(header(&answer, "x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header(&answer, "referrer-policy"), "same-origin", "{path}");
        assert_eq!(header(&answer, "cross-origin-opener-policy"), "same-origin", "{path}");
        assert!(header(&answer, "content-security-policy").contains("default-src 'none'"), "{path}");
        assert!(header(&answer, "permissions-policy").contains("camera=()"), "{path}");
        assert_eq!(header(&answer, "cache-control"), "no-store", "{path}");
        assert!(header(&answer, "x-request-id").len() == 36, "{path}");
        assert_eq!(header(&answer, "strict-transport-security"), "", "{path}");
    }
}

async fn over_tls_browsers_are_told_to_stay_with_it() {
    let site = Site::with("http = { public_url = 'https://docket.example.edu' }").await;
    let answer = site.server.get("/healthz").await;
    assert!(header(&answer, "strict-transport-security").starts_with("max-age=31536000"));
}

async fn a_request_id_is_never_the_clients() {
    let site = Site::new().await;
    let answer = site.server.get("/api/1/me").add_header("x-request-id", "mine").await;
    let id = header(&answer, "x-request-id");
    assert_ne!(id, "mine");
    assert_eq!(answer.json::<serde_json::Value>()["requestId"], id);
}

async fn other_sites_can_make_a_browser_do_nothing() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let foreign: &[&[(&str, &str)]] = &[
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("origin", "https://evil.example")],
        &[("origin", "null")],
    ];
    for path in ["/logout", "/login", "/api/1/people/program-status", "/api/page/select-matching"] {
        for headers in foreign {
            let request = headers.iter().fold(site.server.post(path), |r, (name, value)| r.add_header(*name, *value));
            let answer = request.await;
            assert_eq!(answer.status_code(), 403, "{path} {headers:?}");
            assert_eq!(answer.json::<serde_json::Value>()["code"], "cross_site", "{path}");
        }
    }
    site.server.get("/api/1/me").await.assert_status_ok();
}

async fn our_own_pages_and_programs_without_a_browser_are_served() {
    let site = Site::with("http = { public_url = 'https://docket.example.edu' }").await;
    let ours: &[&[(&str, &str)]] = &[
        &[("sec-fetch-site", "same-origin")],
        &[("sec-fetch-site", "none")],
        &[("origin", "https://docket.example.edu")],
        &[],
    ];
    for headers in ours {
        let request = site.server.post("/api/1/session").json(&json!({ "username": "coach", "password": PASSWORD }));
        let answer = headers.iter().fold(request, |r, (name, value)| r.add_header(*name, *value)).await;
        assert_eq!(answer.status_code(), StatusCode::NO_CONTENT, "{headers:?}");
    }
}

async fn a_link_cannot_put_words_into_dockets_mouth() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let answer = site.server.get("/people?q=ann&__path=x&__err=eyJ0aXRsZSI6IllvdXIgYWNjb3VudCBpcyBsb2NrZWQifQ").await;
    assert_eq!((answer.status_code(), header(&answer, "location").as_str()), (StatusCode::SEE_OTHER, "/people?q=ann"));

    // A form that was refused comes back with its words, and with what makes them believed.
    let form = [("kind", "program-status"), ("sel", ""), ("programStatus", ""), ("reason", "as agreed")];
    let refused = site
        .server
        .post("/api/page/submit-action")
        .form(&form)
        .add_header("accept", "text/html")
        .add_header("referer", "http://127.0.0.1:3000/actions/new/program-status?sel=x")
        .await;
    let back = header(&refused, "location");
    let path = back.split_once("3000").map_or(back.as_str(), |(_, path)| path).to_owned();
    assert!(path.contains("__err="), "{path}");
    assert_ne!(site.server.get(&path).await.status_code(), StatusCode::SEE_OTHER);
}

async fn an_address_with_two_slashes_does_not_lead_to_another_host() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let sent = [
        "//evil.example/?__err=1",
        "/%09/evil.example/?__err=1",
        "/%5cevil.example/?__err=1",
        "/%2f/evil.example?__err=1",
    ];
    for path in sent {
        let request = crate::site::request(Method::GET, path, None).header("accept", "text/html");
        let answer = site.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.headers()["location"], "/", "{path}");
    }
}

async fn a_form_leads_back_to_docket_whatever_the_browser_says_it_came_from() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let came_from = [
        ("http://evil.example/people?q=ann", "/people?q=ann"),
        ("https://evil.example//evil.example/", "/"),
        ("http://evil.example", "/"),
        ("//evil.example/", "/"),
        ("/\\evil.example/", "/"),
        ("javascript:alert(1)", "/"),
    ];
    for (referrer, expected) in came_from {
        let request = site.server.post("/api/page/forget-view").form(&[("id", "x")]);
        let answer = request.add_header("accept", "text/html").add_header("referer", referrer).await;
        let location = header(&answer, "location");
        let path = location.split("__path").next().unwrap_or_default().trim_end_matches(['?', '&']);
        assert_eq!(path, expected, "{referrer}: {location}");
    }
}

async fn a_subject_that_closes_the_title_stays_text() {
    let site = Site::with("queue.self_test = true").await;
    let hostile = "</title><form data-draft action=/admin/users/x/change method=post><input name=role></form>";
    let body = json!({ "subject": hostile, "body": "y", "toPrimary": true, "toSecondary": false, "confirmTotal": 12 });
    let task = site.finished("email", body).await;
    for (who, path) in [("coach", format!("/tasks/{task}")), ("admin", format!("/admin/tasks/{task}"))] {
        site.sign_in(who).await;
        let html = site.server.get(&path).add_header("accept", "text/html").await.text();
        let page = Html::parse_document(&html);
        assert!(page.select(&Selector::parse("[data-draft], [action*=users]").unwrap()).next().is_none(), "{path}");
        let title: String = page.select(&Selector::parse("title").unwrap()).flat_map(|title| title.text()).collect();
        assert!(title.contains(hostile), "{path}: {title}");
    }
}

/// Whoever can have a browser ask for a page, and can see how long what it gets is, could guess at what stands there: a guess that is
/// right makes a compressed page shorter.
async fn the_length_of_a_page_tells_other_sites_nothing() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let encoding = async |path: &str, by: Option<&str>| {
        let asked = site.server.get(path).add_header("accept", "text/html").add_header("accept-encoding", "br");
        let answer = match by {
            Some(by) => asked.add_header("sec-fetch-site", by).await,
            None => asked.await,
        };
        header(&answer, "content-encoding")
    };
    for path in ["/people", "/people?q=secret", "/tasks", "/settings", "/nowhere", "/login", "/api/1/people"] {
        for elsewhere in ["cross-site", "same-site", "nobody-knows", ""] {
            assert_eq!(
                encoding(path, Some(elsewhere)).await,
                "",
                "{path} as a page elsewhere ({elsewhere}) has it asked for"
            );
        }
        for here in ["same-origin", "none"] {
            assert_eq!(
                encoding(path, Some(here)).await,
                "br",
                "{path} as Docket or the address bar asks for it ({here})"
            );
        }
    }
    assert_eq!(encoding("/people", None).await, "", "a browser that does not tell");
    assert_eq!(encoding("/api/1/people", None).await, "br", "a program");
}
