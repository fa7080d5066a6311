//! The line of those who wait, and the one rule of its order: rescued first, then priority, then fewer failures, then whoever
//! was submitted first. The number of a submit is given by the database within the submit's transaction, so that neither an
//! id, which may be a preview's and half an hour older, nor the clock of any machine decides it.
//!
//! A task is in line once its date has come, which is from its submit unless it was to start later. The indexes are of those
//! in line, so that what starts tomorrow is not walked along; whose date has come meanwhile is let in by the next claim. Each
//! owner has a line of each kind, so that one who is at a limit can be passed over at once. SQLite is told the index, since
//! it knows nothing of how many there are.

use model::{AccountId, TaskId};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, QueryResult, Statement, Value, sea_query::Expr};

use super::{
    due::{QUARANTINE, Told},
    room::Room,
};
use crate::{Database, Task, TaskColumn, database::binds::one_of};

/// How many are let in at once.
pub const AT_ONCE: usize = 1_000;
/// How far the first look goes.
pub const HEAD: usize = 100;
/// From how many lines one look takes, at most: a statement has a limit of its parts.
pub const LINES: usize = 50;

/// Which of two goes first.
#[derive(Clone, Copy)]
enum GoesFirst {
    Higher,
    Lower,
}

/// Where a task has what is compared.
type Of = fn(&Task) -> Value;

/// What is compared, the most decisive first, and where a task has it. The indexes `queued_task_claim`, and `queued_task_line`
/// after kind and owner, are of these.
const ORDER: [(&str, GoesFirst, Of); 4] = [
    ("rescued", GoesFirst::Higher, |task| task.rescued.into()),
    ("priority", GoesFirst::Higher, |task| task.priority.into()),
    ("failures", GoesFirst::Lower, |task| task.failures.into()),
    ("submit_order", GoesFirst::Lower, |task| task.submit_order.into()),
];

/// The columns of the order.
fn columns() -> String {
    ORDER.map(|(column, ..)| column).join(", ")
}

/// The terms of an ORDER BY.
fn order() -> String {
    let terms = ORDER.map(|(column, first, _)| match first {
        GoesFirst::Higher => format!("{column} DESC"),
        GoesFirst::Lower => column.to_owned(),
    });
    terms.join(", ")
}

/// The condition of a task that goes before this one; its values are added to `values`.
fn ahead_of(task: &Task, values: &mut Vec<Value>) -> String {
    ORDER.iter().rev().fold("1 = 0".to_owned(), |otherwise, (column, first, of)| {
        values.push(of(task));
        let (own, before) = (values.len(), if matches!(first, GoesFirst::Higher) { ">" } else { "<" });
        format!("({column} {before} ${own} OR ({column} = ${own} AND {otherwise}))")
    })
}

/// How many go before each of these tasks, counted among the first `most` in line and the first `most` whose date has come and that the next
/// claim lets in. Whoever is in line comes in the order of the index, so that the look costs the same however many wait.
pub fn places(db: &Database, tasks: &[&Task], most: u64) -> Statement {
    let mut values = Vec::new();
    let counts = tasks.iter().enumerate().map(|(at, task)| {
        let ahead = ahead_of(task, &mut values);
        format!("SELECT {at} AS place, (SELECT COUNT(*) FROM front WHERE {ahead}) AS ahead")
    });
    let counts = counts.collect::<Vec<_>>().join(" UNION ALL ");
    let (columns, order) = (columns(), order());
    let sql = format!(
        "WITH front AS MATERIALIZED (
            SELECT * FROM (SELECT {columns} FROM queued_task {{by queued_task_claim}}
                WHERE {IN_LINE} ORDER BY {order} LIMIT {most}) AS line
            UNION ALL SELECT * FROM (SELECT {columns} FROM queued_task {{by queued_task_coming}}
                WHERE workflow_status = 'QUEUED' AND NOT in_line AND trigger_date <= {{now}}
                ORDER BY trigger_date LIMIT {most}) AS coming)
         {counts} ORDER BY place"
    );
    db.statement(&sql, values)
}

/// The words of the partial indexes.
const IN_LINE: &str = "workflow_status = 'QUEUED' AND in_line";

/// What is written so that a task that has been submitted starts at an instant: it leaves the line until then.
pub fn starts_at(instant: Expr) -> [(TaskColumn, Expr); 2] {
    [(TaskColumn::TriggerDate, instant), (TaskColumn::InLine, false.into())]
}

/// The line of an owner's tasks of a kind.
pub struct Line {
    pub owner: AccountId,
    pub kind: String,
}

impl Line {
    pub fn read(row: &QueryResult) -> Result<Line, DbErr> {
        Ok(Line { owner: row.try_get("", "owner")?, kind: row.try_get("", "kind")? })
    }
}

/// Those whose date has come and that are not in line yet, the earliest first. Whoever is locked comes later.
pub fn coming(db: &Database) -> Statement {
    let sql = format!(
        "SELECT id FROM queued_task {{by queued_task_coming}}
         WHERE workflow_status = 'QUEUED' AND NOT in_line AND trigger_date <= {{now}} ORDER BY trigger_date LIMIT $1 {}",
        if db.is_postgres() { "FOR UPDATE SKIP LOCKED" } else { "" },
    );
    db.statement(&sql, [(AT_ONCE as i64).into()])
}

/// Lets into the line whose date has come, [`AT_ONCE`] at most. Returns how many.
pub async fn let_in(db: &Database, txn: &DatabaseTransaction) -> Result<usize, DbErr> {
    let rows = txn.query_all_raw(coming(db)).await?;
    if rows.is_empty() {
        return Ok(0);
    }
    let ids = rows.iter().map(|row| row.try_get::<TaskId>("", "id")).collect::<Result<Vec<_>, _>>()?;
    let mut values = Vec::new();
    let these = one_of(&mut values, "id", ids.into_iter());
    txn.execute_raw(db.statement(&format!("UPDATE queued_task SET in_line = TRUE WHERE {these}"), values)).await?;
    Ok(rows.len())
}

/// What the claim wants to know of a task.
fn seen(ready: &str, quarantine: usize) -> String {
    format!(
        "id, owner_id, execution_component_name AS kind, crashes >= ${quarantine} AS alone, ({ready}) AS ready, {}",
        columns()
    )
}

/// The first [`HEAD`] in line, whoever they are.
pub fn head(db: &Database, told: &Told) -> Statement {
    let mut values: Vec<Value> = vec![(HEAD as i64).into(), QUARANTINE.into()];
    let ours = told.condition(&mut values);
    let ready = format!(
        "trigger_date <= {{now}} AND {ours} AND NOT EXISTS (SELECT 1 FROM paused_kind WHERE kind = execution_component_name)"
    );
    let sql = format!(
        "SELECT {} FROM queued_task {{by queued_task_claim}} WHERE {IN_LINE} ORDER BY {} LIMIT $1",
        seen(&ready, 2),
        order()
    );
    db.statement(&sql, values)
}

/// The lines of those who have room, by the first in each that may start; no more than `most`. Each owner costs two looks into
/// the index, however long the line.
pub fn of_each(db: &Database, room: &Room<'_>, told: &Told, tried: &[TaskId], most: usize) -> Statement {
    let mut values: Vec<Value> = vec![(most as i64).into()];
    let kinds: Vec<String> = room
        .open_kinds()
        .map(|kind| {
            values.push(kind.into());
            format!("SELECT ${} AS kind", values.len())
        })
        .collect();
    let kinds = if kinds.is_empty() { "SELECT NULL AS kind".to_owned() } else { kinds.join(" UNION ALL ") };
    let full = room.is_full_owner("line.owner", "line.kind", &mut values);
    let (ours, tried) = (told.condition(&mut values), one_of(&mut values, "id", tried.iter().copied()));
    let next = |kind: &str, after: &str| {
        format!(
            "(SELECT owner_id FROM queued_task {{by queued_task_line}}
              WHERE {IN_LINE} AND execution_component_name = {kind} {after} ORDER BY owner_id LIMIT 1)"
        )
    };
    let sql = format!(
        "WITH RECURSIVE known AS ({kinds}),
         line(kind, owner) AS (
            SELECT kind, {} FROM known WHERE kind NOT IN (SELECT kind FROM paused_kind)
            UNION ALL SELECT kind, {} FROM line WHERE owner IS NOT NULL)
         SELECT line.kind, line.owner FROM line JOIN queued_task head ON head.id = (
            SELECT id FROM queued_task {{by queued_task_line}}
            WHERE {IN_LINE} AND execution_component_name = line.kind AND owner_id = line.owner
              AND trigger_date <= {{now}} AND {ours} AND NOT {tried} ORDER BY {} LIMIT 1)
         WHERE line.owner IS NOT NULL AND NOT {full}
         ORDER BY {} LIMIT $1",
        next("known.kind", ""),
        next("line.kind", "AND owner_id > line.owner"),
        order(),
        order(),
    );
    db.statement(&sql, values)
}

/// The first `most` of these lines together that may start, and of each line as many as there is room for. As many lines as
/// tasks are enough, since the head of each other line comes after as many.
pub fn first_of(
    db: &Database,
    room: &Room<'_>,
    told: &Told,
    tried: &[TaskId],
    lines: &[Line],
    most: usize,
) -> Statement {
    let mut values: Vec<Value> = vec![(most as i64).into(), QUARANTINE.into()];
    let (ours, tried) = (told.condition(&mut values), one_of(&mut values, "id", tried.iter().copied()));
    let lines = lines.iter().enumerate().map(|(at, line)| {
        let room = room.left_for(line.owner, &line.kind).min(most);
        values.extend([line.kind.as_str().into(), line.owner.into(), Value::from(room as i64)]);
        let last = values.len();
        format!(
            "SELECT * FROM (SELECT {} FROM queued_task {{by queued_task_line}}
                WHERE {IN_LINE} AND execution_component_name = ${} AND owner_id = ${}
                  AND trigger_date <= {{now}} AND {ours} AND NOT {tried} ORDER BY {} LIMIT ${last}) AS line{at}",
            seen("1 = 1", 2),
            last - 2,
            last - 1,
            order(),
        )
    });
    let lines = lines.collect::<Vec<_>>().join(" UNION ALL ");
    db.statement(&format!("{lines} ORDER BY {} LIMIT $1", order()), values)
}
