//! Takes tasks that are due for this process, in one statement.

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, Value};

use crate::{Database, Settings, Task};

/// Claims up to `limit` due tasks of the given kinds for `process`, in the order of engine.md: rescued first, then by
/// priority, then fewer failures, then older. Each gets its next attempt number and a deadline. The index
/// `queued_task_claim` gives the order.
pub async fn claim(
    db: &Database,
    txn: &DatabaseTransaction,
    settings: &Settings,
    kinds: &[&str],
    process: &str,
    limit: u32,
) -> Result<Vec<Task>, DbErr> {
    if kinds.is_empty() || limit == 0 {
        return Ok(Vec::new());
    }
    let mut values: Vec<Value> = vec![process.into(), i64::from(limit).into(), settings.deadline.as_secs_f64().into()];
    let mut bind = |value: Value| {
        values.push(value);
        format!("${}", values.len())
    };
    let known = kinds.iter().map(|kind| bind((*kind).into())).collect::<Vec<_>>().join(", ");
    let mut deadline = "$3".to_owned();
    for (kind, limit) in &settings.deadline_per_kind {
        let (kind, limit) = (bind(kind.as_str().into()), bind(limit.as_secs_f64().into()));
        deadline = format!("CASE WHEN execution_component_name = {kind} THEN {limit} ELSE {deadline} END");
    }
    // MATERIALIZED, because a planner that ran the inner query once for each row would take more than the limit.
    let sql = format!(
        "WITH picked AS MATERIALIZED (
            SELECT id FROM queued_task
            WHERE workflow_status = 'QUEUED' AND trigger_date <= {{now}} AND execution_component_name IN ({known})
            ORDER BY rescued DESC, priority DESC, failures, id
            LIMIT $2 {}
        )
        UPDATE queued_task SET
            workflow_status = 'SCHEDULING', scheduled_by_process = $1, scheduling_started_date = {{now}},
            execution_started_date = NULL, workflow_status_desc = NULL, attempt = attempt + 1, progressed = FALSE,
            rescued = FALSE, deadline = {{after:{deadline}}}, modified_date = {{now}}
        WHERE id IN (SELECT id FROM picked) AND workflow_status = 'QUEUED'
        RETURNING *",
        if db.is_postgres() { "FOR UPDATE SKIP LOCKED" } else { "" },
    );
    let rows = txn.query_all_raw(db.statement(&sql, values)).await?;
    let mut tasks = rows.iter().map(|row| Task::from_query_result(row, "")).collect::<Result<Vec<_>, _>>()?;
    // RETURNING has no order of its own.
    tasks.sort_by_key(|task| (-task.priority, task.failures, task.id));
    if !tasks.is_empty() {
        txn.execute_raw(db.statement(
            "INSERT INTO task_attempt (task_id, attempt, process, started_date)
             SELECT id, attempt, scheduled_by_process, {now} FROM queued_task
             WHERE scheduled_by_process = $1 AND workflow_status = 'SCHEDULING'
             ON CONFLICT DO NOTHING",
            [process.into()],
        ))
        .await?;
    }
    Ok(tasks)
}
