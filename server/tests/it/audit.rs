//! What the audit says of requests: what was denied, by what somebody was known, and where they were.

use axum::{
    body::Body,
    http::{Method, Request, StatusCode, header},
};
use model::{
    Action, Target,
    account::TokenScope,
    action::{Watch, WatchOperation},
};
use serde_json::{Value, json};
use server::client_address;

use crate::site::{self, PASSWORD, Site, request};

testkit::tests!(
    a_scan_for_what_is_out_of_reach_is_seen,
    a_scan_by_what_cannot_be_read_is_seen,
    a_scan_for_what_others_have_for_themselves_is_seen,
    a_token_that_does_not_go_so_far_is_named,
    what_is_not_permitted_is_seen_whatever_the_answer_becomes,
    what_the_form_of_a_page_is_refused_for_is_seen,
    what_another_site_asks_for_and_what_comes_too_often_is_seen,
    every_entry_says_by_what_and_from_where,
);

const HERE: &str = "198.51.100.7";

/// Sends a request from an address.
async fn send(site: &Site, request: axum::http::request::Builder, body: &str) -> axum::http::Response<Body> {
    let mut request: Request<Body> = request.body(body.to_owned().into()).unwrap();
    client_address::arrived(&mut request, format!("{HERE}:4711").parse().unwrap());
    site.send(request).await
}

/// Signs the coach in from there, and gives the cookie.
async fn sign_in(site: &Site) -> String {
    let body = json!({ "username": "coach", "password": PASSWORD }).to_string();
    let sign_in = request(Method::POST, "/api/1/session", None).header(header::CONTENT_TYPE, "application/json");
    let answer = send(site, sign_in, &body).await;
    site::cookie(&site::session_set(answer.headers()))
}

async fn entries(site: &Site, query: &str) -> Vec<Value> {
    let token = site.token("admin").await;
    let page: Value = site.server.get(&format!("/api/1/admin/audit?{query}")).authorization_bearer(token).await.json();
    page["items"].as_array().unwrap().clone()
}

async fn a_scan_for_what_is_out_of_reach_is_seen() {
    let site = Site::new().await;
    let (task, person) = (site.finished_task().await, site.somebody().await);
    let other = site.token("other").await;
    for path in [format!("/api/1/tasks/{task}"), format!("/api/1/people/{person}")] {
        for _ in 0..3 {
            let answer = send(&site, request(Method::GET, &path, Some(&other)), "").await;
            assert_eq!(answer.status(), StatusCode::NOT_FOUND);
        }
    }
    // What is not there is nobody's secret.
    let nothing = format!("/api/1/tasks/{}", uuid::Uuid::nil());
    send(&site, request(Method::GET, &nothing, Some(&other)), "").await;
    let found = entries(&site, "action=request.hidden").await;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["times"], &found[0]["source"]), (&json!(6), &json!(HERE)));
    assert_eq!(found[0]["detail"]["first"], "GET /api/1/tasks/{id}");
    assert!(found[0]["credential"].as_str().unwrap().starts_with("token:"), "{found:?}");
    assert_eq!(found[0]["actorName"], "Test other");
}

/// A scan needs no body, and one that cannot be read hides nobody.
async fn a_scan_by_what_cannot_be_read_is_seen() {
    let site = Site::new().await;
    let (task, person) = (site.finished_task().await, site.somebody().await);
    let other = site.token("other").await;
    let bounce = format!("people/{person}/bounce");
    for verb in ["reschedule", "send-now", "abandon", "undo", "resend", "retry", bounce.as_str()] {
        for body in ["", "{"] {
            let path = format!("/api/1/tasks/{task}/{verb}");
            let asked = request(Method::POST, &path, Some(&other)).header(header::CONTENT_TYPE, "application/json");
            assert_eq!(send(&site, asked, body).await.status(), StatusCode::NOT_FOUND, "{verb} {body}");
        }
    }
    let found = entries(&site, "action=request.hidden").await;
    assert_eq!((found.len(), &found[0]["times"]), (1, &json!(14)), "{found:?}");
    let erase = request(Method::POST, &format!("/api/1/people/{person}/erase"), Some(&other));
    let erase = erase.header(header::CONTENT_TYPE, "application/json");
    assert_eq!(send(&site, erase, "{").await.status(), StatusCode::FORBIDDEN);
    assert_eq!(entries(&site, "action=request.denied").await.len(), 1);
}

/// What is one's own answers others as if it were not there; a scan for it is a scan all the same.
async fn a_scan_for_what_others_have_for_themselves_is_seen() {
    let site = Site::new().await;
    let manager = site.caseload.tokens().actor_of(&site.token("manager").await, TokenScope::Submit, None).await;
    let manager = manager.unwrap().unwrap();
    let watch = Action::Watch(Watch { operation: WatchOperation::Watch });
    let preview = site.caseload.actions().preview(&manager, watch, Target::Everyone).await.unwrap().preview_token;
    let coach = site.token("coach").await;
    let body = json!({ "operation": "WATCH", "previewToken": preview }).to_string();
    let submit = request(Method::POST, "/api/1/people/watch", Some(&coach));
    let submit = submit.header(header::CONTENT_TYPE, "application/json");
    assert_eq!(send(&site, submit, &body).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let found = entries(&site, "action=request.hidden").await;
    assert_eq!((found.len(), &found[0]["times"], &found[0]["actorName"]), (1, &json!(1), &json!("Test coach")));
}

async fn a_token_that_does_not_go_so_far_is_named() {
    let site = Site::new().await;
    let token = site.token_for("coach", TokenScope::Read).await;
    let submit = request(Method::POST, "/api/1/people/watch", Some(&token));
    let submit = submit.header(header::CONTENT_TYPE, "application/json");
    assert_eq!(send(&site, submit, "{}").await.status(), StatusCode::FORBIDDEN);
    let found = entries(&site, "action=request.denied").await;
    assert_eq!((found.len(), &found[0]["actorName"]), (1, &json!("Test coach")), "{found:?}");
    assert!(found[0]["credential"].as_str().unwrap().starts_with("token:"), "{found:?}");
    // What is taken and what is one's own are told apart.
    let other = site.token_for("coach", TokenScope::Read).await;
    let submit = request(Method::POST, "/api/1/people/watch", Some(&other));
    let submit = submit.header(header::CONTENT_TYPE, "application/json");
    assert_eq!(send(&site, submit, "{}").await.status(), StatusCode::FORBIDDEN);
    assert_eq!(entries(&site, "action=request.denied").await.len(), 2);
}

async fn what_is_not_permitted_is_seen_whatever_the_answer_becomes() {
    let site = Site::new().await;
    let cookie = sign_in(&site).await;
    let asked = |method, path| request(method, path, None).header(header::COOKIE, cookie.as_str());
    send(&site, asked(Method::GET, "/api/1/admin/queue"), "").await;
    // A plain form is answered otherwise than a program, and a page by a page.
    let form = asked(Method::POST, "/api/page/admin/kinds/pause")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(header::ACCEPT, "text/html");
    assert_eq!(send(&site, form, "kind=export&reason=why").await.status(), StatusCode::FORBIDDEN);
    let page = asked(Method::GET, "/admin/audit").header(header::ACCEPT, "text/html");
    assert_eq!(send(&site, page, "").await.status(), StatusCode::FORBIDDEN);
    let found = entries(&site, &format!("action=request.denied&source={HERE}")).await;
    assert_eq!((found.len(), &found[0]["times"]), (1, &json!(3)), "{found:?}");
}

/// Such a form is answered by the way back to its page, whatever it was refused for.
async fn what_the_form_of_a_page_is_refused_for_is_seen() {
    let site = Site::with("limits.saved_views = 1").await;
    let cookie = sign_in(&site).await;
    let person = site.somebody().await;
    for (path, form) in [
        ("erase-person", format!("id={person}&reason=x")),
        ("save-view", "name=Mine&query=q%3Dann".to_owned()),
        ("save-view", "name=Another&query=q%3Dbob".to_owned()),
    ] {
        let asked = request(Method::POST, &format!("/api/page/{path}"), None)
            .header(header::COOKIE, cookie.as_str())
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::ACCEPT, "text/html")
            .header(header::REFERER, "http://127.0.0.1:3000/people");
        let answer = send(&site, asked, &form).await;
        assert!(answer.status().is_redirection(), "{path}: {}", answer.status());
    }
    for action in ["request.denied", "request.throttled"] {
        let found = entries(&site, &format!("action={action}&source={HERE}")).await;
        assert_eq!((found.len(), &found[0]["times"]), (1, &json!(1)), "{action}: {found:?}");
    }
}

async fn what_another_site_asks_for_and_what_comes_too_often_is_seen() {
    let site = Site::new().await;
    let forged = request(Method::POST, "/api/1/session", None).header(header::ORIGIN, "https://evil.example");
    assert_eq!(send(&site, forged, "{}").await.status(), StatusCode::FORBIDDEN);
    let body = json!({ "username": "coach", "password": "wrong" }).to_string();
    for _ in 0..12 {
        let guess = request(Method::POST, "/api/1/session", None).header(header::CONTENT_TYPE, "application/json");
        send(&site, guess, &body).await;
    }
    let found = entries(&site, "action=request.cross-site").await;
    assert_eq!((found.len(), &found[0]["source"]), (1, &json!(HERE)), "{found:?}");
    let found = entries(&site, "action=request.throttled").await;
    assert_eq!((found.len(), &found[0]["times"]), (1, &json!(2)), "{found:?}");
    assert_eq!(entries(&site, "action=session.refused").await.len(), 10);
}

async fn every_entry_says_by_what_and_from_where() {
    let site = Site::new().await;
    let cookie = sign_in(&site).await;
    let with_session = |method, path: &str| request(method, path, None).header(header::COOKIE, cookie.as_str());
    let body = json!({ "target": { "everyone": true }, "format": "CSV" }).to_string();
    let submit = with_session(Method::POST, "/api/1/people/export").header(header::CONTENT_TYPE, "application/json");
    assert_eq!(send(&site, submit, &body).await.status(), StatusCode::ACCEPTED);
    site.work().await;
    let task = site.finished_task().await;
    let ledger = with_session(Method::GET, &format!("/tasks/{task}/people.csv"));
    assert_eq!(send(&site, ledger, "").await.status(), StatusCode::OK);
    let by_program = with_session(Method::GET, &format!("/api/1/tasks/{task}/people"));
    let by_program = send(&site, by_program.header(header::ACCEPT, "text/csv"), "").await;
    assert_eq!(by_program.headers()[header::CONTENT_TYPE], "text/csv; charset=utf-8");
    assert_eq!(send(&site, with_session(Method::DELETE, "/api/1/session"), "").await.status(), StatusCode::NO_CONTENT);

    let told = async |action: &str| {
        let found = entries(&site, &format!("action={action}")).await;
        let last = found.first().unwrap_or_else(|| panic!("no entry of {action}")).clone();
        let credential = last["credential"].as_str().unwrap().split(':').next().unwrap().to_owned();
        (credential, last["source"].as_str().map(str::to_owned))
    };
    let here = || Some(HERE.to_owned());
    assert_eq!(told("session.begin").await, ("password".to_owned(), here()));
    assert_eq!(told("ledger.download").await, ("session".to_owned(), here()));
    assert_eq!(told("session.end").await, ("session".to_owned(), here()));
    assert_eq!(told("export.disclose").await, ("task".to_owned(), None));
    assert_eq!(told("account.add").await, ("command".to_owned(), None));
    assert!(entries(&site, "action=account.add").await[0]["detail"]["schoolId"].is_string(), "whose account it is");
    // All of one session are found together, and lead nobody to its cookie.
    let session = entries(&site, "action=session.end").await[0]["credential"].as_str().unwrap().to_owned();
    let all = entries(&site, &format!("credential={session}")).await;
    let actions: Vec<_> = all.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert_eq!(actions, ["session.end", "ledger.download", "ledger.download", "task.submit", "session.begin"]);
    assert!(!cookie.contains(session.trim_start_matches("session:")), "{session}");
}
