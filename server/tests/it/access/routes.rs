//! The routes of the server.

use std::collections::BTreeSet;

use axum::http::Method;
use model::PersonId;
use queue::Clock;
use serde_json::{Value, json};
use server::{api::openapi, config::Config, router};

use super::{ADMINISTRATORS, Ask, Statuses, statuses};
use crate::site::{PASSWORD, Site};

testkit::tests!(every_route_is_closed_but_to_those_it_is_for, whoever_may_not_send_a_body_is_told_so_before_it_is_read,);

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
    let user = json!({ "userName": "somebody" });
    let patched = json!({ "Operations": [] });
    // The directory shows a token of its own, and nobody else comes in there.
    let nobody = [401; 5];
    let directory = vec![
        (get.clone(), "/scim/v2/ServiceProviderConfig", Nothing, nobody),
        (get.clone(), "/scim/v2/ResourceTypes", Nothing, nobody),
        (get.clone(), "/scim/v2/ResourceTypes/{id}", Nothing, nobody),
        (get.clone(), "/scim/v2/Schemas", Nothing, nobody),
        (get.clone(), "/scim/v2/Schemas/{id}", Nothing, nobody),
        (get.clone(), "/scim/v2/Users", Nothing, nobody),
        (post.clone(), "/scim/v2/Users", Json(user.clone()), nobody),
        (get.clone(), "/scim/v2/Users/{id}", Nothing, nobody),
        (Method::PUT, "/scim/v2/Users/{id}", Json(user.clone()), nobody),
        (Method::PATCH, "/scim/v2/Users/{id}", Json(patched.clone()), nobody),
        (delete.clone(), "/scim/v2/Users/{id}", Nothing, nobody),
        (get.clone(), "/scim/v2/Groups", Nothing, nobody),
        (post.clone(), "/scim/v2/Groups", Json(user.clone()), nobody),
        (get.clone(), "/scim/v2/Groups/{id}", Nothing, nobody),
        (Method::PUT, "/scim/v2/Groups/{id}", Json(user), nobody),
        (Method::PATCH, "/scim/v2/Groups/{id}", Json(patched), nobody),
        (delete.clone(), "/scim/v2/Groups/{id}", Nothing, nobody),
    ];
    let others = vec![
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
        (post.clone(), "/login/code", Form("code=123456"), [303; 5]),
        // No passkey can be used here: there is no address with a name.
        (post.clone(), "/login/passkey", Form("answer=x"), [303; 5]),
        (post.clone(), "/login/passkey/question", Nothing, [409; 5]),
        (post.clone(), "/login/code/passkey", Form("answer=x"), [303; 5]),
        (post.clone(), "/login/code/passkey/question", Nothing, [401; 5]),
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
        (post.clone(), "/settings/second-factor", Form("code=123456"), [401, 403, 403, 403, 403]),
        (post.clone(), "/settings/second-factor/codes", Nothing, [401, 403, 403, 403, 403]),
        (post.clone(), "/settings/second-factor/remove", Nothing, [401, 403, 403, 403, 403]),
        (post.clone(), "/settings/address", Form("token=x"), [401, 403, 403, 403, 403]),
        (post.clone(), "/settings/passkeys", Form("name=x&answer=x"), [401, 403, 403, 403, 403]),
        (post.clone(), "/settings/passkeys/question", Nothing, [401, 403, 403, 403, 403]),
        (post.clone(), "/settings/passkeys/remove", Form("passkey=x"), [401, 403, 403, 403, 403]),
        (post.clone(), "/settings/tokens", Form("name=robot"), [401, 403, 403, 403, 403]),
        (get.clone(), "/tasks/{id}/people.csv", Nothing, [401, 200, 404, 200, 200]),
        (get.clone(), "/files/{id}", Nothing, [401, 200, 404, 404, 404]),
        // The task needs nobody's approval.
        (post.clone(), "/approvals/{id}", Form("decide=approve"), [401, 303, 303, 303, 303]),
        (get.clone(), "/api/1/approvals", Nothing, [401, 200, 200, 200, 200]),
        (get.clone(), "/api/1/approvals/{id}", Nothing, [401, 404, 404, 404, 404]),
        (post.clone(), "/api/1/approvals/{id}/approve", Json(json!({ "willChange": 1 })), [401, 404, 404, 404, 404]),
        (post.clone(), "/api/1/approvals/{id}/decline", Json(json!({ "note": "x" })), [401, 404, 404, 404, 404]),
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
        (post.clone(), "/admin/users/{id}/second-factor", Form("reason=x"), [401, 403, 403, 403, 403]),
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
    ];
    directory.into_iter().chain(others).collect()
}

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
        let of_a_task = ["/api/1/tasks/{id}/", "/api/1/approvals/{id}/"].iter().any(|of| path.starts_with(of));
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
