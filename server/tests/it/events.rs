//! The event stream: who hears what, and when it ends.

use axum::{
    body::{Body, BodyDataStream},
    http::{Method, header},
};
use futures::StreamExt;
use serde_json::{Value, json};

use crate::site::{PASSWORD, Site, request};

testkit::tests!(
    a_task_is_heard_of_until_it_is_done,
    nobody_hears_of_a_task_that_they_may_not_see,
    a_topic_narrows_the_stream_to_one_task,
    a_quiet_stream_says_that_it_is_alive,
    a_stop_ends_the_stream,
    a_disabled_account_is_off_the_stream_within_seconds,
    signing_out_ends_the_streams_of_that_session,
);

/// An open stream, read event by event.
struct Heard {
    body: BodyDataStream,
    text: String,
}

impl Heard {
    async fn open(site: &Site, token: &str, topics: &str) -> Heard {
        let path = format!("/events?topics={topics}");
        let answer = site.send(request(Method::GET, &path, Some(token)).body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status(), 200);
        assert_eq!(answer.headers()[header::CONTENT_TYPE], "text/event-stream");
        assert_eq!(answer.headers()["x-accel-buffering"], "no");
        assert!(!answer.headers().contains_key(header::CONTENT_ENCODING));
        Heard { body: answer.into_body().into_data_stream(), text: String::new() }
    }

    /// The next event as its name and data; `None` at the end of the stream.
    async fn next(&mut self) -> Option<(String, Value)> {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let line =
                    |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim();
                let heard = (line("event:").to_owned(), serde_json::from_str(line("data:")).unwrap_or_default());
                self.text = rest.to_owned();
                if heard.0 == "alive" {
                    continue;
                }
                return Some(heard);
            }
            let chunk = self.body.next().await?;
            self.text.push_str(std::str::from_utf8(&chunk.unwrap()).unwrap());
        }
    }
}

async fn submit(site: &Site, token: &str) -> String {
    let body = json!({ "target": { "everyone": true }, "programStatus": "ACTIVE" });
    let answer = site.server.post("/api/1/people/program-status").authorization_bearer(token).json(&body).await;
    answer.json::<Value>()["id"].as_str().unwrap().to_owned()
}

async fn a_task_is_heard_of_until_it_is_done() {
    let site = Site::new().await;
    let token = site.token("coach").await;
    let mut heard = Heard::open(&site, &token, "tasks").await;
    let id = submit(&site, &token).await;
    site.work().await;
    let mut states = Vec::new();
    while states.last().map(String::as_str) != Some("COMPLETED") {
        let (name, row) = heard.next().await.unwrap();
        assert_eq!((name.as_str(), row["id"].as_str()), ("task", Some(id.as_str())));
        states.push(row["status"].as_str().unwrap().to_owned());
    }
    assert_eq!(states.first().map(String::as_str), Some("QUEUED"));
    let listed: Value = site.server.get("/api/1/tasks").authorization_bearer(&token).await.json();
    assert_eq!(listed["items"][0]["status"], "COMPLETED");
}

async fn a_quiet_stream_says_that_it_is_alive() {
    let site = Site::new().await;
    let token = site.token("coach").await;
    let mut heard = Heard::open(&site, &token, "tasks").await;
    while !heard.text.contains("event: alive") {
        heard.text.push_str(std::str::from_utf8(&heard.body.next().await.unwrap().unwrap()).unwrap());
    }
}

async fn nobody_hears_of_a_task_that_they_may_not_see() {
    let site = Site::new().await;
    let (coach, other) = (site.token("coach").await, site.token("other").await);
    let mut heard = Heard::open(&site, &other, "tasks").await;
    submit(&site, &coach).await;
    let own = submit(&site, &other).await;
    // The first that is heard is their own, though the other one was first.
    assert_eq!(heard.next().await.unwrap().1["id"].as_str(), Some(own.as_str()));
}

async fn a_topic_narrows_the_stream_to_one_task() {
    let site = Site::new().await;
    let token = site.token("coach").await;
    let wanted = submit(&site, &token).await;
    let mut heard = Heard::open(&site, &token, &format!("task:{wanted}")).await;
    submit(&site, &token).await;
    site.work().await;
    assert_eq!(heard.next().await.unwrap().1["id"].as_str(), Some(wanted.as_str()));
}

async fn a_stop_ends_the_stream() {
    let site = Site::new().await;
    let mut heard = Heard::open(&site, &site.token("coach").await, "tasks").await;
    site.state.closing.0.cancel();
    assert!(heard.next().await.is_none());
    assert_eq!(site.server.get("/readyz").await.status_code(), 503);
}

async fn a_disabled_account_is_off_the_stream_within_seconds() {
    let site = Site::new().await;
    let mut heard = Heard::open(&site, &site.token("coach").await, "tasks").await;
    site.caseload.by_command().disable("coach").await.unwrap();
    assert!(heard.next().await.is_none());
}

async fn signing_out_ends_the_streams_of_that_session() {
    let site = Site::new().await;
    let credentials = json!({ "username": "coach", "password": PASSWORD });
    let cookie = site.server.post("/api/1/session").json(&credentials).await.cookie("docket");
    let open = request(Method::GET, "/events?topics=tasks", None).header(header::COOKIE, cookie.to_string());
    let answer = site.send(open.body(Body::empty()).unwrap()).await;
    assert_eq!(answer.status(), 200);
    let mut heard = Heard { body: answer.into_body().into_data_stream(), text: String::new() };
    site.server.delete("/api/1/session").await.assert_status_no_content();
    assert!(heard.next().await.is_none());
}
