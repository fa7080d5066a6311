//! The lists of administrators, as a browser without scripts gets them.

use serde_json::{Value, json};

use crate::site::Site;

testkit::tests!(a_selected_task_that_was_over_is_not_in_the_list_of_those_that_were_closed);

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
