//! What a client developer tripped over, one test for each.

use axum_test::TestResponse;
use serde_json::{Value, json};

use crate::site::Site;

testkit::tests!(
    abandon_takes_no_body_where_its_reason_is_optional,
    reschedule_and_abandon_answer_the_task,
    the_page_of_an_undone_task_says_so_and_offers_no_undo,
    the_preview_of_an_email_above_the_limit_says_so,
    the_type_of_a_problem_leads_to_what_it_means,
    csv_opens_in_excel_and_programs_ask_for_it_bare,
);

const BOM: &str = "\u{feff}";

/// A site as its coach's program sees it, with a task that waits.
struct Client {
    site: Site,
    token: String,
    waiting: String,
}

impl Client {
    async fn new() -> Client {
        Client::with("").await
    }

    async fn with(settings: &str) -> Client {
        let site = Site::with(settings).await;
        let token = site.token("coach").await;
        let mut client = Client { site, token, waiting: String::new() };
        let later = client.site.test_db.clock.now() + chrono::TimeDelta::hours(1);
        let change = json!({ "target": { "everyone": true }, "programStatus": "INACTIVE", "triggerDate": later });
        let task: Value = client.post("/api/1/people/program-status", &change).await.json();
        client.waiting = task["id"].as_str().unwrap().to_owned();
        client
    }

    async fn post(&self, path: &str, body: &Value) -> TestResponse {
        self.site.server.post(path).authorization_bearer(&self.token).json(body).await
    }

    async fn get(&self, path: &str) -> TestResponse {
        self.site.server.get(path).authorization_bearer(&self.token).await
    }
}

async fn abandon_takes_no_body_where_its_reason_is_optional() {
    let client = Client::new().await;
    let path = format!("/api/1/tasks/{}/abandon", client.waiting);
    let answer = client.site.server.post(&path).authorization_bearer(&client.token).await;
    assert_eq!(answer.status_code(), 202, "{}", answer.text());
}

async fn reschedule_and_abandon_answer_the_task() {
    let client = Client::new().await;
    let at = format!("/api/1/tasks/{}", client.waiting);
    let later = client.site.test_db.clock.now() + chrono::TimeDelta::hours(2);
    let moved = client.post(&format!("{at}/reschedule"), &json!({ "triggerDate": later })).await;
    assert_eq!(moved.status_code(), 202);
    assert_eq!(
        (moved.header("location"), moved.json::<Value>()["state"].clone()),
        (at.parse().unwrap(), json!("SCHEDULED"))
    );
    assert_eq!(moved.json::<Value>(), client.get(&at).await.json::<Value>());
    let given_up = client.post(&format!("{at}/abandon"), &json!({})).await;
    assert_eq!((given_up.status_code().as_u16(), given_up.json::<Value>()["state"].clone()), (202, json!("CANCELLED")));
    assert_eq!(given_up.json::<Value>(), client.get(&at).await.json::<Value>());
}

async fn the_page_of_an_undone_task_says_so_and_offers_no_undo() {
    let client = Client::new().await;
    let id = client.site.finished_task().await;
    let undo = format!("/api/1/tasks/{id}/undo");
    assert_eq!(client.post(&undo, &json!({})).await.status_code(), 202);
    client.site.work().await;
    let again = client.post(&undo, &json!({})).await;
    assert_eq!((again.status_code().as_u16(), again.json::<Value>()["code"].clone()), (409, json!("undone")));
    client.site.sign_in("coach").await;
    let page = client.site.server.get(&format!("/tasks/{id}")).add_header("accept", "text/html").await.text();
    assert!(page.contains("Undone") && !page.contains("Undo…"));
}

async fn the_preview_of_an_email_above_the_limit_says_so() {
    let client = Client::with("mail.limit = 2").await;
    let email = json!({
        "target": { "everyone": true }, "subject": "x", "body": "y", "toPrimary": true, "toSecondary": false,
    });
    let preview: Value = client.post("/api/1/people/email/preview", &email).await.json();
    assert!(preview["willChange"].as_u64() > Some(2), "{preview}");
    assert_eq!(preview["limit"], 2);
    assert!(preview["refusal"].as_str().unwrap().contains("at most 2."), "{preview}");
    let mut submit = email.clone();
    submit["previewToken"] = preview["previewToken"].clone();
    let refused: Value = client.post("/api/1/people/email", &submit).await.json();
    assert_eq!(refused["detail"], preview["refusal"]);
}

async fn the_type_of_a_problem_leads_to_what_it_means() {
    let client = Client::with("http.public_url = 'https://docket.northfield.example'").await;
    let problem: Value = client.get("/api/1/people?campus=Main").await.json();
    assert_eq!(problem["code"], "invalid");
    let address = problem["type"].as_str().unwrap();
    let (page, place) = address.strip_prefix("https://docket.northfield.example").unwrap().split_once('#').unwrap();
    // Whoever is refused for want of a sign-in can read it, too.
    let page = client.site.server.get(page).await;
    assert_eq!((page.status_code().as_u16(), page.content_type()), (200, "text/html; charset=utf-8".to_owned()));
    assert!(page.text().contains(&format!("id=\"{place}\"")), "{place}");
}

async fn csv_opens_in_excel_and_programs_ask_for_it_bare() {
    let client = Client::new().await;
    let (ledger, mut files) = (client.site.finished_task().await, Vec::new());
    for bom in ["", "?bom=false", "?bom=true"] {
        let path = format!("/api/1/tasks/{ledger}/people{bom}");
        let file = client.site.server.get(&path).authorization_bearer(&client.token).add_header("accept", "text/csv");
        files.push(file.await.text());
        files.push(client.get(&format!("/tasks/{ledger}/people.csv{bom}")).await.text());
        let admin = client.site.token("admin").await;
        files.push(client.site.server.get(&format!("/admin/audit.csv{bom}")).authorization_bearer(admin).await.text());
        let mut export = json!({ "format": "CSV" });
        if bom == "?bom=false" {
            export["bom"] = json!(false);
        }
        let export = client.site.finished("export", export).await;
        files.push(client.get(&format!("/api/1/tasks/{export}/file")).await.text());
    }
    let begins: Vec<_> = files.iter().map(|file| file.starts_with(BOM)).collect();
    assert_eq!(begins, [[true; 4], [false; 4], [true; 4]].concat());
    let refused = client.get(&format!("/tasks/{ledger}/people.csv?bom=maybe")).await;
    assert_eq!(refused.json::<Value>()["errors"][0]["field"], "bom");
}
