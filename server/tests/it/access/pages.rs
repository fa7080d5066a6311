//! The pages, those of administrators among them.

use std::collections::BTreeSet;

use axum::http::Method;

use super::{Ask, Statuses, picked, statuses};
use crate::{
    corpus::pages::{is_of_administrators, of_administrators},
    site::Site,
};

testkit::tests!(every_page_sends_strangers_to_sign_in, the_pages_of_administrators_are_for_administrators,);

/// The pages, asked for by a browser.
pub const PAGES: &[(&str, Statuses)] = &[
    ("/login", [200; 5]),
    ("/login/code", [200; 5]),
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
    ("/settings/second-factor", [303, 200, 200, 200, 200]),
    ("/settings/passkeys", [303, 200, 200, 200, 200]),
    ("/tasks", [303, 200, 200, 200, 200]),
    ("/tasks/{id}", [303, 200, 404, 200, 200]),
    ("/approvals", [303, 200, 200, 200, 200]),
    // The task needs nobody's approval.
    ("/approvals/{id}", [303, 404, 404, 404, 404]),
];

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
