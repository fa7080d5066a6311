//! Makes picked tasks a process's own.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, Statement, Value};
use uuid::Uuid;

use crate::{Database, Settings, Task, database::binds::one_of, random};

/// Takes those of these that wait and that nobody has locked, in their order.
pub async fn take(
    db: &Database,
    txn: &DatabaseTransaction,
    settings: &Settings,
    process: &str,
    picked: &[Uuid],
) -> Result<Vec<Task>, DbErr> {
    let rows = txn.query_all_raw(taking(db, settings, process, picked)).await?;
    let mut tasks = rows.iter().map(|row| Task::from_query_result(row, "")).collect::<Result<Vec<_>, _>>()?;
    // RETURNING has no order of its own.
    tasks.sort_by_key(|task| picked.iter().position(|id| *id == task.id));
    let mut values = Vec::new();
    let these = one_of(&mut values, "id", tasks.iter().map(|task| task.id));
    let attempts = format!(
        "INSERT INTO task_attempt (task_id, attempt, process, started_date, submit_order)
         SELECT id, attempt, scheduled_by_process, {{now}}, submit_order FROM queued_task WHERE {these}"
    );
    txn.execute_raw(db.statement(&attempts, values)).await?;
    Ok(tasks)
}

/// What somebody else has locked, who may hold it for long, is passed over. The status is looked at once the row is locked, and
/// not to find it by, since there is an index of those that wait.
pub fn taking(db: &Database, settings: &Settings, process: &str, picked: &[Uuid]) -> Statement {
    let mut values: Vec<Value> = vec![process.into(), settings.deadline.as_secs_f64().into(), random::fence().into()];
    let mut deadline = "$2".to_owned();
    for (kind, limit) in &settings.deadline_per_kind {
        values.push(kind.as_str().into());
        values.push(limit.as_secs_f64().into());
        let (kind, limit) = (values.len() - 1, values.len());
        deadline = format!("CASE WHEN execution_component_name = ${kind} THEN ${limit} ELSE {deadline} END");
    }
    let these = one_of(&mut values, "id", picked.iter().copied());
    let sql = format!(
        "WITH picked AS MATERIALIZED (SELECT id, workflow_status FROM queued_task WHERE {these} {})
         UPDATE queued_task SET
            workflow_status = 'SCHEDULING', scheduled_by_process = $1, scheduling_started_date = {{now}},
            execution_started_date = NULL, workflow_status_desc = NULL, attempt = attempt + 1, fence = $3, progressed = FALSE,
            rescued = FALSE, deadline = {{after:{deadline}}}, modified_date = {{now}}
         WHERE id IN (SELECT id FROM picked WHERE workflow_status = 'QUEUED')
         RETURNING *",
        if db.is_postgres() { "FOR UPDATE SKIP LOCKED" } else { "" },
    );
    db.statement(&sql, values)
}
