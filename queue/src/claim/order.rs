//! The line of those who wait, and the one rule of its order: rescued first, then priority, then fewer failures, then whoever
//! was submitted first. The number of a submit is given by the database within the submit's transaction, so that neither an
//! id, which may be a preview's and half an hour older, nor the clock of any machine decides it.
//!
//! A task is in line once its date has come, which is from its submit unless it was to start later. The indexes are of those
//! in line, so that what starts tomorrow is not walked along; whose date has come meanwhile is let in by the next claim. Each
//! owner has a line of each kind, so that one who is at a limit can be passed over at once. SQLite is told the index, since
//! it knows nothing of how many there are.

use model::{AccountId, TaskId};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, Iden, QueryResult, Statement, Value,
    sea_query::{Expr, ExprTrait, Query},
};

use super::{
    capacity::Room,
    due::{BrokerHints, goes_on, is_due, runs_alone},
};
use crate::{
    Database, Task, TaskColumn as Column, TaskEntity, Transaction,
    database::compose::{literal, union_all},
};

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
const ORDER: [(Column, GoesFirst, Of); 4] = [
    (Column::Rescued, GoesFirst::Higher, |task| task.rescued.into()),
    (Column::Priority, GoesFirst::Higher, |task| task.priority.into()),
    (Column::Failures, GoesFirst::Lower, |task| task.failures.into()),
    (Column::SubmitOrder, GoesFirst::Lower, |task| task.submit_order.into()),
];

/// The columns of the order.
fn columns() -> Expr {
    Expr::cust(ORDER.map(|(column, ..)| column.to_string()).join(", "))
}

/// The terms of an ORDER BY.
fn order() -> Expr {
    let terms = ORDER.map(|(column, first, _)| match first {
        GoesFirst::Higher => format!("{} DESC", column.to_string()),
        GoesFirst::Lower => column.to_string(),
    });
    Expr::cust(terms.join(", "))
}

/// The condition of a task that goes before this one.
fn ahead_of(task: &Task) -> Expr {
    ORDER.into_iter().rev().fold(Expr::cust("1 = 0"), |otherwise, (column, first, of)| {
        let (column, own) = (Expr::col(column), Expr::val(of(task)));
        let is_before = match first {
            GoesFirst::Higher => column.clone().gt(own.clone()),
            GoesFirst::Lower => column.clone().lt(own.clone()),
        };
        is_before.or(column.eq(own).and(otherwise))
    })
}

/// How many go before each of these tasks, counted among the first `most` in line and the first `most` whose date has come and that the next
/// claim lets in. Whoever is in line comes in the order of the index, so that the look costs the same however many wait.
pub fn places(db: &Database, tasks: &[&Task], most: u64) -> Statement {
    let counts = (0_i32..).zip(tasks).map(|(place, task)| {
        let ahead = Query::select().expr(Expr::cust("COUNT(*)")).from("front").and_where(ahead_of(task)).take();
        Query::select().expr_as(literal(place), "place").expr_as(Expr::from(ahead), "ahead").take()
    });
    let sql = "WITH front AS MATERIALIZED (
            SELECT * FROM (SELECT $1 FROM queued_task {by queued_task_claim} WHERE $2 ORDER BY $3 LIMIT $4) AS line
            UNION ALL SELECT * FROM (SELECT $1 FROM queued_task {by queued_task_coming}
                WHERE workflow_status = 'QUEUED' AND NOT in_line AND trigger_date <= $6
                ORDER BY trigger_date LIMIT $4) AS coming)
         SELECT * FROM $5 AS places ORDER BY place";
    db.composed(sql, [columns(), in_line(), order(), literal(most), union_all(counts).into(), db.instant()])
}

/// The condition of the partial indexes, in their words.
fn in_line() -> Expr {
    Expr::cust("workflow_status = 'QUEUED' AND in_line")
}

/// What is written so that a task that has been submitted starts at an instant: it leaves the line until then.
pub fn starts_at(instant: Expr) -> [(Column, Expr); 2] {
    [(Column::TriggerDate, instant), (Column::InLine, false.into())]
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
    let sql = "SELECT id FROM queued_task {by queued_task_coming}
         WHERE workflow_status = 'QUEUED' AND NOT in_line AND trigger_date <= $1
         ORDER BY trigger_date LIMIT $2 {for update, or skip}";
    db.composed(sql, [db.instant(), (AT_ONCE as i64).into()])
}

/// Lets into the line whose date has come, [`AT_ONCE`] at most. Returns how many.
pub async fn let_in(db: &Database, txn: &Transaction) -> Result<usize, DbErr> {
    let rows = txn.query_all_raw(coming(db)).await?;
    if rows.is_empty() {
        return Ok(0);
    }
    let ids = rows.iter().map(|row| row.try_get::<TaskId>("", "id")).collect::<Result<Vec<_>, _>>()?;
    let mut update = Query::update();
    update.table(TaskEntity).value(Column::InLine, true).and_where(Column::Id.is_in(ids));
    txn.execute_raw(db.build(&update)).await?;
    Ok(rows.len())
}

/// What the claim wants to know of a task, and whether it is ready.
fn seen(db: &Database, ready: Expr) -> Expr {
    let sql = "id, owner_id, execution_component_name AS kind, $1 AS alone, $2 AS ready, $3";
    db.condition(sql, [runs_alone(db, "crashes"), ready, columns()])
}

/// The first [`HEAD`] in line, whoever they are.
pub fn head(db: &Database, told: &BrokerHints) -> Statement {
    let ready = db.condition("($1 AND $2 AND $3)", [is_due(db), told.condition(db), goes_on()]);
    let sql = "SELECT $1 FROM queued_task {by queued_task_claim} WHERE $2 ORDER BY $3 LIMIT $4";
    db.composed(sql, [seen(db, ready), in_line(), order(), (HEAD as i64).into()])
}

/// The lines of those who have room, by the first in each that may start; no more than `most`. Each owner costs two looks into
/// the index, however long the line.
pub fn of_each(db: &Database, room: &Room<'_>, told: &BrokerHints, tried: &[TaskId], most: usize) -> Statement {
    let known = |kind: Expr| Query::select().expr_as(kind, "kind").take();
    let mut kinds: Vec<_> = room.open_kinds().map(|kind| known(kind.into())).collect();
    if kinds.is_empty() {
        kinds.push(known(Expr::null()));
    }
    let full = room.is_full_owner(Expr::col(("line", "owner")), Expr::col(("line", "kind")));
    let first = "(SELECT owner_id FROM queued_task {by queued_task_line}
        WHERE $1 AND execution_component_name = known.kind ORDER BY owner_id LIMIT 1)";
    let next = "(SELECT owner_id FROM queued_task {by queued_task_line}
        WHERE $1 AND execution_component_name = line.kind AND owner_id > line.owner ORDER BY owner_id LIMIT 1)";
    let [first, next] = [first, next].map(|sql| db.condition(sql, [in_line()]));
    let sql = "WITH RECURSIVE known AS $1,
         line(kind, owner) AS (
            SELECT kind, $2 FROM known WHERE kind NOT IN (SELECT kind FROM paused_kind)
            UNION ALL SELECT kind, $3 FROM line WHERE owner IS NOT NULL)
         SELECT line.kind, line.owner FROM line JOIN queued_task head ON head.id = (
            SELECT id FROM queued_task {by queued_task_line}
            WHERE $4 AND execution_component_name = line.kind AND owner_id = line.owner
              AND $5 ORDER BY $6 LIMIT 1)
         WHERE line.owner IS NOT NULL AND NOT ($7)
         ORDER BY $6 LIMIT $8";
    let may_start = may_start(db, told, tried);
    let kinds = union_all(kinds).into();
    db.composed(sql, [kinds, first, next, in_line(), may_start, order(), full, (most as i64).into()])
}

/// The condition of a task that is due, not left to others, and not one of those that were tried.
fn may_start(db: &Database, told: &BrokerHints, tried: &[TaskId]) -> Expr {
    let tried = Column::Id.is_in(tried.iter().copied());
    db.condition("$1 AND $2 AND NOT ($3)", [is_due(db), told.condition(db), tried])
}

/// The first `most` of these lines together that may start, and of each line as many as there is room for. As many lines as
/// tasks are enough, since the head of each other line comes after as many.
pub fn first_of(
    db: &Database,
    room: &Room<'_>,
    told: &BrokerHints,
    tried: &[TaskId],
    lines: &[Line],
    most: usize,
) -> Statement {
    let may_start = may_start(db, told, tried);
    let of_line = |line: &Line| {
        let room = room.left_for(line.owner, &line.kind).min(most) as i64;
        let first = "SELECT * FROM (SELECT $1 FROM queued_task {by queued_task_line}
                WHERE $2 AND execution_component_name = $3 AND owner_id = $4 AND $5
                ORDER BY $6 LIMIT $7) AS first";
        let (seen, kind, owner) = (seen(db, Expr::cust("TRUE")), line.kind.as_str().into(), line.owner.into());
        db.condition(first, [seen, in_line(), kind, owner, may_start.clone(), order(), room.into()])
    };
    let lines = db.one_after_the_other(lines.iter().map(of_line));
    db.composed("$1 ORDER BY $2 LIMIT $3", [lines.unwrap_or_else(Expr::null), order(), (most as i64).into()])
}
