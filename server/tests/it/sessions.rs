//! Sessions: what the cookie is like, when a session ends, and that nothing brings it back.

use std::time::Duration;

use axum::http::StatusCode;
use caseload::NewPassword;
use queue::{lock::LockRequest, schedule::Work};
use sea_orm::ConnectionTrait;
use testkit::On;
use tower_sessions::{SessionStore, session::Id};

use crate::site::{self, PASSWORD, Site};

testkit::tests!(
    a_request_in_flight_cannot_bring_a_session_back,
    signing_in_makes_a_new_session_and_ends_the_old_one,
    an_invented_session_id_is_not_adopted,
    a_session_ends_after_the_idle_limit_without_a_request,
    a_session_ends_at_the_absolute_limit_however_busy,
    a_session_is_written_when_it_is_due_and_not_at_every_request,
    a_disabled_account_and_a_new_password_end_every_session,
    the_table_holds_no_cookie,
    an_ended_session_is_cleared_away_by_the_calendar,
    over_tls_the_cookie_is_bound_to_the_host,
    neither_assets_nor_probes_nor_strangers_get_a_session,
);

async fn me(site: &Site) -> StatusCode {
    site.server.get("/api/1/me").await.status_code()
}

testkit::on_both!(a_session_lives_from_sign_in_to_sign_out);

async fn a_session_lives_from_sign_in_to_sign_out(on: On) {
    let site = Site::on(on, "").await;
    let cookie = site.server.post("/api/1/session").json(&credentials()).await.cookie("docket");
    assert_eq!(me(&site).await, 200);
    // Long enough for the row to be moved once more.
    site.test_db.clock.advance(Duration::from_secs(6 * 60));
    assert_eq!(me(&site).await, 200);
    site.server.delete("/api/1/session").await.assert_status_no_content();
    let copy = site.server.get("/api/1/me").add_cookie(cookie).await;
    copy.assert_status_unauthorized();
}

async fn a_request_in_flight_cannot_bring_a_session_back() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let cookie = site.server.post("/api/1/session").json(&credentials()).await.cookie("docket");
    let id: Id = cookie.value().parse().unwrap();
    // A request has read the session; meanwhile somebody signs out; then the request writes it back.
    let record = site.state.sessions.load(&id).await.unwrap().unwrap();
    site.state.sessions.delete(&id).await.unwrap();
    site.state.sessions.save(&record).await.unwrap();
    assert!(site.state.sessions.load(&id).await.unwrap().is_none());
    let answer = site.server.get("/api/1/me").do_not_save_cookies().add_cookie(cookie).await;
    answer.assert_status_unauthorized();
}

async fn signing_in_makes_a_new_session_and_ends_the_old_one() {
    let site = Site::new().await;
    let first = site.server.post("/api/1/session").json(&credentials()).await.cookie("docket");
    let second = site.server.post("/api/1/session").json(&credentials()).await.cookie("docket");
    assert_ne!(first.value(), second.value());
    let old = site.server.get("/api/1/me").clear_cookies().add_cookie(first).await;
    old.assert_status_unauthorized();
}

async fn an_invented_session_id_is_not_adopted() {
    let site = Site::new().await;
    let planted = "AAAAAAAAAAAAAAAAAAAAAA";
    let planted_cookie = axum_test_cookie("docket", planted);
    let given =
        site.server.post("/api/1/session").json(&credentials()).add_cookie(planted_cookie).await.cookie("docket");
    assert_ne!(given.value(), planted);
}

async fn a_session_ends_after_the_idle_limit_without_a_request() {
    let site = Site::with("session = { idle = '30m', absolute = '2h' }").await;
    site.sign_in("coach").await;
    for _ in 0..3 {
        site.test_db.clock.advance(Duration::from_secs(29 * 60));
        assert_eq!(me(&site).await, 200);
    }
    site.test_db.clock.advance(Duration::from_secs(31 * 60));
    assert_eq!(me(&site).await, 401);
}

async fn a_session_ends_at_the_absolute_limit_however_busy() {
    let site = Site::with("session = { idle = '30m', absolute = '1h' }").await;
    site.sign_in("coach").await;
    for _ in 0..2 {
        site.test_db.clock.advance(Duration::from_secs(25 * 60));
        assert_eq!(me(&site).await, 200);
    }
    site.test_db.clock.advance(Duration::from_secs(11 * 60));
    assert_eq!(me(&site).await, 401);
}

async fn a_session_is_written_when_it_is_due_and_not_at_every_request() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let began = expiry(&site).await;
    assert_eq!(me(&site).await, 200);
    assert_eq!(expiry(&site).await, began);
    site.test_db.clock.advance(Duration::from_secs(6 * 60));
    assert_eq!(me(&site).await, 200);
    assert_ne!(expiry(&site).await, began);
}

async fn a_disabled_account_and_a_new_password_end_every_session() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    site.caseload.by_command().set_password("coach", NewPassword::Chosen("another-one-07".to_owned())).await.unwrap();
    assert_eq!(me(&site).await, 401);
    site.sign_in("manager").await;
    let token = site.token("manager").await;
    site.caseload.by_command().disable("manager").await.unwrap();
    assert_eq!(me(&site).await, 401);
    site.server.get("/api/1/me").authorization_bearer(token).await.assert_status_unauthorized();
}

async fn the_table_holds_no_cookie() {
    let site = Site::new().await;
    let cookie = site.server.post("/api/1/session").json(&credentials()).await.cookie("docket");
    let db = &site.test_db.db;
    let row = db.reader().query_one_raw(db.statement("SELECT id, data FROM session", [])).await.unwrap().unwrap();
    assert_ne!(row.try_get::<String>("", "id").unwrap(), cookie.value());
    let data: serde_json::Value = serde_json::from_str(&row.try_get::<String>("", "data").unwrap()).unwrap();
    let names: Vec<_> = data["who"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["person_id", "session_version"]);
}

async fn an_ended_session_is_cleared_away_by_the_calendar() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let locks = site.state.caseload.queue().locks("test");
    let lock = locks.try_lock(LockRequest::new("prune-sessions")).await.unwrap().unwrap();
    assert_eq!(site.state.sessions.fire(&lock).await.unwrap(), "0 sessions");
    site.test_db.clock.advance(Duration::from_secs(31 * 60));
    assert_eq!(site.state.sessions.fire(&lock).await.unwrap(), "1 session");
}

async fn over_tls_the_cookie_is_bound_to_the_host() {
    let site = Site::with("http = { public_url = 'https://docket.example.edu' }").await;
    let answer = site.server.post("/api/1/session").json(&credentials()).await;
    let set = site::session_set(answer.headers());
    assert!(set.starts_with("__Host-docket="), "{set}");
    for attribute in ["HttpOnly", "SameSite=Lax", "Secure", "Path=/"] {
        assert!(set.contains(attribute), "{set}");
    }
    assert!(!set.contains("Domain"), "{set}");
}

async fn neither_assets_nor_probes_nor_strangers_get_a_session() {
    let site = Site::new().await;
    for path in ["/healthz", "/pkg/nothing.js", "/login", "/api/1/me"] {
        assert!(site.server.get(path).await.maybe_header("set-cookie").is_none(), "{path}");
    }
}

fn credentials() -> serde_json::Value {
    serde_json::json!({ "username": "coach", "password": PASSWORD })
}

fn axum_test_cookie(name: &'static str, value: &'static str) -> tower_sessions::cookie::Cookie<'static> {
    tower_sessions::cookie::Cookie::new(name, value)
}

async fn expiry(site: &Site) -> String {
    let db = &site.test_db.db;
    let row = db.reader().query_one_raw(db.statement("SELECT expiry_date FROM session", [])).await.unwrap().unwrap();
    row.try_get("", "expiry_date").unwrap()
}
