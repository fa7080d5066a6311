//! The lists of administrators, as a browser without scripts gets them.

use serde_json::{Value, json};

use crate::site::Site;

testkit::tests!(
    a_selected_task_that_was_over_is_not_in_the_list_of_those_that_were_closed,
    days_the_wrong_way_round_are_refused_at_their_field_and_the_list_of_tasks_stays,
    all_that_is_wrong_in_the_filter_of_the_audit_trail_is_said_at_once_and_the_rest_narrows_it,
);

/// The text of a page, which is answered as that.
async fn page(site: &Site, path: &str) -> String {
    let answer = site.server.get(path).add_header("accept", "text/html").await;
    assert_eq!(answer.status_code(), 200, "{path}: {}", answer.text());
    answer.text()
}

/// “2 tasks retried. The list shows how far each of them is.” stood above a list of three.
async fn a_selected_task_that_was_over_is_not_in_the_list_of_those_that_were_closed() {
    let site = Site::new().await;
    let over = site.finished_task().await;
    let body = json!({ "target": { "everyone": true }, "programStatus": "ACTIVE" });
    let token = site.token("coach").await;
    let submitted = site.server.post("/api/1/people/program-status").authorization_bearer(token).json(&body).await;
    let waits = submitted.json::<Value>()["id"].as_str().unwrap().to_owned();
    site.sign_in("admin").await;
    let check = page(&site, &format!("/admin/tasks/check?do=abandon&only={waits}&only={over}")).await;
    assert!(check.contains("Close 1 task for good?"), "{check}");
    assert!(check.contains(&format!("name=\"then\" value=\"only={waits}\"")), "{check}");
}

fn has(page: &str, all: &[&str]) {
    for said in all {
        assert!(page.contains(said), "{said}: {page}");
    }
    assert!(!page.contains("Start over"), "{page}");
}

/// “Check what you entered. The end date is before the start date. Start over” was all of the page, and every filter was lost.
async fn days_the_wrong_way_round_are_refused_at_their_field_and_the_list_of_tasks_stays() {
    let site = Site::new().await;
    let task = site.finished_task().await;
    site.sign_in("admin").await;
    let tasks = page(&site, "/admin/tasks?owner=coach&since=2999-08-31&until=2999-08-01").await;
    let kept = ["value=\"2999-08-31\"", "value=\"2999-08-01\"", "<option value=\"coach\" selected>"];
    has(&tasks, &kept);
    has(&tasks, &["id=\"until-wrong\"", "The end date is before the start date.", &format!("data-task-id=\"{task}\"")]);
    let tasks = page(&site, "/admin/tasks?since=soon&until=late").await;
    has(&tasks, &["“soon” is not a date.", "“late” is not a date."]);
}

async fn all_that_is_wrong_in_the_filter_of_the_audit_trail_is_said_at_once_and_the_rest_narrows_it() {
    let site = Site::new().await;
    site.sign_in("admin").await;
    let wrong = "/admin/audit?action=session.&source=nowhere&since=2999-08-31&until=2999-08-01";
    let trail = page(&site, wrong).await;
    has(&trail, &["value=\"2999-08-31\"", "value=\"2999-08-01\"", "value=\"nowhere\""]);
    has(&trail, &["id=\"until-wrong\"", "The end date is before the start date."]);
    has(&trail, &["id=\"source-wrong\"", "Enter an address like 198.51.100.7 or 2001:db8::7."]);
    has(&trail, &["<option value=\"session.\" selected>", "href=\"/admin/audit.csv?action=session.\""]);
    let right = page(&site, "/admin/audit?source=198.51.100.7&since=2026-08-01&until=2026-08-01").await;
    assert!(!right.contains("-wrong\""), "{right}");
}
