//! Processes are exchanged one by one, and the newer ones know a kind of task that the older ones do not. Those leave such tasks
//! alone and show them, in words, from the submit to the end; the newer ones run them.

use std::sync::Arc;

use async_trait::async_trait;
use axum::{
    body::{Body, to_bytes},
    http::{Method, header},
};
use caseload::{Caseload, Exports, files::Files, mail::Mail};
use model::{TaskErrorCode, TaskId, WorkflowStatus};
use queue::{Chunk, ChunkContext, Executor, Failure, NewTask, Progress, Queue, Run, Runtime, Step, Task};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use server::config::Config;
use testkit::On;
use tokio::sync::watch;

use crate::site::{MINE, Site, request};

testkit::on_both!(
    what_a_newer_process_does_is_shown_by_an_older_one_and_left_to_it,
    a_request_that_says_more_than_an_older_process_knows_is_shown_by_it,
);

const KIND: &str = "text-message";
/// How the older version calls one in lists.
const TITLE: &str = "Task of a newer version (text-message)";

/// Writes a text to everybody, one in each chunk. After the first one it waits; the last one fails if it is asked to.
struct TextMessages(Arc<watch::Sender<bool>>);

struct Texts {
    goes_on: watch::Receiver<bool>,
    fails: bool,
}

impl Executor for TextMessages {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn build(&self, spec: &Value) -> Result<Box<dyn Run>, String> {
        let fails = spec["action"]["fails"].as_bool().ok_or("fails: yes or no")?;
        Ok(Box::new(Texts { goes_on: self.0.subscribe(), fails }))
    }
}

#[async_trait]
impl Run for Texts {
    async fn prepare(&mut self, ahead: &ChunkContext<'_>) -> Result<(), Failure> {
        if ahead.bookmark["sent"].as_i64().is_some() {
            let _ = self.goes_on.wait_for(|goes_on| *goes_on).await;
        }
        Ok(())
    }

    async fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<Step, Failure> {
        let sent = chunk.bookmark["sent"].as_i64().unwrap_or_default() + 1;
        if self.fails && sent > 1 {
            return Err(Failure::permanent(TaskErrorCode::Internal, "the carrier would not"));
        }
        let line = "INSERT INTO task_person (task_id, position, person_id, outcome, reason, outcome_date)
            SELECT $1, $2, id, 'DONE', NULL, {now} FROM person WHERE student AND id NOT IN (
                SELECT person_id FROM task_person WHERE task_id = $1) ORDER BY id LIMIT 1";
        chunk.txn.execute_raw(chunk.db.test_statement(line, [chunk.task.id.into(), sent.into()])).await?;
        let progress = Progress { bookmark: json!({ "sent": sent }), succeeded: 1, ..Progress::default() };
        Ok(if sent == MINE.cast_signed() { Step::Done(progress) } else { Step::More(progress) })
    }
}

/// The older version, with a newer process on the same database.
struct Exchange {
    older: Site,
    coach: String,
    admin: String,
    newer: Queue,
    goes_on: Arc<watch::Sender<bool>>,
}

impl Exchange {
    async fn on(on: On) -> Exchange {
        let older = Site::on(on, "").await;
        let goes_on = Arc::new(watch::Sender::new(false));
        let mail = Mail::new(Config::from_text("").unwrap().mail).unwrap();
        let registry = Caseload::registry(&Exports::with_defaults(Files::in_memory()), &mail);
        let registry = registry.with(TextMessages(goes_on.clone()));
        let newer = Queue::new(older.test_db.db.clone(), registry, older.caseload.queue().settings().clone());
        let (coach, admin) = (older.token("coach").await, older.token("admin").await);
        Exchange { older, coach, admin, newer, goes_on }
    }

    /// What the newer version takes for a request.
    async fn submit(&self, fails: bool) -> TaskId {
        let spec = json!({ "action": { "kind": "TEXT_MESSAGE", "body": "Come by", "fails": fails }, "carrier": "any" });
        let db = &self.older.test_db.db;
        let txn = db.begin_write().await.unwrap();
        let new = NewTask { total: Some(MINE.cast_signed()), ..NewTask::new(KIND, spec, self.older.coach_id) };
        let task = self.newer.enqueue(&txn, new).await.unwrap().task();
        db.commit(txn).await.unwrap();
        task.id
    }

    /// What an address of the older version answers, which is never a mistake of its own.
    async fn get(&self, token: &str, path: &str) -> String {
        let page = if path.starts_with("/api/") { "application/json" } else { "text/html" };
        let request = request(Method::GET, path, Some(token)).header(header::ACCEPT, page).body(Body::empty());
        let answer = self.older.send(request.unwrap()).await;
        let status = answer.status();
        let body = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        let body = String::from_utf8(body.to_vec()).unwrap();
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    /// Everything that shows a task, with these words on each of its pages and this state by REST.
    async fn look(&self, id: TaskId, title: &str, kind: &str, status: WorkflowStatus) {
        for path in ["/tasks", &format!("/tasks/{id}")] {
            let page = self.get(&self.coach, path).await;
            assert!(page.contains(title), "{path}: {page}");
        }
        for path in
            ["/tasks?scope=all", "/admin/tasks", &format!("/admin/tasks?kind={kind}"), &format!("/admin/tasks/{id}")]
        {
            let page = self.get(&self.admin, path).await;
            assert!(page.contains(title), "{path}: {page}");
        }
        for path in [
            "/admin",
            "/admin/processes",
            "/admin/failures",
            &format!("/admin/kinds/{kind}"),
            &format!("/tasks?kind={kind}"),
        ] {
            self.get(&self.admin, path).await;
        }
        for path in ["/api/1/admin/queue", "/api/1/admin/kinds", "/api/1/admin/processes", "/api/1/admin/failures"] {
            self.get(&self.admin, path).await;
        }
        let (seen, known) = ("/api/1/tasks?scope=all", "/api/1/admin/tasks");
        for path in [seen, known, &format!("{seen}&kind={kind}"), &format!("{known}?kind={kind}")] {
            let all: Value = serde_json::from_str(&self.get(&self.admin, path).await).unwrap();
            let row = all["items"].as_array().unwrap().iter().find(|row| row["id"] == json!(id));
            let row = row.unwrap_or_else(|| panic!("{path}: {all}"));
            let expected = (&json!(title), &json!(kind), &json!(status.name()));
            assert_eq!((&row["title"], &row["kind"], &row["status"]), expected, "{path}");
        }
        let task: Value = serde_json::from_str(&self.get(&self.coach, &format!("/api/1/tasks/{id}")).await).unwrap();
        assert_eq!((&task["title"], &task["status"]), (&json!(title), &json!(status.name())));
        self.get(&self.admin, &format!("/api/1/admin/tasks/{id}")).await;
    }

    /// The older version does all that it does by itself, and the task stays as it is. Whoever claims first lets it into line.
    async fn is_left_alone(&self, id: TaskId) {
        let stands = async || Task { in_line: true, ..self.newer.task(id).await.unwrap().unwrap() };
        let before = stands().await;
        self.older.work().await;
        assert_eq!(self.older.runtime.rescue().await.unwrap(), 0);
        assert_eq!(stands().await, before);
    }
}

async fn what_a_newer_process_does_is_shown_by_an_older_one_and_left_to_it(on: On) {
    let x = Exchange::on(on).await;
    let id = x.submit(false).await;
    x.is_left_alone(id).await;
    x.look(id, TITLE, KIND, WorkflowStatus::Queued).await;
    let page = x.get(&x.coach, &format!("/tasks/{id}")).await;
    assert!(page.contains("This version of Docket cannot run tasks of this kind."), "{page}");

    let newer = Runtime::unguarded(&x.newer).await.unwrap();
    newer.tick().await.unwrap();
    crate::binary::until("the first text", async || x.newer.task(id).await.unwrap().unwrap().succeeded == 1).await;
    x.is_left_alone(id).await;
    x.look(id, TITLE, KIND, WorkflowStatus::Executing).await;
    // What the older one runs of its own goes on beside it.
    x.older.finished_task().await;
    x.is_left_alone(id).await;

    x.goes_on.send_replace(true);
    newer.idle().await;
    x.look(id, TITLE, KIND, WorkflowStatus::Completed).await;
    let ledger: Value = serde_json::from_str(&x.get(&x.coach, &format!("/api/1/tasks/{id}/people")).await).unwrap();
    assert_eq!(ledger["items"].as_array().unwrap().len(), MINE as usize, "{ledger}");
    let file = x.get(&x.coach, &format!("/tasks/{id}/people.csv")).await;
    assert_eq!(file.lines().count(), MINE as usize + 1, "{file}");

    let failed = x.submit(true).await;
    newer.tick().await.unwrap();
    newer.idle().await;
    let db = &x.older.test_db.db;
    for sql in [
        "UPDATE queued_task SET workflow_status_desc = 'carrier_refused: no more texts' WHERE workflow_status = 'FAILURE'",
        "UPDATE task_attempt SET outcome = 'REFUSED', error_code = 'carrier_refused' WHERE outcome = 'FAILED'",
    ] {
        assert_eq!(db.write(sql, []).await.unwrap(), 1);
    }
    x.look(failed, TITLE, KIND, WorkflowStatus::Failure).await;
    // Whoever retries it on a page of the older version lets the newer one do it.
    let retry = format!("/api/1/tasks/{failed}/retry");
    x.older.server.post(&retry).authorization_bearer(&x.coach).json(&json!({})).await.assert_status_success();
    x.is_left_alone(failed).await;
    x.look(failed, TITLE, KIND, WorkflowStatus::Queued).await;
    // The older one is the last to be exchanged.
    x.older.runtime.drain().await;
    assert_eq!(newer.tick().await.unwrap(), 1);
    newer.idle().await;
    assert_eq!(x.newer.task(failed).await.unwrap().unwrap().attempt, 2);
}

/// Of a kind that both know: what it says beyond that is no reason to call it something else.
async fn a_request_that_says_more_than_an_older_process_knows_is_shown_by_it(on: On) {
    let x = Exchange::on(on).await;
    let id: TaskId = x.older.finished_task().await.parse().unwrap();
    let said =
        r#"UPDATE queued_task SET execution_spec = REPLACE(execution_spec, '"frozen"', '"carrier":"any","frozen"')"#;
    assert_eq!(x.older.test_db.db.write(said, []).await.unwrap(), 1);
    x.look(id, "Task of a newer version (program-status)", "program-status", WorkflowStatus::Completed).await;
}
