//! Submits self-tests, where a setting allows them: tasks that exercise the queue and treat nobody.

use std::time::Duration;

use model::{Instant, Problem, Submitted};
use queue::{NewTask, self_test};
use serde_json::json;

use crate::{
    Actor, Error, Result,
    audit::entry::{self, By, Entry},
    caseload::Actions,
    limits::enqueue,
    submit::send::submitted,
};

/// The most tasks of one request.
const MOST: u32 = 10_000;

/// How many ids the audit keeps of one request.
const KEPT: usize = 1_000;

/// What a self-test request asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SelfTestRequest {
    /// How many tasks; 1 when absent.
    pub count: Option<u32>,
    pub sleep_ms: u64,
    pub hold_ms: u64,
    pub chunks: Option<u32>,
    pub outcome: self_test::SelfTestEnding,
    pub fail_times: u32,
    pub trigger_date: Option<Instant>,
}

impl Actions<'_> {
    /// Submits self-tests. Where they are not allowed, there is no such thing.
    pub async fn self_test(self, actor: &Actor, request: SelfTestRequest) -> Result<Vec<Submitted>> {
        actor.administers()?;
        if !self.0.inner.self_test {
            return Err(Problem::not_found("page").into());
        }
        let count = request.count.unwrap_or(1);
        if !(1..=MOST).contains(&count) {
            return Err(Problem::field("count", "out_of_range", format!("Ask for 1 to {MOST} tasks.")).into());
        }
        let chunks = request.chunks.unwrap_or(1);
        if !(1..=self_test::MAX_CHUNKS).contains(&chunks) {
            let message = format!("Ask for 1 to {} steps.", self_test::MAX_CHUNKS);
            return Err(Problem::field("chunks", "out_of_range", message).into());
        }
        for (name, time) in [("sleepMs", request.sleep_ms), ("holdMs", request.hold_ms)] {
            if Duration::from_millis(time) > self_test::MAX_SLEEP {
                let message = format!("{name} is at most {}.", self_test::MAX_SLEEP.as_millis());
                return Err(Problem::field(name, "out_of_range", message).into());
            }
        }
        let spec = self_test::SelfTestSpec {
            sleep_ms: request.sleep_ms,
            hold_ms: request.hold_ms,
            chunks,
            outcome: request.outcome,
            fail_times: request.fail_times,
        };
        let spec = serde_json::to_value(spec).map_err(|error| Error::Internal(error.to_string()))?;
        let txn = self.0.db().begin_write().await?;
        let mut tasks = Vec::new();
        for _ in 0..count {
            let mut new = NewTask::new(self_test::KIND, spec.clone(), actor.person_id);
            new.trigger_date = request.trigger_date;
            tasks.push(enqueue::enqueue(self.0, &txn, new).await?.task());
        }
        let ids: Vec<_> = tasks.iter().map(|task| task.id).take(KEPT).collect();
        let detail = json!({ "kind": self_test::KIND, "count": tasks.len(), "tasks": ids });
        let entry =
            Entry { by: By::Actor(actor), action: "tasks.submit", object_kind: "tasks", object_id: None, detail };
        entry::record(self.0.db(), &txn, entry).await?;
        self.0.db().commit(txn).await?;
        for task in &tasks {
            tracing::info!(task = %task.id, kind = self_test::KIND, "task submitted");
            self.0.queue().announce(task);
        }
        Ok(tasks.iter().map(submitted).collect())
    }
}
