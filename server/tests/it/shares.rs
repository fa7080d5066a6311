//! What one account may have of a running server: requests, and live pages.

use axum::{
    body::Body,
    http::{Method, StatusCode},
};
use futures::future::join_all;
use serde_json::Value;
use testkit::On;

use crate::site::{Site, request};

testkit::on_both!(
    whoever_asks_faster_than_their_share_is_told_when_to_come_back,
    the_ninth_live_page_is_refused_until_one_is_closed,
    answers_that_nobody_takes_are_no_more_than_an_account_may_have,
    what_somebody_may_not_send_is_not_even_read,
);

async fn whoever_asks_faster_than_their_share_is_told_when_to_come_back(on: On) {
    let site = Site::on(on, "[limits]\nrequests_per_second = 1\nrequest_burst = 3").await;
    let (mine, other) = (site.token("coach").await, site.token("manager").await);
    let ask = |token: &str| site.send(request(Method::GET, "/api/1/me", Some(token)).body(Body::empty()).unwrap());
    let first = ask(&mine).await;
    let told = ["ratelimit-policy", "ratelimit"].map(|name| first.headers()[name].to_str().unwrap().to_owned());
    assert_eq!(told, ["\"account\";q=3;w=3", "\"account\";r=2;t=1"]);
    let answers = join_all((0..40).map(|_| ask(&mine))).await;
    let (taken, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status() == StatusCode::OK);
    assert!(!taken.is_empty() && !refused.is_empty(), "{} and {}", taken.len(), refused.len());
    let refusals = refused.len();
    for answer in refused {
        assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(answer.headers()["retry-after"], "1");
        assert!(answer.headers()["ratelimit"].to_str().unwrap().starts_with("\"account\";r=0;t="));
        assert_eq!(answer.headers()["content-type"], "application/problem+json");
        let body = axum::body::to_bytes(answer.into_body(), 10_000).await.unwrap();
        let problem: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(problem["limit"], "limits.requests_per_second");
        assert_eq!(problem["status"], 429);
    }
    assert_eq!(ask(&other).await.status(), StatusCode::OK, "a share is an account's own");
    let admin = site.token("admin").await;
    let entries: Value =
        site.server.get("/api/1/admin/audit?action=request.throttled").authorization_bearer(admin).await.json();
    // One entry for each minute that had some.
    let entries = entries["items"].as_array().unwrap();
    assert!(entries.len() <= 2 && entries.iter().all(|entry| entry["actorName"] == "Test coach"), "{entries:?}");
    let times: u64 = entries.iter().map(|entry| entry["times"].as_u64().unwrap()).sum();
    assert_eq!(times, refusals as u64, "{entries:?}");
}

async fn the_ninth_live_page_is_refused_until_one_is_closed(on: On) {
    let site = Site::on(on, "").await;
    let (mine, other) = (site.token("coach").await, site.token("manager").await);
    let open =
        |token: &str| site.send(request(Method::GET, "/events?topics=tasks", Some(token)).body(Body::empty()).unwrap());
    let mut pages = Vec::new();
    for _ in 0..8 {
        pages.push(open(&mine).await);
    }
    assert!(pages.iter().all(|page| page.status() == StatusCode::OK));
    let refused = open(&mine).await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    let body = axum::body::to_bytes(refused.into_body(), 10_000).await.unwrap();
    let problem: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(problem["limit"], "limits.event_streams");
    assert!(problem["detail"].as_str().unwrap().contains("Close some and reload"), "{problem}");
    assert_eq!(open(&other).await.status(), StatusCode::OK);
    pages.pop();
    assert_eq!(open(&mine).await.status(), StatusCode::OK);
}

async fn answers_that_nobody_takes_are_no_more_than_an_account_may_have(on: On) {
    let site = Site::on(on, "[limits]\nrequests_at_once = 3").await;
    let (mine, other) = (site.token("coach").await, site.token("manager").await);
    let ask =
        |token: &str| site.send(request(Method::GET, "/people?limit=200", Some(token)).body(Body::empty()).unwrap());
    let mut untaken = Vec::new();
    for _ in 0..3 {
        untaken.push(ask(&mine).await);
    }
    assert!(untaken.iter().all(|answer| answer.status() == StatusCode::OK));
    let refused = ask(&mine).await;
    assert_eq!(
        (refused.status(), &refused.headers()["retry-after"]),
        (StatusCode::TOO_MANY_REQUESTS, &"1".parse().unwrap())
    );
    assert_eq!(ask(&other).await.status(), StatusCode::OK, "others have places of their own");
    site.sign_in("coach").await;
    let settings = site.server.get("/settings").await;
    assert_eq!(settings.status_code(), StatusCode::OK, "whoever has lost a token can still revoke it");
    let taken = untaken.pop().unwrap().into_body();
    axum::body::to_bytes(taken, usize::MAX).await.unwrap();
    let next = ask(&mine).await;
    assert_eq!(next.status(), StatusCode::OK, "one was taken");
    untaken.clear();
    assert_eq!(ask(&mine).await.status(), StatusCode::OK, "whose reader has gone makes room");
    let programs = request(Method::GET, "/api/1/people?limit=200", Some(&mine)).body(Body::empty()).unwrap();
    let length = site.send(programs).await.headers().contains_key("content-length");
    drop(next);
    assert!(length, "how long an answer is stands in it, though it is counted");
}

async fn what_somebody_may_not_send_is_not_even_read(on: On) {
    let site = Site::on(on, "").await;
    let send = async |username: &str, path: &str, body: String| {
        let token = site.token(username).await;
        let post = request(Method::POST, path, Some(token.as_str())).header("content-type", "application/json");
        site.send(post.body(Body::from(body)).unwrap()).await.status().as_u16()
    };
    // No coach gives people to another one.
    for path in ["/api/1/people/reassign-coach", "/api/1/people/reassign-list/preview"] {
        assert_eq!(send("coach", path, "{ not JSON".to_owned()).await, 403, "{path}");
        assert_eq!(send("manager", path, "{ not JSON".to_owned()).await, 400, "{path}");
    }
    let lock = "/api/1/admin/locks/x/release";
    assert_eq!(send("manager", lock, "{ not JSON".to_owned()).await, 403);
    assert_eq!(send("admin", lock, "{ not JSON".to_owned()).await, 400);
    // A reason needs less room than a list of people.
    let long = format!("{{ \"reason\": \"{}\" }}", "x".repeat(100_000));
    assert_eq!(send("admin", lock, long).await, 413);

    let form = async |token: Option<&str>, path: &str| {
        let post = request(Method::POST, path, token).header("content-type", "application/x-www-form-urlencoded");
        let long = format!("username={}&name=x&role=coach&password=x&token=x", "x".repeat(100_000));
        site.send(post.body(Body::from(long)).unwrap()).await.status().as_u16()
    };
    let (manager, admin) = (site.token("manager").await, site.token("admin").await);
    let retry = "/api/page/admin/tasks/retry";
    assert_eq!([form(Some(&manager), retry).await, form(Some(&admin), retry).await], [403, 413]);
    // Not by a token, whosever it is.
    assert_eq!(form(Some(&admin), "/admin/users/add").await, 403);
    assert_eq!([form(None, "/login").await, form(None, "/setup").await], [413, 413]);
}
