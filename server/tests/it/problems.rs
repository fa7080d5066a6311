//! Every error is `application/problem+json`, names the field at fault, and tells nothing of the inside.

use axum::http::Method;
use axum_test::TestResponse;
use rstest::rstest;
use serde_json::{Value, json};

use crate::site::Site;

testkit::tests!(
    what_is_no_request_at_all_is_refused_in_the_same_form,
    without_anybody_there_is_nothing_to_be_found,
    a_broken_database_is_not_described,
    the_self_test_is_not_there_unless_it_is_allowed,
    a_page_says_what_there_is_to_choose_as_it_shows_it,
    a_conflict_is_titled_by_what_is_so,
    the_page_of_a_task_refuses_a_filter_that_there_is_not,
    the_reason_of_a_ledger_is_one_that_there_is,
    queued_tasks_are_those_that_are_held_as_well,
);

fn problem(answer: &TestResponse, status: u16) -> Value {
    assert_eq!(answer.status_code(), status, "{}", answer.text());
    assert_eq!(answer.content_type(), "application/problem+json");
    let problem: Value = answer.json();
    assert_eq!(problem["status"], status);
    for name in ["type", "code", "title", "detail", "requestId"] {
        assert!(problem[name].is_string(), "{name} in {problem}");
    }
    let text = problem.to_string().to_lowercase();
    for inside in ["sqlx", "sqlite", "serde", "axum", "select ", ".rs", "/work"] {
        assert!(!text.contains(inside), "{problem}");
    }
    problem
}

fn fields(problem: &Value) -> Vec<&str> {
    problem["errors"].as_array().into_iter().flatten().map(|error| error["field"].as_str().unwrap()).collect()
}

#[rstest]
#[case::unknown_filter("/api/1/people?campus=Main", "campus")]
#[case::odd_extra_field("/api/1/people?extra.cohort=a%01b", "extra.cohort")]
#[case::bad_limit("/api/1/people?limit=0", "limit")]
#[case::bad_status("/api/1/people?programStatus=active", "programStatus")]
#[case::bad_coach("/api/1/people?coach=7", "coach")]
#[case::bad_page("/api/1/people?after=!!", "after")]
#[case::unknown_task_filter("/api/1/tasks?owner=7", "owner")]
#[case::bad_task_state("/api/1/tasks?state=RUN", "state")]
#[case::bad_task_status("/api/1/tasks?status=RUN", "status")]
#[case::bad_kind("/api/1/tasks?kind=nothing", "kind")]
#[case::bad_scope("/api/1/tasks?scope=ours", "scope")]
#[case::no_topics("/events", "topics")]
#[case::bad_topics("/events?topics=everything", "topics")]
#[case::unknown_event_option("/events?topics=tasks&x=1", "x")]
#[case::two_limits("/api/1/people?limit=5&limit=7", "limit")]
#[case::two_scopes("/api/1/tasks?scope=mine&scope=mine", "scope")]
#[case::two_topics("/events?topics=tasks&topics=queue", "topics")]
#[timeout(testkit::LONGEST)]
#[tokio::test]
async fn a_wrong_parameter_is_named(#[case] path: &str, #[case] field: &str) {
    let site = Site::new().await;
    site.sign_in("coach").await;
    assert_eq!(fields(&problem(&site.server.get(path).await, 400)), [field]);
}

#[rstest]
#[case::nothing(json!({}), &["programStatus"])]
#[case::no_target(json!({ "programStatus": "ACTIVE" }), &["target"])]
#[case::two_targets(json!({ "target": { "everyone": true, "personIds": [] }, "programStatus": "ACTIVE" }), &["target"])]
#[case::bad_id(json!({ "target": { "personIds": ["7"] }, "programStatus": "ACTIVE" }), &["target.personIds[0]"])]
#[case::bad_filter(json!({ "target": { "query": { "major": "AAA" } }, "programStatus": "ACTIVE" }), &["target.query.major"])]
#[case::unknown_filter(json!({ "target": { "query": { "campus": [] } }, "programStatus": "ACTIVE" }), &["target.query.campus"])]
#[case::long_value(json!({ "target": { "query": { "major": ["y".repeat(201)] } }, "programStatus": "ACTIVE" }), &["major"])]
#[case::long_id(json!({ "target": { "schoolIds": ["y".repeat(801)] }, "programStatus": "ACTIVE" }), &["schoolIds"])]
#[case::smuggled(json!({ "target": { "everyone": true }, "programStatus": "ACTIVE", "ownerId": "x" }), &["ownerId"])]
#[case::no_reason(json!({ "target": { "everyone": true }, "programStatus": "NON_PARTICIPATING" }), &["changeReason"])]
#[case::bad_number(json!({ "target": { "everyone": true }, "confirmTotal": -1 }), &["confirmTotal"])]
#[case::number_of_nobody(json!({ "target": { "everyone": true }, "programStatus": "ACTIVE", "confirmTotal": 1_u64 << 63 }), &["confirmTotal"])]
#[case::all_at_once(json!({ "target": { "everyone": true }, "changeReason": "X", "comment": "y".repeat(501) }), &["programStatus", "changeReason", "comment"])]
#[timeout(testkit::LONGEST)]
#[tokio::test]
async fn a_wrong_field_is_named(#[case] body: Value, #[case] named: &[&str]) {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let answer = site.server.post("/api/1/people/program-status").json(&body).await;
    assert_eq!(fields(&problem(&answer, 400)), named);
}

async fn what_is_no_request_at_all_is_refused_in_the_same_form() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let path = "/api/1/people/program-status";
    problem(&site.server.get("/api/1/nothing").await, 404);
    problem(&site.server.get("/nothing").add_header("accept", "application/json").await, 404);
    problem(&site.server.method(Method::PUT, "/api/1/me").await, 405);
    problem(&site.server.get("/api/1/tasks/7").await, 404);
    problem(&site.server.get("/api/1/tasks/00000000-0000-0000-0000-000000000000").await, 404);
    problem(&site.server.post(path).text("hello").await, 415);
    problem(&site.server.post(path).content_type("application/json").bytes("{".into()).await, 400);
    problem(&site.server.post(path).content_type("application/json").bytes("[".repeat(100_000).into()).await, 400);
    problem(&site.server.post(path).json(&"x".repeat(3 << 20)).await, 413);
    let large = site.server.post("/api/page/select-matching").text("x".repeat(3 << 20));
    problem(&large.add_header("content-length", (3 << 20).to_string()).await, 413);
    problem(&site.server.post("/login").text("x").await, 415);
    problem(&site.server.post("/api/page/nothing").await, 404);
    problem(&site.server.get("/api/page/running").await, 405);
    let key = site.server.post(path).json(&json!({})).add_header("idempotency-key", "x".repeat(201)).await;
    assert_eq!(fields(&problem(&key, 400)), ["Idempotency-Key"]);
}

async fn without_anybody_there_is_nothing_to_be_found() {
    let site = Site::new().await;
    for path in ["/api/1/me", "/api/1/nothing", "/nothing", "/api/page/nothing", "/events"] {
        problem(&site.server.get(path).await, 401);
    }
    for wrong in ["Bearer nothing", "Bearer ", "Basic Y29hY2g6eA==", "x"] {
        let answer = site.server.get("/api/1/me").add_header("authorization", wrong).await;
        problem(&answer, 401);
    }
}

async fn a_broken_database_is_not_described() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    // Closed is closed, also when a connection takes its time to be given back.
    let _ = tokio::time::timeout(std::time::Duration::from_secs(5), site.test_db.db.clone().close()).await;
    assert!(matches!(site.server.get("/api/1/me").await.status_code().as_u16(), 500 | 503));
    assert_eq!(problem(&site.server.get("/readyz").await, 503)["part"], "database");
    site.server.get("/healthz").await.assert_status_ok();
}

async fn the_self_test_is_not_there_unless_it_is_allowed() {
    let site = Site::new().await;
    site.sign_in("admin").await;
    problem(&site.server.post("/api/1/admin/self-test").json(&json!({})).await, 404);
}

/// What REST refuses, a page refuses as well, and names it; what was typed stays in the address.
#[rstest]
#[case::status("/people?programStatus=active", "programStatus")]
#[case::filter("/people?campus=Main", "campus")]
#[case::tab("/tasks?show=nonsense", "show")]
#[case::scope("/tasks?scope=ours", "scope")]
#[case::kind("/tasks?kind=nothing", "kind")]
#[case::stalled("/admin/tasks?stalled=maybe", "stalled")]
#[case::state("/admin/tasks?state=RUN", "state")]
#[case::window("/admin?window=2y", "window")]
#[case::kind_of_any_task("/admin/tasks?kind=nothing", "kind")]
#[case::cause("/admin/tasks?cause=nothing", "cause")]
#[case::owner("/admin/tasks?owner=nobody", "owner")]
#[case::action("/admin/audit?action=account.frobnicate", "action")]
#[case::noun("/admin/audit?action=nothing.", "action")]
#[case::actor("/admin/audit?actor=nobody", "actor")]
#[timeout(testkit::LONGEST)]
#[tokio::test]
async fn a_page_refuses_an_unknown_filter_value_as_rest_does(#[case] path: &str, #[case] field: &str) {
    let site = Site::new().await;
    site.sign_in("admin").await;
    let page = site.server.get(path).add_header("accept", "text/html").await;
    assert_eq!(page.status_code(), 400, "{path}");
    assert!(page.content_type().starts_with("text/html"), "{field}");
}

#[rstest]
#[case::search("/people?q=ann&q=bob", 400)]
#[case::limit("/people?limit=5&limit=7", 400)]
#[case::statuses("/people?programStatus=ACTIVE&programStatus=NO_SHOW", 200)]
#[case::tab("/tasks?show=done&show=open", 400)]
#[case::owner("/admin/tasks?owner=coach&owner=manager", 400)]
#[case::states("/admin/tasks?state=FAILED&state=DONE", 200)]
#[case::actor("/admin/audit?actor=coach&actor=manager", 400)]
#[case::day_after_what_a_form_keeps("/admin/audit?since=2026-11-21T10:00:00Z&since=2026-11-22", 200)]
#[case::window("/admin?window=7d&window=1h", 400)]
#[timeout(testkit::LONGEST)]
#[tokio::test]
async fn a_page_refuses_what_is_there_twice_as_rest_does(#[case] path: &str, #[case] status: u16) {
    let site = Site::new().await;
    site.sign_in("admin").await;
    let page = site.server.get(path).add_header("accept", "text/html").await;
    assert_eq!(page.status_code(), status, "{path}");
}

#[rstest]
#[case::kind("tasks?kind=nothing", "kind")]
#[case::cause("tasks?cause=nothing", "cause")]
#[case::action("audit?action=account.frobnicate", "action")]
#[timeout(testkit::LONGEST)]
#[tokio::test]
async fn what_nothing_ever_had_is_refused_to_programs_of_administrators(#[case] path: &str, #[case] field: &str) {
    let site = Site::new().await;
    site.sign_in("admin").await;
    let problem = problem(&site.server.get(&format!("/api/1/admin/{path}")).await, 400);
    assert_eq!((fields(&problem), &problem["errors"][0]["code"]), (vec![field], &json!("unknown")));
}

/// An action that has not been done yet, a kind without tasks: these are known, and there is nothing of them.
#[rstest]
#[case::kind("tasks?kind=email")]
#[case::process("tasks?process=worker-1")]
#[case::noun("audit?action=lock.")]
#[case::action("audit?action=person.erase")]
#[timeout(testkit::LONGEST)]
#[tokio::test]
async fn what_is_known_may_be_asked_for_before_there_is_any(#[case] path: &str) {
    let site = Site::new().await;
    site.sign_in("admin").await;
    let answer = site.server.get(&format!("/api/1/admin/{path}")).await;
    answer.assert_status_ok();
    assert_eq!(answer.json::<Value>()["items"], json!([]));
}

async fn a_page_says_what_there_is_to_choose_as_it_shows_it() {
    let site = Site::new().await;
    site.sign_in("admin").await;
    for (path, said) in [
        ("/people?coach=Nobody", "There is no coach “Nobody”."),
        ("/admin/tasks?state=NOPE", "“NOPE” is not a choice here. Choose Waiting for approval, Scheduled"),
        ("/tasks?show=nonsense", "Choose All, Unfinished, Problems, Done or Cancelled."),
    ] {
        let page = site.server.get(path).add_header("accept", "text/html").await.text();
        assert!(page.contains(said), "{path}: {page}");
        for inside in ["invalid character", "COULD_NOT_START"] {
            assert!(!page.contains(&format!("{inside},")) && !page.contains(&format!("{inside}: ")), "{path}");
        }
    }
    let refused = problem(&site.server.get("/api/1/tasks?state=NOPE").await, 400);
    assert!(refused["detail"].as_str().unwrap().contains("COULD_NOT_START"), "{refused}");
}

async fn a_conflict_is_titled_by_what_is_so() {
    let site = Site::new().await;
    let task = site.finished_task().await;
    site.sign_in("coach").await;
    let title = async |verb: &str| {
        let answer = site.server.post(&format!("/api/1/tasks/{task}/{verb}")).await;
        problem(&answer, 409)["title"].as_str().unwrap().to_owned()
    };
    assert_eq!(title("abandon").await, "The task has moved on");
    site.server.post(&format!("/api/1/tasks/{task}/undo")).await.assert_status(axum::http::StatusCode::ACCEPTED);
    assert_eq!(title("undo").await, "The undo is already running");
    site.work().await;
    assert_eq!(title("undo").await, "The task has already been undone");
}

async fn the_page_of_a_task_refuses_a_filter_that_there_is_not() {
    let site = Site::new().await;
    let task = site.finished_task().await;
    site.sign_in("coach").await;
    for (query, status) in [("?foo=1", 400), ("?outcome=DONE", 200), ("?cancel=1", 200), ("", 200)] {
        let page = site.server.get(&format!("/tasks/{task}{query}")).add_header("accept", "text/html").await;
        assert_eq!(page.status_code(), status, "{query}");
    }
}

async fn the_reason_of_a_ledger_is_one_that_there_is() {
    let site = Site::new().await;
    site.sign_in("coach").await;
    let body =
        json!({ "target": { "everyone": true }, "programStatus": "INACTIVE", "confirmTotal": crate::site::MINE });
    let task: Value = site.server.post("/api/1/people/program-status").json(&body).await.json();
    site.work().await;
    let lines = format!("/api/1/tasks/{}/people", task["id"].as_str().unwrap());
    assert_eq!(fields(&problem(&site.server.get(&format!("{lines}?reason=NOTHING")).await, 400)), ["reason"]);
    site.server.get(&format!("{lines}?reason=NOT_FOUND")).await.assert_status_ok();
}

async fn queued_tasks_are_those_that_are_held_as_well() {
    let site = Site::new().await;
    let token = site.token("coach").await;
    let email = json!({
        "target": { "everyone": true }, "subject": "x", "body": "y", "toPrimary": true, "toSecondary": false,
        "confirmTotal": crate::site::MINE,
    });
    let sent = site.server.post("/api/1/people/email").authorization_bearer(&token).json(&email).await;
    let task: Value = sent.json();
    let held: Value = site.server.get("/api/1/tasks?state=HELD").authorization_bearer(&token).await.json();
    assert_eq!(held["items"][0]["id"], task["id"]);
    assert_eq!(held["items"][0]["status"], "QUEUED");
    let queued: Value = site.server.get("/api/1/tasks?status=QUEUED").authorization_bearer(&token).await.json();
    assert_eq!(queued["items"][0]["id"], task["id"]);
}
