//! Sessions that are lost, and a table of sessions that is away for a moment, while somebody works: they are asked to sign in
//! again and go on where they were, or told to come back in a moment; nobody becomes anybody else.

use axum::{
    body::Body,
    http::{Method, StatusCode, header},
};
use futures::StreamExt;
use model::SelectionToken;
use serde_json::{Value, json};
use testkit::On;

use crate::site::{PASSWORD, Site, cookie, request, session_set};

testkit::on_both!(
    whoever_loses_their_session_signs_in_again_and_goes_on_with_what_they_had_written,
    while_sessions_cannot_be_read_everybody_is_told_to_come_back_and_nobody_is_signed_out,
    nobody_is_signed_in_by_a_session_that_cannot_be_read,
);

/// Somebody at a browser.
struct Person<'a> {
    site: &'a Site,
    cookie: String,
}

/// What a browser gets.
struct Shown {
    status: StatusCode,
    to: String,
    text: String,
}

impl Person<'_> {
    async fn signs_in<'a>(site: &'a Site, username: &str) -> Person<'a> {
        let body = json!({ "username": username, "password": PASSWORD }).to_string();
        let post = request(Method::POST, "/api/1/session", None).header(header::CONTENT_TYPE, "application/json");
        let answer = site.send(post.body(Body::from(body)).unwrap()).await;
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
        Person { site, cookie: cookie(&session_set(answer.headers())) }
    }

    async fn asks(&self, method: Method, path: &str, form: &str, from: &str) -> Shown {
        let asked = request(method, path, None)
            .header(header::COOKIE, &self.cookie)
            .header(header::ACCEPT, "text/html")
            .header(header::REFERER, format!("http://localhost{from}"))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        let answer = self.site.send(asked.body(Body::from(form.to_owned())).unwrap()).await;
        let to = answer.headers().get(header::LOCATION).map(|to| to.to_str().unwrap().to_owned()).unwrap_or_default();
        let status = answer.status();
        let bytes = axum::body::to_bytes(answer.into_body(), 10_000_000).await.unwrap();
        Shown { status, to, text: String::from_utf8_lossy(&bytes).into_owned() }
    }

    async fn gets(&self, path: &str) -> Shown {
        self.asks(Method::GET, path, "", "/people").await
    }

    /// An open page that is told of what happens.
    async fn live(&self) -> axum::body::BodyDataStream {
        let open = request(Method::GET, "/events?topics=tasks", None).header(header::COOKIE, &self.cookie);
        let answer = self.site.send(open.body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status(), StatusCode::OK);
        answer.into_body().into_data_stream()
    }
}

async fn until_over(mut live: axum::body::BodyDataStream) {
    testkit::bounded("the live page", testkit::LONGEST, async { while live.next().await.is_some() {} }).await;
}

async fn whoever_loses_their_session_signs_in_again_and_goes_on_with_what_they_had_written(on: On) {
    let site = Site::on(on, "").await;
    let person = Person::signs_in(&site, "coach").await;
    let live = person.live().await;
    let wrote = person
        .asks(Method::POST, "/api/page/actions/email", "do=save&subject=Four+slots+left&body=Hello", "/people")
        .await;
    assert_eq!(wrote.status, StatusCode::SEE_OTHER, "{}", wrote.text);
    site.test_db.db.write("DELETE FROM session", []).await.unwrap();
    until_over(live).await;

    let page = "/tasks?scope=mine";
    let asked = person.gets(page).await;
    assert_eq!(
        (asked.status, asked.to.as_str()),
        (StatusCode::SEE_OTHER, "/login?failed=ended&next=%2Ftasks%3Fscope%3Dmine")
    );
    let login = person.gets(&asked.to).await;
    assert!(login.text.contains("Your session has ended. Sign in to continue where you were."), "{}", login.text);
    let program = site.send(request(Method::GET, "/api/1/me", None).body(Body::empty()).unwrap()).await;
    assert_eq!(program.status(), StatusCode::UNAUTHORIZED);
    let sent = person.asks(Method::POST, "/api/page/actions/email", "do=save&subject=Too+late&body=x", page).await;
    assert_eq!((sent.status, sent.to), (StatusCode::SEE_OTHER, asked.to));

    let form = format!("username=coach&password={PASSWORD}&next=%2Ftasks%3Fscope%3Dmine");
    let inside = person.asks(Method::POST, "/login", &form, page).await;
    assert_eq!((inside.status, inside.to.as_str()), (StatusCode::SEE_OTHER, page));
    let again = Person::signs_in(&site, "coach").await;
    let draft = again.gets(&format!("/actions/new/email?sel={}", selection(&site).await)).await;
    assert!(draft.text.contains("Four slots left") && !draft.text.contains("Too late"), "{}", draft.text);
}

/// Some people whom the coach has chosen.
async fn selection(site: &Site) -> SelectionToken {
    let coach =
        site.caseload.accounts().actor_of_session(site.coach_id, 0, caseload::Via::command()).await.unwrap().unwrap();
    site.caseload.selections().select_matching(&coach, model::PeopleFilter::default()).await.unwrap().token
}

async fn while_sessions_cannot_be_read_everybody_is_told_to_come_back_and_nobody_is_signed_out(on: On) {
    let site = Site::on(on, "").await;
    let person = Person::signs_in(&site, "coach").await;
    let (live, token) = (person.live().await, site.token("manager").await);
    site.test_db.db.write("ALTER TABLE session RENAME TO session_away", []).await.unwrap();
    until_over(live).await;
    for path in ["/people", "/tasks", "/api/1/me", "/events?topics=tasks", "/login"] {
        let shown = person.gets(path).await;
        assert_eq!(shown.status, StatusCode::SERVICE_UNAVAILABLE, "{path}: {}", shown.text);
        assert!(shown.text.contains("Try again in a moment."), "{path}: {}", shown.text);
        assert!(!shown.text.contains("session_away") && !shown.text.contains("relation"), "{path}: {}", shown.text);
    }
    let program = site.send(request(Method::GET, "/api/1/me", Some(&token)).body(Body::empty()).unwrap()).await;
    assert_eq!(program.status(), StatusCode::OK, "a token needs no session");
    let body = json!({ "username": "other", "password": PASSWORD }).to_string();
    let post = request(Method::POST, "/api/1/session", None).header(header::CONTENT_TYPE, "application/json");
    let answer = site.send(post.body(Body::from(body)).unwrap()).await;
    let (status, cookies) = (answer.status(), answer.headers().clone());
    let problem = axum::body::to_bytes(answer.into_body(), 100_000).await.unwrap();
    let problem: Value = serde_json::from_slice(&problem).unwrap_or_default();
    assert_eq!((status, &problem["code"]), (StatusCode::SERVICE_UNAVAILABLE, &json!("unavailable")), "{problem}");
    assert!(!cookies.contains_key(header::SET_COOKIE), "{cookies:?}");
    let form = format!("username=other&password={PASSWORD}");
    let stranger = Person { site: &site, cookie: String::new() };
    let refused = stranger.asks(Method::POST, "/login", &form, "/login").await;
    assert_eq!(
        (refused.status, refused.to.as_str()),
        (StatusCode::SEE_OTHER, "/login?failed=unavailable"),
        "{}",
        refused.text
    );

    site.test_db.db.write("ALTER TABLE session_away RENAME TO session", []).await.unwrap();
    let me = person.gets("/api/1/me").await;
    let me: Value = serde_json::from_str(&me.text).unwrap();
    assert_eq!(me["username"], "coach", "whoever was signed in still is");
}

async fn nobody_is_signed_in_by_a_session_that_cannot_be_read(on: On) {
    let site = Site::on(on, "").await;
    let person = Person::signs_in(&site, "coach").await;
    for odd in ["", "{", "null", "{}", "{\"who\":7}", "{\"who\":{\"person_id\":\"x\"}}"] {
        site.test_db.db.write("UPDATE session SET data = $1", [odd.into()]).await.unwrap();
        let shown = person.gets("/api/1/me").await;
        let turned_away = [StatusCode::UNAUTHORIZED, StatusCode::SERVICE_UNAVAILABLE].contains(&shown.status);
        assert!(turned_away, "{odd}: {} {}", shown.status, shown.text);
    }
}
