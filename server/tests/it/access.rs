//! Deny by default: every route, page and server function, called as nobody, as its coach, as another coach, as a manager
//! and as an administrator. One that is new and has no row here fails the test.

use std::collections::BTreeSet;

use axum::{
    body::Body,
    http::{Method, header},
};
use model::{Action, PeopleFilter, PersonId, PreviewToken, SelectionToken, Target};
use queue::Clock;
use serde_json::{Value, json};
use server::{api::openapi, config::Config, pages, router};

use crate::{
    corpus::pages::{is_of_administrators, of_administrators},
    site::{PASSWORD, Site, request},
};

testkit::tests!(
    every_route_is_closed_but_to_those_it_is_for,
    whoever_may_not_send_a_body_is_told_so_before_it_is_read,
    every_page_sends_strangers_to_sign_in,
    the_pages_of_administrators_are_for_administrators,
    every_server_function_is_closed_but_to_those_it_is_for,
);

/// The statuses for nobody, the coach, another coach, a manager and an administrator.
pub type Statuses = [u16; 5];

/// What administrators may look at and nobody else.
const ADMINISTRATORS: Statuses = [401, 403, 403, 403, 200];

pub enum Sent {
    Nothing,
    Json(Value),
    Form(&'static str),
    /// One field of a form that may carry files.
    Parts(&'static str, &'static str),
}

fn tomorrow() -> String {
    (Clock::default().now() + chrono::TimeDelta::days(1)).to_rfc3339()
}

/// The routes of the server. `{id}` is a finished task of the coach.
pub fn routes(coach: PersonId) -> Vec<(Method, &'static str, Sent, Statuses)> {
    use Sent::*;
    let (get, post, delete) = (Method::GET, Method::POST, Method::DELETE);
    let change = json!({ "target": { "schoolIds": ["G1-0000001"] }, "programStatus": "ACTIVE" });
    let watch = json!({ "target": { "schoolIds": ["G1-0000001"] }, "operation": "WATCH" });
    let export = json!({ "target": { "schoolIds": ["G1-0000001"] }, "format": "CSV" });
    let alert = json!({ "target": { "schoolIds": ["G1-0000001"] }, "alertReason": "GRADES" });
    let reassign = json!({ "target": { "schoolIds": ["G1-0000001"] }, "coachId": coach });
    let email = json!({
        "target": { "schoolIds": ["G1-0000001"] }, "subject": "x", "body": "y", "toPrimary": true, "toSecondary": false,
    });
    let mut send = email.clone();
    send["confirmTotal"] = json!(1);
    let list = json!({ "lines": [{ "schoolId": "G1-0000001", "coach": "coach" }] });
    let list_token = json!({ "previewToken": coach });
    let which = json!({ "tasks": { "kind": "import" } });
    let applied = json!({ "previewToken": coach, "reason": "x" });
    let credentials = json!({ "username": "coach", "password": PASSWORD });
    vec![
        (get.clone(), "/", Nothing, [401, 303, 303, 303, 303]),
        (get.clone(), "/healthz", Nothing, [200; 5]),
        (get.clone(), "/readyz", Nothing, [200; 5]),
        (get.clone(), "/favicon.ico", Nothing, [200; 5]),
        (get.clone(), "/pkg/{*path}", Nothing, [404; 5]),
        (post.clone(), "/login", Form("username=coach&password=wrong"), [303; 5]),
        (post.clone(), "/logout", Nothing, [303; 5]),
        (get.clone(), "/events", Nothing, [401, 200, 200, 200, 200]),
        (get.clone(), "/api/1/openapi.json", Nothing, [401, 200, 200, 200, 200]),
        (get.clone(), "/api/1/docs", Nothing, [401, 200, 200, 200, 200]),
        // What a refusal means is told to whoever is refused.
        (get.clone(), "/api/1/problems", Nothing, [200; 5]),
        (post.clone(), "/api/1/session", Json(credentials), [204; 5]),
        (delete, "/api/1/session", Nothing, [401, 204, 204, 204, 204]),
        (get.clone(), "/api/1/me", Nothing, [401, 200, 200, 200, 200]),
        (get.clone(), "/api/1/people", Nothing, [401, 200, 200, 200, 200]),
        (post.clone(), "/api/1/people/program-status", Json(change.clone()), [401, 202, 400, 202, 202]),
        (post.clone(), "/api/1/people/program-status/preview", Json(change), [401, 200, 200, 200, 200]),
        (post.clone(), "/api/1/people/watch", Json(watch.clone()), [401, 202, 400, 202, 202]),
        (post.clone(), "/api/1/people/watch/preview", Json(watch), [401, 200, 200, 200, 200]),
        (post.clone(), "/api/1/people/export", Json(export.clone()), [401, 202, 400, 202, 202]),
        (post.clone(), "/api/1/people/export/preview", Json(export), [401, 200, 200, 200, 200]),
        (post.clone(), "/api/1/people/early-alert", Json(alert.clone()), [401, 202, 400, 202, 202]),
        (post.clone(), "/api/1/people/early-alert/preview", Json(alert), [401, 200, 200, 200, 200]),
        (post.clone(), "/api/1/people/reassign-coach", Json(reassign.clone()), [401, 403, 403, 202, 202]),
        (post.clone(), "/api/1/people/reassign-coach/preview", Json(reassign), [401, 403, 403, 200, 200]),
        (post.clone(), "/api/1/people/reassign-list", Json(list_token), [401, 403, 403, 422, 422]),
        (post.clone(), "/api/1/people/reassign-list/preview", Json(list), [401, 403, 403, 200, 200]),
        (post.clone(), "/api/1/people/email", Json(send), [401, 202, 400, 202, 202]),
        (post.clone(), "/api/1/people/email/preview", Json(email), [401, 200, 200, 200, 200]),
        (get.clone(), "/api/1/people/{id}/messages", Nothing, [401, 200, 404, 200, 200]),
        (get.clone(), "/api/1/people/{id}/journal", Nothing, [401, 200, 404, 200, 200]),
        (get.clone(), "/api/1/people/{id}", Nothing, [401, 200, 404, 200, 200]),
        (get.clone(), "/api/1/people/{id}/program-status", Nothing, [401, 200, 404, 200, 200]),
        (get.clone(), "/api/1/people/{id}/tasks", Nothing, [401, 200, 404, 200, 200]),
        (get.clone(), "/api/1/people/{id}/early-alerts", Nothing, [401, 200, 404, 200, 200]),
        (post.clone(), "/api/1/people/{id}/erase", Json(json!({ "reason": "x" })), [401, 403, 403, 403, 400]),
        (post.clone(), "/setup", Form("token=x&username=eve&password=long-enough-07"), [303; 5]),
        // No provider is set up here: they lead to the sign-in page, and end nothing.
        (get.clone(), "/login/with/{provider}", Nothing, [303; 5]),
        (get.clone(), "/login/return/{provider}", Nothing, [303; 5]),
        (get.clone(), "/login/ended/{provider}", Nothing, [204; 5]),
        (post.clone(), "/login/ended/{provider}", Form("logout_token=x"), [404; 5]),
        (post.clone(), "/forgot", Form("username=coach"), [303; 5]),
        (post.clone(), "/password", Form("token=x&password=long-enough-07"), [303; 5]),
        (post.clone(), "/admin/import", Parts("file", "x"), [401, 303, 303, 303, 303]),
        (post.clone(), "/people/reassign", Parts("file", "G1-0000001,coach"), [401, 303, 303, 303, 303]),
        (post.clone(), "/people/ids", Parts("schoolIds", "G1-0000001"), [401, 303, 303, 303, 303]),
        // With a token, as all are here: what belongs to an account takes a session.
        (post.clone(), "/settings/sessions/end", Nothing, [401, 403, 403, 403, 403]),
        (post.clone(), "/settings/sessions/{id}/end", Nothing, [401, 403, 403, 403, 403]),
        (post.clone(), "/settings/password", Form("current=wrong&password=another-one-07"), [401, 403, 403, 403, 403]),
        (post.clone(), "/settings/tokens", Form("name=robot"), [401, 403, 403, 403, 403]),
        (get.clone(), "/tasks/{id}/people.csv", Nothing, [401, 200, 404, 200, 200]),
        (get.clone(), "/files/{id}", Nothing, [401, 200, 404, 404, 404]),
        (get.clone(), "/api/1/tasks", Nothing, [401, 200, 200, 200, 200]),
        (get.clone(), "/api/1/tasks/{id}", Nothing, [401, 200, 404, 200, 200]),
        (get.clone(), "/api/1/tasks/{id}/people", Nothing, [401, 200, 404, 200, 200]),
        (get.clone(), "/api/1/tasks/{id}/file", Nothing, [401, 200, 404, 404, 404]),
        (post.clone(), "/api/1/tasks/{id}/undo", Nothing, [401, 202, 404, 403, 409]),
        (post.clone(), "/api/1/tasks/{id}/undo/preview", Nothing, [401, 409, 404, 403, 409]),
        (
            post.clone(),
            "/api/1/tasks/{id}/reschedule",
            Json(json!({ "triggerDate": tomorrow() })),
            [401, 409, 404, 403, 409],
        ),
        (post.clone(), "/api/1/tasks/{id}/send-now", Json(json!({ "reason": "x" })), [401, 409, 404, 403, 409]),
        (post.clone(), "/api/1/tasks/{id}/retry", Nothing, [401, 409, 404, 403, 409]),
        (get.clone(), "/api/1/admin/queue", Nothing, ADMINISTRATORS),
        (get.clone(), "/api/1/admin/queue/history", Nothing, ADMINISTRATORS),
        (get.clone(), "/api/1/admin/failures", Nothing, ADMINISTRATORS),
        (get.clone(), "/api/1/admin/audit", Nothing, ADMINISTRATORS),
        (get.clone(), "/api/1/admin/tasks", Nothing, ADMINISTRATORS),
        (get.clone(), "/api/1/admin/tasks/{id}", Nothing, ADMINISTRATORS),
        (get.clone(), "/api/1/admin/processes", Nothing, ADMINISTRATORS),
        (get.clone(), "/api/1/admin/kinds", Nothing, ADMINISTRATORS),
        (get.clone(), "/api/1/admin/locks", Nothing, ADMINISTRATORS),
        (get.clone(), "/api/1/admin/schedules", Nothing, ADMINISTRATORS),
        (post.clone(), "/api/1/admin/tasks/{id}/put-back", Json(json!({ "reason": "x" })), [401, 403, 403, 403, 409]),
        (post.clone(), "/api/1/admin/tasks/retry/preview", Json(which.clone()), ADMINISTRATORS),
        (post.clone(), "/api/1/admin/tasks/abandon/preview", Json(which), ADMINISTRATORS),
        (post.clone(), "/api/1/admin/tasks/retry", Json(applied.clone()), [401, 403, 403, 403, 400]),
        (post.clone(), "/api/1/admin/tasks/abandon", Json(applied), [401, 403, 403, 403, 400]),
        (post.clone(), "/api/1/admin/schedules/{name}/run", Json(json!({ "reason": "x" })), [401, 403, 403, 403, 404]),
        (
            post.clone(),
            "/api/1/admin/schedules/{name}/pause",
            Json(json!({ "reason": "x" })),
            [401, 403, 403, 403, 404],
        ),
        (
            post.clone(),
            "/api/1/admin/schedules/{name}/resume",
            Json(json!({ "reason": "x" })),
            [401, 403, 403, 403, 404],
        ),
        (get.clone(), "/admin/import/{id}/unreadable.csv", Nothing, [401, 403, 403, 403, 404]),
        // The task is of no import.
        (get.clone(), "/tasks/{id}/unreadable.csv", Nothing, [401, 403, 403, 403, 404]),
        (get.clone(), "/admin/audit.csv", Nothing, ADMINISTRATORS),
        (post.clone(), "/admin/tasks/{id}/request", Form("reason=x"), ADMINISTRATORS),
        (
            post.clone(),
            "/admin/users/add",
            Form("username=eve&name=Eve&role=administrator&reason=x"),
            [401, 403, 403, 403, 403],
        ),
        (post.clone(), "/admin/users/{id}/change", Form("role=coach&reason=x"), [401, 403, 403, 403, 403]),
        (post.clone(), "/admin/users/{id}/enable", Form("reason=x"), [401, 403, 403, 403, 403]),
        (post.clone(), "/admin/users/{id}/link", Form("reason=x"), [401, 403, 403, 403, 403]),
        (post.clone(), "/admin/users/{id}/password", Form("reason=x"), [401, 403, 403, 403, 403]),
        (post.clone(), "/api/1/tasks/{id}/resend", Json(json!({ "outcome": "FAILED" })), [401, 409, 404, 403, 409]),
        (
            post.clone(),
            "/api/1/tasks/{id}/people/{person}/bounce",
            Json(json!({ "note": "full" })),
            [401, 404, 404, 403, 404],
        ),
        (post.clone(), "/api/1/tasks/{id}/abandon", Json(json!({ "reason": "x" })), [401, 409, 404, 403, 409]),
        (post.clone(), "/api/1/admin/kinds/{kind}/pause", Json(json!({ "reason": "x" })), [401, 403, 403, 403, 204]),
        (post.clone(), "/api/1/admin/kinds/{kind}/resume", Json(json!({ "reason": "x" })), [401, 403, 403, 403, 204]),
        (post.clone(), "/api/1/admin/locks/{name}/release", Json(json!({ "reason": "x" })), [401, 403, 403, 403, 409]),
        (post, "/api/1/admin/self-test", Json(json!({})), [401, 403, 403, 403, 202]),
    ]
}

/// The pages, asked for by a browser.
pub const PAGES: &[(&str, Statuses)] = &[
    ("/login", [200; 5]),
    ("/setup", [200; 5]),
    ("/forgot", [200; 5]),
    ("/password", [200; 5]),
    ("/people/{id}/erase", [303, 403, 403, 403, 200]),
    ("/people", [303, 200, 200, 200, 200]),
    ("/people/reassign", [303, 403, 403, 200, 200]),
    ("/people/ids", [303, 200, 200, 200, 200]),
    ("/people/{id}", [303, 200, 404, 200, 200]),
    ("/actions/new/{kind}", [303, 200, 404, 404, 404]),
    ("/admin/import", [303, 403, 403, 403, 200]),
    // The id is of no import.
    ("/admin/import/{id}", [303, 403, 403, 403, 404]),
    ("/go", [303, 200, 200, 200, 200]),
    ("/help", [303, 200, 200, 200, 200]),
    // That there is no such topic; some are for administrators alone.
    ("/help/{topic}", [303, 404, 404, 404, 404]),
    ("/settings", [303, 200, 200, 200, 200]),
    ("/tasks", [303, 200, 200, 200, 200]),
    ("/tasks/{id}", [303, 200, 404, 200, 200]),
];

/// The server functions, with the form that is sent. `{selection}` and `{preview}` are the coach's.
pub const SERVER_FUNCTIONS: &[(&str, &str, Statuses)] = &[
    ("actions/email", "do=save&subject=x", [401, 200, 200, 200, 200]),
    ("admin/import", "id={id}&do=count&f0=school_id", [401, 403, 403, 403, 404]),
    ("admin/kinds/pause", "kind=export&reason=x", ADMINISTRATORS),
    ("admin/kinds/resume", "kind=export&reason=x", ADMINISTRATORS),
    ("admin/locks/release", "name=audit&taken=2026-11-22T10:00:00Z&reason=x", ADMINISTRATORS),
    ("admin/schedules/pause", "name=audit&reason=x", [401, 403, 403, 403, 404]),
    ("admin/schedules/resume", "name=audit&reason=x", [401, 403, 403, 403, 404]),
    ("admin/schedules/run", "name=audit&reason=x", [401, 403, 403, 403, 404]),
    ("admin/tasks/abandon", "id={id}&reason=x", [401, 403, 403, 403, 409]),
    ("admin/tasks/apply", "verb=retry&preview={preview}&reason=x", [401, 403, 403, 403, 400]),
    ("admin/tasks/put-back", "id={id}&reason=x", [401, 403, 403, 403, 409]),
    ("admin/tasks/retry", "id={id}&reason=x", [401, 403, 403, 403, 409]),
    // With a token, as all are here: what belongs to an account takes a session.
    ("admin/users/disable", "id={person}&reason=x", [401, 403, 403, 403, 403]),
    ("admin/users/revoke", "id={person}&token={id}&reason=x", [401, 403, 403, 403, 403]),
    ("settings/address", "token=x", [401, 403, 403, 403, 403]),
    ("settings/preferences", "theme=dark&address=", [401, 403, 403, 403, 403]),
    ("settings/tokens/revoke", "id={id}", [401, 403, 403, 403, 403]),
    ("cancel-task", "id={id}&reason=x", [401, 409, 404, 403, 409]),
    ("drop-selection", "token={selection}", [401, 200, 200, 200, 200]),
    ("note-bounce", "person={person}&task={id}&note=x", [401, 404, 404, 403, 404]),
    ("resend-email", "id={id}&outcome=FAILED", [401, 409, 404, 403, 409]),
    ("erase-person", "id={person}&reason=x", [401, 403, 403, 403, 400]),
    ("forget-view", "id={id}", [401, 404, 404, 404, 404]),
    ("filter-values", "field=major&words=a", [401, 200, 200, 200, 200]),
    ("repeat-task", "id={id}", [401, 200, 404, 200, 200]),
    ("reschedule-task", "id={id}&start=2030-01-01T00:00", [401, 400, 404, 403, 400]),
    ("retry-task", "id={id}", [401, 409, 404, 403, 409]),
    ("read-notices", "", [401, 200, 200, 200, 200]),
    ("rename-view", "id={id}&name=Mine", [401, 404, 404, 404, 404]),
    ("running", "", [401, 200, 200, 200, 200]),
    ("save-view", "name=Mine&query=q%3Dann", [401, 200, 200, 200, 200]),
    ("send-now", "id={id}&reason=x", [401, 409, 404, 403, 409]),
    ("set-display", "rows=compact&columns%5B%5D=coach", [401, 200, 200, 200, 200]),
    ("share-view", "id={id}&shared=yes", [401, 404, 404, 404, 404]),
    ("star-person", "watch={person}", [401, 200, 404, 200, 200]),
    ("select-matching", "back=", [401, 200, 200, 200, 200]),
    ("select-shown", "shown=", [401, 200, 200, 200, 200]),
    ("select-person", "id={person}&kind=watch", [401, 200, 200, 200, 200]),
    // What is no action leads nowhere.
    ("select-person", "id={person}&kind=../../admin", [401, 404, 404, 404, 404]),
    ("submit-action", "kind=program-status&sel={selection}&programStatus=ACTIVE", [401, 200, 404, 404, 404]),
    ("update-view", "id={id}&query=q%3Dann", [401, 404, 404, 404, 404]),
    ("watch-person", "id={person}&watched=yes", [401, 200, 404, 200, 200]),
];

async fn every_route_is_closed_but_to_those_it_is_for() {
    let site = Site::with("queue.self_test = true").await;
    let (task, export, person) = (site.finished_task().await, site.finished_export().await, site.somebody().await);
    let rows = routes(site.coach_id.person());
    let known: BTreeSet<_> = rows.iter().map(|(method, path, ..)| format!("{method} {path}")).collect();
    let (table, uploads) = (router::table(), router::uploads());
    let found = table.routes().iter().chain(uploads.routes()).map(|(method, path)| format!("{method} {path}"));
    let found: BTreeSet<_> = found.collect();
    assert_eq!(known, found, "every route needs a row in this file");
    let mut wrong = Vec::new();
    for (method, path, sent, expected) in rows {
        let query = if path == "/events" { "?topics=tasks" } else { "" };
        let id = if path.contains("/people/{id}") {
            &person
        } else if path.contains("file") {
            &export
        } else {
            &task
        };
        let uri = path
            .replace("{id}", id)
            .replace("{*path}", "nothing.js")
            .replace("{kind}", "self-test")
            .replace("{name}", "audit")
            + query;
        let (kind, body) = match sent {
            Sent::Nothing => ("text/plain", String::new()),
            Sent::Json(json) => ("application/json", json.to_string()),
            Sent::Form(form) => ("application/x-www-form-urlencoded", form.to_owned()),
            Sent::Parts(name, value) => (
                "multipart/form-data; boundary=seam",
                format!("--seam\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n--seam--\r\n"),
            ),
        };
        let ask = Ask { method: &method, uri: &uri, accept: "*/*", kind, body: &body };
        let given = statuses(&site, ask).await;
        wrong.extend((given != expected).then(|| format!("{method} {path}: {given:?}, not {expected:?}")));
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Whoever may not send a body learns nothing of how it is read, and is in the audit whatever they sent.
async fn whoever_may_not_send_a_body_is_told_so_before_it_is_read() {
    let site = Site::with("queue.self_test = true").await;
    let (task, person) = (site.finished_task().await, site.somebody().await);
    let document = openapi::document(&Config::from_text("").unwrap().http);
    let (mut asked, mut wrong) = (0, Vec::new());
    for (method, path, _, expected) in routes(site.coach_id.person()) {
        if document["paths"][path][method.as_str().to_lowercase()].get("requestBody").is_none() {
            continue;
        }
        let of_a_task = path.starts_with("/api/1/tasks/{id}/");
        let uri = path
            .replace("{id}", if path.contains("/people/{id}") { &person } else { &task })
            .replace("{person}", &person)
            .replace("{kind}", "self-test")
            .replace("{name}", "audit");
        let ask = Ask { method: &method, uri: &uri, accept: "*/*", kind: "application/json", body: "{\"broken" };
        let given = statuses(&site, ask).await;
        // Only whoever may do it is told what is wrong with what they sent.
        let before = expected.map(|status| match status {
            401 | 403 => status,
            404 if of_a_task => status,
            _ => 400,
        });
        // Whether there is such a message is asked once it is read.
        let before = if path.ends_with("/bounce") { [401, 400, 404, 403, 400] } else { before };
        wrong.extend((given != before).then(|| format!("{method} {path}: {given:?}, not {before:?}")));
        asked += 1;
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(asked > 30, "{asked} routes take a body");
}

async fn every_page_sends_strangers_to_sign_in() {
    let site = Site::new().await;
    let (task, person) = (site.finished_task().await, site.somebody().await);
    let known: BTreeSet<_> = PAGES.iter().map(|(path, _)| *path).collect();
    // Those of administrators are asked for below.
    let found: BTreeSet<_> =
        app::server::routes::PAGES.iter().map(|page| page.address).filter(|path| !is_of_administrators(path)).collect();
    assert_eq!(known, found, "every page needs a row in this file");
    let mut wrong = Vec::new();
    for (path, expected) in PAGES {
        let query =
            if path.starts_with("/actions/") { format!("?sel={}", picked(&site).await.0) } else { String::new() };
        let id = if path.starts_with("/people/") { &person } else { &task };
        let uri = path.replace("{id}", id).replace("{kind}", "program-status") + &query;
        let ask = Ask { method: &Method::GET, uri: &uri, accept: "text/html", kind: "text/plain", body: "" };
        let given = statuses(&site, ask).await;
        wrong.extend((given != *expected).then(|| format!("{path}: {given:?}, not {expected:?}")));
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// Addresses with filters, beside one of each page below `/admin`.
const NARROWED: [&str; 3] = [
    "/admin?window=30d",
    "/admin/tasks?state=FAILED&kind=export&owner=coach&stalled=yes&error=x&window=7d&ended=1h",
    "/admin/audit?action=task.&since=2026-01-01",
];

async fn the_pages_of_administrators_are_for_administrators() {
    let site = Site::new().await;
    let task = site.finished_task().await;
    let wish = queue::lock::LockRequest::new("held");
    let _held = site.caseload.queue().locks("somebody").try_lock(wish).await.unwrap().unwrap();
    let mut wrong = Vec::new();
    let coach = site.coach_id.to_string();
    let schedule = "INSERT INTO schedule (name, expression, time_zone, next_fire, paused)
                    SELECT 'prune-files', 'every 1h', 'UTC', created_date, FALSE FROM queued_task LIMIT 1";
    site.caseload.db().write(schedule, []).await.unwrap();
    for path in of_administrators().chain(NARROWED) {
        let named = [("{task}", task.as_str()), ("{account}", &coach), ("{lock}", "held")];
        let uri = named.iter().fold(path.to_owned(), |uri, (name, value)| uri.replace(name, value));
        let ask = Ask { method: &Method::GET, uri: &uri, accept: "text/html", kind: "text/plain", body: "" };
        let (given, expected) = (statuses(&site, ask).await, [303, 403, 403, 403, 200]);
        wrong.extend((given != expected).then(|| format!("{path}: {given:?}, not {expected:?}")));
    }
    assert_eq!(wrong, Vec::<String>::new());
}

async fn every_server_function_is_closed_but_to_those_it_is_for() {
    let site = Site::new().await;
    let (task, person) = (site.finished_task().await, site.somebody().await);
    let known: BTreeSet<_> = SERVER_FUNCTIONS.iter().map(|(path, ..)| format!("/api/page/{path}")).collect();
    let found: BTreeSet<_> = pages::server_functions().iter().map(|(path, _)| path.to_string()).collect();
    assert_eq!(known, found, "every server function needs a row in this file");
    let mut wrong = Vec::new();
    for (path, form, expected) in SERVER_FUNCTIONS {
        let (uri, body) = (format!("/api/page/{path}"), form.replace("{id}", &task).replace("{person}", &person));
        let (selection, preview) = picked(&site).await;
        let body = body.replace("{selection}", &selection.to_string()).replace("{preview}", &preview.to_string());
        let kind = if body.starts_with('{') { "application/json" } else { "application/x-www-form-urlencoded" };
        let ask = Ask { method: &Method::POST, uri: &uri, accept: "application/json", kind, body: &body };
        let given = statuses(&site, ask).await;
        wrong.extend((given != *expected).then(|| format!("{path}: {given:?}, not {expected:?}")));
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn no_server_function_can_be_called_by_following_a_link() {
    for (path, method) in pages::server_functions() {
        assert_eq!(method, Method::POST, "{path}");
    }
}

/// A selection of the coach's, and a preview of it.
async fn picked(site: &Site) -> (SelectionToken, PreviewToken) {
    let coach =
        site.caseload.accounts().actor_of_session(site.coach_id, 0, caseload::Via::command()).await.unwrap().unwrap();
    let filter = PeopleFilter { q: "G1-".to_owned(), ..PeopleFilter::default() };
    let selection = site.caseload.selections().select_matching(&coach, filter).await.unwrap().token;
    let action = Action::program_status("ACTIVE", "", "").unwrap();
    let preview = site.caseload.actions().preview(&coach, action, Target::Selection(selection)).await.unwrap();
    (selection, preview.preview_token)
}

struct Ask<'a> {
    method: &'a Method,
    uri: &'a str,
    accept: &'a str,
    kind: &'a str,
    body: &'a str,
}

async fn statuses(site: &Site, ask: Ask<'_>) -> Statuses {
    let mut statuses = [0; 5];
    for (status, caller) in statuses.iter_mut().zip(["", "coach", "other", "manager", "admin"]) {
        let token = if caller.is_empty() { None } else { Some(site.token(caller).await) };
        let request = request(ask.method.clone(), ask.uri, token.as_deref())
            .header(header::ACCEPT, ask.accept)
            .header(header::CONTENT_TYPE, ask.kind)
            .body(Body::from(ask.body.to_owned()))
            .unwrap();
        *status = site.send(request).await.status().as_u16();
    }
    statuses
}
