//! The server functions.

use std::collections::BTreeSet;

use axum::http::Method;
use server::pages;

use super::{ADMINISTRATORS, Ask, Statuses, picked, statuses};
use crate::site::Site;

testkit::tests!(every_server_function_is_closed_but_to_those_it_is_for,);

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
    ("admin/users/close-tasks", "id={person}&reason=x", [401, 403, 403, 403, 403]),
    ("admin/users/hand-over", "id={person}&to=manager&reason=x", [401, 403, 403, 403, 403]),
    ("admin/users/disable", "id={person}&reason=x", [401, 403, 403, 403, 403]),
    ("admin/users/revoke", "id={person}&token={id}&reason=x", [401, 403, 403, 403, 403]),
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
