//! What must hold after a history besides what must hold after everything: nobody was told what is not so, and nobody was taken
//! for dead who lived.

use std::collections::{BTreeMap, BTreeSet};

use model::{Instant, TaskId, WorkflowStatus};
use sea_orm::{ConnectionTrait, FromQueryResult};

use super::{history::FOR_GOOD, operators::Told};
use crate::{
    fixture::{Fixture, settings},
    invariants,
};

/// The tasks that were taken from a process of which nobody had reason to think that it was dead. What is past its deadline may
/// be taken from anybody, by hand.
pub async fn taken_from_the_living(f: &Fixture, silent: &BTreeSet<String>) -> Vec<String> {
    let sql =
        "SELECT task_id, process, started_date, stopped_date FROM task_attempt WHERE outcome IN ('RESCUED', 'POISON')";
    let rows = f.test.db.reader().query_all_raw(f.test.db.statement(sql, [])).await.unwrap();
    let mut taken = Vec::new();
    for row in &rows {
        let (id, process): (TaskId, String) =
            (row.try_get("", "task_id").unwrap(), row.try_get("", "process").unwrap());
        let [started, stopped] = ["started_date", "stopped_date"].map(|at| row.try_get::<Instant>("", at).unwrap());
        let had = (stopped - started).to_std().unwrap_or_default();
        if !silent.contains(&process) && had < settings().deadline {
            taken.push(format!("{id} was taken from {process}, which lives"));
        }
    }
    taken
}

/// Every broken promise, in words. `overdue` says whether a deadline can have passed.
pub async fn broken(f: &Fixture, told: &Told, overdue: bool) -> Vec<String> {
    let mut broken = invariants::broken(f).await;
    let tasks = queue::Task::find_by_statement(f.test.db.statement("SELECT * FROM queued_task", []))
        .all(f.test.db.reader())
        .await
        .unwrap();
    if tasks.len() != told.submitted.len() {
        broken.push(format!("{} tasks of {} that were submitted", tasks.len(), told.submitted.len()));
    }
    for task in &tasks {
        let (id, steps) = (task.id, told.submitted.get(&task.id));
        let in_doubt = told.in_doubt.contains(&id);
        let given_up = told.given_up.get(&id).copied().unwrap_or_default();
        match task.workflow_status {
            WorkflowStatus::Completed if steps != Some(&task.succeeded) => {
                broken.push(format!("{id} is completed with {} of {steps:?} steps", task.succeeded));
            }
            WorkflowStatus::Completed if given_up > 0 => {
                broken.push(format!("{id} is completed after it was given up"))
            }
            WorkflowStatus::Abandoned if given_up == 0 && !in_doubt => {
                broken.push(format!("{id} was given up by nobody"));
            }
            WorkflowStatus::Failure if task.failures < task.max_failures && task.crashes < 3 && !is_for_good(task) => {
                broken.push(format!("{id} failed after {} failures and {} crashes", task.failures, task.crashes));
            }
            WorkflowStatus::Error => broken.push(format!("{id} could not start")),
            _ => {}
        }
        if given_up > 1 {
            broken.push(format!("{id} was given up {given_up} times"));
        }
    }
    let mut ends = BTreeMap::<TaskId, u32>::new();
    let sql = "SELECT task_id, outcome, error_code FROM task_attempt";
    for row in f.test.db.reader().query_all_raw(f.test.db.statement(sql, [])).await.unwrap() {
        let id: TaskId = row.try_get("", "task_id").unwrap();
        let outcome: String = row.try_get::<Option<_>>("", "outcome").unwrap().unwrap_or_default();
        let code: Option<String> = row.try_get("", "error_code").unwrap();
        *ends.entry(id).or_default() += u32::from(matches!(outcome.as_str(), "FAILED" | "POISON"));
        if code.as_deref() == Some("deadline") && !overdue {
            broken.push(format!("{id} was called overdue"));
        }
    }
    for (id, retried) in &told.retried {
        let ends = ends.get(id).copied().unwrap_or_default();
        if *retried > ends {
            broken.push(format!("{id} was tried again {retried} times after {ends} ends"));
        }
    }
    broken
}

fn is_for_good(task: &queue::Task) -> bool {
    task.workflow_status_desc.as_ref().is_some_and(|why| why.starts_with(FOR_GOOD.name()))
}
