//! What must hold after every scenario, whatever went wrong in it.

use std::collections::HashMap;

use model::{TaskId, WorkflowStatus};
use sea_orm::{ConnectionTrait, FromQueryResult};

use crate::fixture::Fixture;

/// Every broken invariant, in words; none when all is well. To be asked when nothing runs any more.
pub async fn broken(f: &Fixture) -> Vec<String> {
    let db = &f.test.db;
    let mut broken = Vec::new();
    let tasks =
        queue::Task::find_by_statement(db.statement("SELECT * FROM queued_task", [])).all(db.reader()).await.unwrap();
    let effects = effects(f).await;
    for task in &tasks {
        let id = task.id;
        if task.workflow_status.is_running() || task.scheduled_by_process.is_some() {
            broken.push(format!("{id} is left running"));
        }
        if task.failures > task.max_failures {
            broken.push(format!("{id} has {} failures of {}", task.failures, task.max_failures));
        }
        let treated = task.succeeded + task.skipped + task.failed + task.uncertain;
        if task.total.is_some_and(|total| treated > total) {
            broken.push(format!("{id} treated {treated} of {:?}", task.total));
        }
        let done = effects.get(&id).cloned().unwrap_or_default();
        let mut steps: Vec<i64> = done.iter().map(|(step, _)| *step).collect();
        steps.sort_unstable();
        if steps != (1..=done.len() as i64).collect::<Vec<_>>() {
            broken.push(format!("{id} has the effects {done:?}"));
        }
        if task.execution_component_name == "steps" && task.succeeded != done.len() as i64 {
            broken.push(format!("{id} counts {} of the effects {done:?}", task.succeeded));
        }
        // In the order of the steps the attempts never go back: nothing of a fenced one came after its replacement's.
        if !done.is_sorted_by_key(|(_, attempt)| *attempt) {
            broken.push(format!("{id} has effects of a fenced attempt: {done:?}"));
        }
        if task.workflow_status == WorkflowStatus::Completed && task.total != Some(treated) {
            broken.push(format!("{id} is completed with {treated} of {:?}", task.total));
        }
        let attempts = f.queue.attempts(id).await.unwrap();
        if !attempts.iter().enumerate().all(|(n, attempt)| attempt.attempt == n as i32 + 1) {
            broken.push(format!("{id} has attempts with gaps"));
        }
        if attempts.len() as i32 != task.attempt || attempts.iter().any(|attempt| attempt.stopped_date.is_none()) {
            broken.push(format!("{id}: attempt {} of {} rows, or one without an end", task.attempt, attempts.len()));
        }
    }
    broken
}

async fn effects(f: &Fixture) -> HashMap<TaskId, Vec<(i64, i32)>> {
    let db = &f.test.db;
    let sql = "SELECT task_id, step, attempt FROM effect ORDER BY task_id, step, attempt";
    let mut effects: HashMap<TaskId, Vec<(i64, i32)>> = HashMap::new();
    for row in db.reader().query_all_raw(db.statement(sql, [])).await.unwrap() {
        let id = row.try_get("", "task_id").unwrap();
        effects.entry(id).or_default().push((row.try_get("", "step").unwrap(), row.try_get("", "attempt").unwrap()));
    }
    effects
}
