//! Two pairs of eyes over HTTP: the pages of both sides, the form of the decision, and the same for programs.

use axum_test::TestResponse;
use serde_json::{Value, json};
use testkit::On;

use crate::site::{MINE, Site};

testkit::on_both!(
    the_form_of_a_decision_leads_back_and_loses_nothing,
    an_export_is_not_said_to_keep_to_its_people,
    programs_decide_by_the_number_that_they_saw,
);

const HTML: &str = "text/html";

fn location(answer: &TestResponse) -> String {
    assert_eq!(answer.status_code(), 303, "{}", answer.text());
    answer.header("location").to_str().unwrap().to_owned()
}

async fn page(site: &Site, path: &str) -> String {
    let answer = site.server.get(path).add_header("accept", HTML).await;
    assert_eq!(answer.status_code(), 200, "{path}: {}", answer.text());
    // Pages end each text with a mark.
    answer.text().replace("<!>", "")
}

/// A task of the coach's about all of their people, which waits.
async fn asked(site: &Site) -> String {
    let token = site.token("coach").await;
    let body = json!({ "target": { "everyone": true }, "programStatus": "INACTIVE" });
    let task = site.server.post("/api/1/people/program-status").authorization_bearer(&token).json(&body).await;
    assert_eq!(task.status_code(), 202);
    site.work().await;
    task.json::<Value>()["id"].as_str().unwrap().to_owned()
}

async fn status(site: &Site, id: &str) -> Value {
    let token = site.token("coach").await;
    let task = site.server.get(&format!("/api/1/tasks/{id}")).authorization_bearer(&token).await;
    task.json::<Value>()["status"].clone()
}

async fn the_form_of_a_decision_leads_back_and_loses_nothing(on: On) {
    let site = Site::on(on, "approvals.above = 5").await;
    let id = asked(&site).await;
    assert_eq!(status(&site, &id).await, "UNAPPROVED");
    site.sign_in("coach").await;
    let own = page(&site, &format!("/tasks/{id}")).await;
    assert!(own.contains("Nothing has happened yet.") && own.contains("Test admin or Test manager"), "{own}");
    let theirs = page(&site, &format!("/approvals/{id}")).await;
    assert!(theirs.contains("Nobody decides on their own tasks.") && !theirs.contains("Your decision"), "{theirs}");
    let address = format!("/approvals/{id}");
    let refused = site.server.post(&address).form(&[("decide", "approve"), ("seen", "12")]).await;
    assert!(page(&site, &location(&refused)).await.contains("Nobody approves their own task"));

    site.sign_in("manager").await;
    let listed = page(&site, "/approvals").await;
    assert!(listed.contains(&format!("href=\"{address}\"")) && listed.contains("1 waiting"), "{listed}");
    assert!(listed.contains("Test coach asks for your approval"), "the bell tells of it");
    let shown = page(&site, &address).await;
    assert!(shown.contains("Waiting for your approval") && shown.contains("Approve 12 changes"), "{shown}");
    // Without a note it comes back, and says so at the field.
    let missing = site.server.post(&address).form(&[("decide", "decline"), ("note", " "), ("seen", "12")]).await;
    let missing = page(&site, &location(&missing)).await;
    assert!(missing.contains("Tell Test coach why you decline."), "{missing}");
    let long = "x".repeat(501);
    let long = site.server.post(&address).form(&[("decide", "approve"), ("note", &long), ("seen", "12")]).await;
    assert!(page(&site, &location(&long)).await.contains(&"x".repeat(501)), "what was typed is kept");
    // The numbers were others when the page was made.
    let drifted = site.server.post(&address).form(&[("decide", "approve"), ("seen", "100")]).await;
    assert!(page(&site, &location(&drifted)).await.contains("The list changed"));
    let declined = site.server.post(&address).form(&[("decide", "decline"), ("note", "Not <b>now</b>")]).await;
    assert_eq!(location(&declined), format!("{address}?done=declined"));
    let declined = page(&site, &address).await;
    assert!(declined.contains("Not &lt;b&gt;now&lt;/b&gt;") && !declined.contains("Your decision"), "{declined}");
    assert_eq!(status(&site, &id).await, "ABANDONED");

    site.sign_in("coach").await;
    let own = page(&site, &format!("/tasks/{id}")).await;
    assert!(own.contains("Change and ask again") && own.contains("Not &lt;b&gt;now&lt;/b&gt;"), "{own}");
    site.sign_in("other").await;
    let hidden = site.server.get(&address).add_header("accept", HTML).await;
    assert_eq!(hidden.status_code(), 404);
}

/// It said that nobody was added, below a column that did not add up to its sum.
async fn an_export_is_not_said_to_keep_to_its_people(on: On) {
    let site = Site::on(on, "approvals.kinds = \"export\"").await;
    let token = site.token("coach").await;
    let body = json!({ "target": { "everyone": true }, "format": "CSV" });
    let task = site.server.post("/api/1/people/export").authorization_bearer(&token).json(&body).await;
    let id = task.json::<Value>()["id"].as_str().unwrap().to_owned();
    let gone = "UPDATE person SET coach_id = NULL WHERE id = (SELECT id FROM person WHERE coach_id = $1 LIMIT 1)";
    site.test_db.db.write(gone, [site.coach_id.into()]).await.unwrap();
    site.sign_in("manager").await;
    let shown = page(&site, &format!("/approvals/{id}")).await;
    let now = MINE - 1;
    assert!(shown.contains(&format!("It is about {now} people now, not {MINE}.")), "{shown}");
    assert!(shown.contains("It reads whoever matches when it runs.") && !shown.contains("Nobody was added"), "{shown}");
    let sums = format!("<tfoot><tr><td class=\"num\">{MINE}</td><td class=\"num\">{now}</td>");
    assert!(shown.contains(&sums) && shown.contains("will be in the file"), "{shown}");
}

async fn programs_decide_by_the_number_that_they_saw(on: On) {
    let site = Site::on(on, "approvals.kinds = \"program-status\"\napprovals.drift = 0").await;
    let id = asked(&site).await;
    let [coach, manager] = [site.token("coach").await, site.token("manager").await];
    let waiting = async |token: &str, scope: &str| {
        let list = site.server.get(&format!("/api/1/approvals?scope={scope}")).authorization_bearer(token).await;
        list.json::<Value>().as_array().unwrap().len()
    };
    assert_eq!((waiting(&manager, "waiting").await, waiting(&coach, "asked").await), (1, 1));
    assert_eq!((waiting(&coach, "waiting").await, waiting(&manager, "asked").await), (0, 0));
    let address = format!("/api/1/approvals/{id}");
    let shown = site.server.get(&address).authorization_bearer(&manager).await.json::<Value>();
    assert_eq!(
        (&shown["state"], &shown["total"], &shown["canDecide"]),
        (&"WAITING".into(), &MINE.into(), &true.into())
    );
    let now = shown["willChangeNow"].as_u64().unwrap();
    let approve = async |token: &str, number: u64| {
        let body = json!({ "willChange": number, "note": "Fine" });
        site.server.post(&format!("{address}/approve")).authorization_bearer(token).json(&body).await
    };
    assert_eq!(approve(&coach, now).await.status_code(), 403);
    let drifted = approve(&manager, now + 1).await;
    assert_eq!((drifted.status_code().as_u16(), &drifted.json::<Value>()["code"]), (422, &"approval_drifted".into()));
    let approved = approve(&manager, now).await;
    assert_eq!((approved.status_code().as_u16(), &approved.json::<Value>()["state"]), (200, &"APPROVED".into()));
    let again = approve(&manager, now).await;
    assert_eq!((again.status_code().as_u16(), &again.json::<Value>()["code"]), (409, &"decided".into()));
    site.work().await;
    assert_eq!(status(&site, &id).await, "COMPLETED");
}
