//! Bodies and stored requests that are nested a hundred thousand levels deep: they are refused with the name of their field, and
//! nothing runs out of stack over them.

use axum::{
    body::Body,
    http::{Method, header},
};
use serde_json::{Value, json};
use server::actor;
use testkit::On;
use uuid::Uuid;

use crate::{
    access::{SERVER_FUNCTIONS, Sent, routes},
    site::{Site, request},
};

testkit::tests!(within testkit::LONGEST * 5; whatever_is_nested_deeply_is_refused_with_the_name_of_its_field);

/// Levels: far more than any stack has room for, and as many as the shortest body may have.
const LEVELS: [usize; 2] = [100_000, 5_000];
/// Stands where something deep is put.
const HERE: &str = "deep goes here";

testkit::on_both!(a_stored_request_that_is_nested_deeply_is_a_fault_of_that_task_alone);

/// So many arrays or objects within each other, and so many arrays that nothing closes.
fn deep(levels: usize) -> [String; 3] {
    let within = |open: &str, middle: &str, close: &str| open.repeat(levels) + middle + &close.repeat(levels);
    [within("[", "", "]"), within("{\"a\":", "1", "}"), within("[", "", "")]
}

async fn answered(site: &Site, token: &str, method: &Method, path: &str, kind: &str, body: String) -> (u16, Value) {
    let request = request(method.clone(), path, Some(token)).header(header::CONTENT_TYPE, kind);
    let answer = site.send(request.header(header::ACCEPT, "application/json").body(Body::from(body)).unwrap()).await;
    let status = answer.status().as_u16();
    let body = axum::body::to_bytes(answer.into_body(), 1_000_000).await.unwrap();
    (status, serde_json::from_slice(&body).unwrap_or_default())
}

/// Before any database is asked.
async fn whatever_is_nested_deeply_is_refused_with_the_name_of_its_field() {
    let site = Site::on(On::Sqlite, "queue.self_test = true").await;
    let (task, person, token) = (site.finished_task().await, site.somebody().await, site.token("admin").await);
    let (mut asked, mut wrong) = (0, Vec::new());
    for (method, path, sent, _) in routes(site.coach_id.person()) {
        let Sent::Json(usual) = sent else { continue };
        // To the directory nobody's own token opens anything.
        if path.starts_with(actor::DOOR) {
            continue;
        }
        let uri = path
            .replace("{id}", if path.contains("people/{id}") { &person } else { &task })
            .replace("{person}", &person)
            .replace("{kind}", "export")
            .replace("{name}", "audit");
        for deep in LEVELS.into_iter().flat_map(deep) {
            let mut bodies = vec![("", deep.clone())];
            let names = usual.as_object().unwrap().keys().map(String::as_str).chain(["nobodyKnowsThis"]);
            for name in names {
                let mut body = usual.clone();
                body[name] = json!(HERE);
                bodies.push((name, body.to_string().replace(&format!("\"{HERE}\""), &deep)));
            }
            for (name, body) in bodies {
                let fits = body.len() < 60_000;
                let ends_well = !deep.ends_with('[');
                let (status, problem) = answered(&site, &token, &method, &uri, "application/json", body).await;
                asked += 1;
                let says = problem["detail"].as_str().unwrap_or_default();
                let field = problem["errors"][0]["field"].as_str().unwrap_or_default();
                // Whether there is anything to decide for them is asked before what they send is read.
                let is_unread = status == 404 && path.starts_with("/api/1/approvals/");
                let named = name.is_empty() || !fits || !ends_well || field == name || is_unread;
                if !(400..500).contains(&status) || says.is_empty() || !named {
                    wrong.push(format!("{method} {path}, {name}: {status} {problem}"));
                }
            }
        }
    }
    for (path, form, _) in SERVER_FUNCTIONS {
        let uri = format!("/api/page/{path}");
        for levels in LEVELS {
            let [arrays, objects, _] = deep(levels);
            for body in [&arrays, &objects] {
                let (status, _) = answered(&site, &token, &Method::POST, &uri, "application/json", body.clone()).await;
                asked += 1;
                if status >= 500 {
                    wrong.push(format!("{path} with JSON: {status}"));
                }
            }
            let name = form.split('=').next().unwrap_or_default();
            let brackets = format!("{name}{}=x", "[a]".repeat(levels));
            for body in [brackets, format!("{name}={arrays}"), format!("{name}={}", objects.replace('"', "%22"))] {
                let kind = "application/x-www-form-urlencoded";
                let (status, _) = answered(&site, &token, &Method::POST, &uri, kind, body).await;
                asked += 1;
                if status >= 500 {
                    wrong.push(format!("{path} with a form: {status}"));
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "of {asked} requests");
    assert!(asked > 800, "{asked}");
}

async fn a_stored_request_that_is_nested_deeply_is_a_fault_of_that_task_alone(on: On) {
    let site = Site::on(on, "").await;
    let token = site.token("admin").await;
    let submit = async || {
        let body = json!({ "target": { "everyone": true }, "programStatus": "INACTIVE" });
        let coach = site.token("coach").await;
        let task: Value =
            site.server.post("/api/1/people/program-status").authorization_bearer(coach).json(&body).await.json();
        task["id"].as_str().unwrap().to_owned()
    };
    for column in ["execution_spec", "execution_state"] {
        for deep in deep(LEVELS[0]) {
            let (odd, usual) = (submit().await, submit().await);
            let id = Uuid::parse_str(&odd).unwrap();
            let sql = format!("UPDATE queued_task SET {column} = $1 WHERE id = $2");
            site.test_db.db.write(&sql, [deep.as_str().into(), id.into()]).await.unwrap();
            site.work().await;
            for path in [
                format!("/tasks/{odd}"),
                format!("/admin/tasks/{odd}"),
                "/tasks?scope=all".into(),
                "/admin/tasks".into(),
            ] {
                let page = site.server.get(&path).authorization_bearer(&token).await;
                assert_eq!(page.status_code(), 200, "{path} with {column}");
            }
            let read: Value = site.server.get(&format!("/api/1/tasks/{odd}")).authorization_bearer(&token).await.json();
            let said = match column {
                "execution_spec" => ("ERROR", "Docket could not read what was asked for."),
                _ => ("FAILURE", "Docket could not tell where to resume."),
            };
            assert_eq!((read["status"].as_str(), read["trouble"].as_str()), (Some(said.0), Some(said.1)), "{read}");
            let read: Value =
                site.server.get(&format!("/api/1/tasks/{usual}")).authorization_bearer(&token).await.json();
            assert_eq!(read["status"], "COMPLETED", "its neighbour");
        }
    }
}
