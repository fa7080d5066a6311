//! A whole Docket in a temporary folder: two coaches with people of their own, a manager and an administrator.

use std::io::Read;

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Method, Request, Response, header},
};
use axum_test::TestServer;
use caseload::{Caseload, Exports, NewAccount, NewPassword, NewToken, files::Files, generate, mail::Mail};
use flate2::read::GzDecoder;
use model::{AccountId, Role, account::TokenScope};
use queue::{Queue, Runtime, Settings};
use serde_json::Value;
use server::{
    config::Config,
    pages::DemoAccounts,
    router, run,
    state::{AppState, Closing},
};
use testkit::{On, TestDb};
use tower::ServiceExt;
use uuid::Uuid;

/// Everybody's password.
pub const PASSWORD: &str = "slate-fern-07";
/// People of the first coach, and of the other one.
pub const MINE: u64 = 12;
pub const THEIRS: u64 = 3;

pub struct Site {
    pub server: TestServer,
    pub router: Router,
    pub state: AppState,
    pub caseload: Caseload,
    pub runtime: Runtime,
    pub coach_id: AccountId,
    pub test_db: TestDb,
}

impl Site {
    pub async fn new() -> Site {
        Site::with("").await
    }

    /// With settings in the form of `docket.toml`.
    pub async fn with(settings: &str) -> Site {
        Site::on(On::Sqlite, settings).await
    }

    pub async fn on(on: On, settings: &str) -> Site {
        let mut config = Config::from_text(settings).unwrap();
        if !settings.contains("[limits]") {
            // Tests ask faster than anybody, and with more tokens.
            (config.limits.requests, config.limits.burst, config.limits.tokens) = (10_000, 10_000, 10_000);
            config.limits.at_once = 10_000;
        }
        let test_db = TestDb::new(on).await.unwrap();
        let exports = Exports::with_defaults(Files::in_memory());
        let mail = Mail::new(config.mail.clone()).unwrap();
        let settings = Settings { lease: testkit::LEASE, ..Settings::default() };
        let queue = Queue::new(test_db.db.clone(), Caseload::registry(&exports, &mail), settings);
        let runtime = Runtime::unguarded(&queue).await.unwrap();
        let caseload = Caseload::new(queue, exports, mail, config.self_test, config.limits);
        caseload.with_approvals(config.approvals.clone());
        caseload::hashing::cost_next_to_nothing();
        let coach_id = add(&caseload, "coach", Role::Coach).await;
        let other_id = add(&caseload, "other", Role::Coach).await;
        add(&caseload, "manager", Role::Manager).await;
        add(&caseload, "admin", Role::Administrator).await;
        let now = test_db.clock.now();
        generate::generate(&test_db.db, MINE, 1, now, &[coach_id.person()]).await.unwrap();
        generate::generate(&test_db.db, THEIRS, 2, now, &[other_id.person()]).await.unwrap();
        let state = run::state(&config, caseload.clone(), DemoAccounts::default(), Closing::default()).await.unwrap();
        let router = router::router(state.clone()).unwrap();
        let server = TestServer::builder().save_cookies().build(router.clone());
        Site { server, router, state, caseload, runtime, coach_id, test_db }
    }

    /// A bearer token of an account, for all that it may do.
    pub async fn token(&self, username: &str) -> String {
        self.token_for(username, TokenScope::Administer).await
    }

    /// One that goes so far.
    pub async fn token_for(&self, username: &str, scope: TokenScope) -> String {
        self.caseload.by_command().issue_for(username, NewToken::new("test", scope)).await.unwrap()
    }

    /// Runs what is due, until nothing runs.
    pub async fn work(&self) {
        let working = async {
            while self.runtime.tick().await.unwrap() > 0 {
                self.runtime.idle().await;
            }
        };
        tokio::time::timeout(testkit::LONGEST, working).await.expect("the queue comes to rest");
    }

    /// Sends one request past the test server, which would wait for the end of a stream.
    pub async fn send(&self, request: Request<Body>) -> Response<Body> {
        self.router.clone().oneshot(request).await.unwrap()
    }

    /// Signs the test server's browser in.
    pub async fn sign_in(&self, username: &str) {
        let body = serde_json::json!({ "username": username, "password": PASSWORD });
        self.server.post("/api/1/session").json(&body).await.assert_status_no_content();
    }

    /// A finished status change by the coach, of all their people.
    pub async fn finished_task(&self) -> String {
        self.finished("program-status", serde_json::json!({ "programStatus": "INACTIVE" })).await
    }

    /// A finished export of the coach's.
    pub async fn finished_export(&self) -> String {
        self.finished("export", serde_json::json!({ "format": "CSV" })).await
    }

    /// An action of the coach's on everybody, done.
    pub async fn finished(&self, kind: &str, mut body: Value) -> String {
        body["target"] = serde_json::json!({ "everyone": true });
        let token = self.token("coach").await;
        let path = format!("/api/1/people/{kind}");
        let task: Value = self.server.post(&path).authorization_bearer(token).json(&body).await.json();
        self.work().await;
        task["id"].as_str().unwrap().to_owned()
    }

    /// One of the coach's people.
    pub async fn somebody(&self) -> String {
        let token = self.token("coach").await;
        let page: Value = self.server.get("/api/1/people?limit=1").authorization_bearer(token).await.json();
        page["items"][0]["id"].as_str().unwrap().to_owned()
    }
}

/// An account with everybody's password.
pub async fn add(caseload: &Caseload, username: &str, role: Role) -> AccountId {
    let account = NewAccount {
        username: username.to_owned(),
        role,
        name: Some(format!("Test {username}")),
        school_id: None,
        password: NewPassword::Chosen(PASSWORD.to_owned()),
    };
    caseload.by_command().add(account).await.unwrap()
}

/// A request without a body.
pub fn request(method: Method, path: &str, token: Option<&str>) -> axum::http::request::Builder {
    let builder = Request::builder().method(method).uri(path);
    match token {
        Some(token) => builder.header(header::AUTHORIZATION, format!("Bearer {token}")),
        None => builder,
    }
}

/// The value with its ids and instants replaced, so that it can be compared.
pub fn steady(value: Value) -> Value {
    match value {
        Value::String(text) if Uuid::parse_str(&text).is_ok() => "[id]".into(),
        Value::String(text) if is_instant(&text) => "[date]".into(),
        Value::Array(values) => values.into_iter().map(steady).collect(),
        Value::Object(fields) => fields.into_iter().map(steady_field).collect(),
        other => other,
    }
}

fn steady_field((name, value): (String, Value)) -> (String, Value) {
    // Where the next page begins has an id inside.
    let value = if name == "next" && value.is_string() { "[next]".into() } else { steady(value) };
    (name, value)
}

fn is_instant(text: &str) -> bool {
    text.len() >= 20 && text.ends_with('Z') && text.as_bytes()[10] == b'T'
}

/// The line by which an answer sets the cookie of the session; beside it there may be others.
pub fn session_set(headers: &HeaderMap) -> String {
    let names = ["docket=", "__Host-docket=", "__Secure-docket="];
    let set = headers.get_all(header::SET_COOKIE).iter().map(|set| set.to_str().unwrap());
    set.into_iter().find(|set| names.iter().any(|name| set.starts_with(name))).expect("a session").to_owned()
}

/// What a browser sends back of such a line.
pub fn cookie(set: &str) -> String {
    set.split(';').next().unwrap_or_default().to_owned()
}

/// The text of an answer to somebody who takes gzip, which it has to be.
pub fn decompressed(headers: &HeaderMap, body: &[u8]) -> String {
    assert_eq!(headers[header::CONTENT_ENCODING], "gzip");
    let mut text = String::new();
    GzDecoder::new(body).read_to_string(&mut text).expect("it is what its header says");
    text
}
