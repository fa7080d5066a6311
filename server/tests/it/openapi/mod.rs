//! The document of the REST interface describes what there is, and nothing else: routes, parameters, bodies and answers.

mod actions;
mod answers;
mod bodies;
mod document;
mod parameters;

use axum_test::TestResponse;
use serde_json::{Value, json};

use crate::{json_schemas::sample, site::Site};

/// The calls of the document, with their paths and methods.
fn calls(document: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    paths.flat_map(|(path, item)| {
        item.as_object().unwrap().iter().map(move |(method, call)| (path.as_str(), method.as_str(), call))
    })
}

/// A site, its document, and how to send to it as its administrator.
struct Described {
    site: Site,
    document: Value,
    token: String,
    person: String,
    task: String,
    /// A task that waits for a second person.
    waiting: String,
}

impl Described {
    async fn new() -> Described {
        let site = Site::with("queue.self_test = true\napprovals.kinds = \"early-alert\"").await;
        let (task, person, token) = (site.finished_task().await, site.somebody().await, site.token("admin").await);
        let waiting = site.finished("early-alert", json!({ "alertReason": "GRADES" })).await;
        let schedule =
            "INSERT INTO schedule (name, expression, time_zone, paused) VALUES ('nightly', '0 3 * * *', 'UTC', FALSE)";
        site.test_db.db.write(schedule, []).await.unwrap();
        let document = site.server.get("/api/1/openapi.json").authorization_bearer(&token).await.json();
        Described { site, document, token, person, task, waiting }
    }

    fn at(&self, path: &str) -> String {
        let id = match path {
            path if path.contains("/people/{id}") => &self.person,
            path if path.contains("/approvals/{id}") => &self.waiting,
            _ => &self.task,
        };
        let name = if path.contains("schedules") { "nightly" } else { "audit" };
        path.replace("{id}", id).replace("{kind}", "self-test").replace("{name}", name)
    }

    async fn get(&self, path: &str) -> TestResponse {
        self.site.server.get(path).authorization_bearer(&self.token).await
    }

    async fn post(&self, path: &str, body: &Value) -> TestResponse {
        self.site.server.post(&self.at(path)).authorization_bearer(&self.token).json(body).await
    }

    /// A text of this format that the handlers can do something with.
    fn text(&self, format: &str) -> Value {
        match format {
            "uuid" => json!(self.person),
            "date" => json!("2026-08-31"),
            "date-time" => json!(self.site.test_db.clock.now() + chrono::TimeDelta::days(1)),
            _ => json!("G1-0000001"),
        }
    }

    /// A body with every member for each way to say whom it is about.
    fn bodies(&self, call: &Value) -> Vec<Value> {
        let body = self.body(call, true);
        let ways = self.document["components"]["schemas"]["Target"]["oneOf"].as_array().unwrap();
        let ways = if body.get("target").is_some() { ways.as_slice() } else { &[] };
        let by = |way| {
            let target = sample(&self.document, way, true, &|format| self.text(format));
            let mut body = body.clone();
            body["target"] = target;
            body
        };
        if ways.is_empty() { vec![body.clone()] } else { ways.iter().map(by).collect() }
    }

    fn body(&self, call: &Value, whole: bool) -> Value {
        let schema = &call["requestBody"]["content"]["application/json"]["schema"];
        sample(&self.document, schema, whole, &|format| self.text(format))
    }
}

/// Whether it was understood: done, or refused for what it says. Whoever is not let in, what is not there and what broke shows
/// nothing of that.
fn is_taken(answer: &TestResponse) -> bool {
    let text = answer.text();
    let is_foreign = text.contains("called “") || text.contains("does not have the expected form");
    matches!(answer.status_code().as_u16(), 200..300 | 400 | 409 | 422) && !is_foreign
}

/// What is wrong, without what is of this one request.
fn said(answer: &TestResponse) -> Value {
    let answer: Value = serde_json::from_str(&answer.text()).unwrap_or_default();
    answer["errors"].clone()
}
