//! The lines of a ledger as tasks write and find them.

use model::{
    Outcome, SkipReason, TaskId,
    ledger::{FailReason, LedgerFilter},
};
use queue::{Database, TaskTable};
use sea_orm::{
    ConnectionTrait, DbErr,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    Actor,
    actions::definition::Definition,
    statement::{composed, sql},
    tasks::{ledger_range::Range, locked_people::Part},
};

/// A ledger of more lines is told to the planner before it is walked.
const LARGE: i64 = 10_000;

/// Lets PostgreSQL know of the lines that were just written. While it takes a task for one without lines, it goes through all
/// of them for each line of a chunk.
pub async fn update_statistics(db: &Database, txn: &impl ConnectionTrait, lines: i64) -> Result<(), DbErr> {
    match lines > LARGE {
        true => db.count_rows_for_plans(txn, "task_person").await,
        false => Ok(()),
    }
}

/// Whoever is skipped for this reason is a name to whose task it is, and nothing else.
pub const OUT_OF_REACH: &str = SkipReason::OutOfReach.name();

/// Writes who of a part is done and who is skipped and why, with what is there now and what will be.
pub(crate) async fn write_verdicts(part: &Part<'_>, definition: &dyn Definition, actor: &Actor) -> Result<(), DbErr> {
    let (range, line) = (part.range, definition.line(actor));
    let known = sql("(judged.verdict IS NULL OR judged.verdict <> $1)", [OUT_OF_REACH.into()]);
    // The range once more is for the planner of PostgreSQL. SQLite would find the lines by it, and then go through all of
    // `judged` for each.
    let judge = "WITH judged AS MATERIALIZED (
            SELECT tp.position, $1 AS verdict, $2 AS before_value, $3 AS after_value, $4 AS former_date
            FROM task_person tp LEFT JOIN person p ON p.id = tp.person_id AND p.student
            WHERE tp.task_id = $5 AND tp.position > $6 AND tp.position <= $7 AND tp.outcome IS NULL
        )
        UPDATE task_person SET
            outcome = CASE WHEN judged.verdict IS NULL THEN 'DONE' ELSE 'SKIPPED' END, reason = judged.verdict,
            before_value = CASE WHEN $8 THEN judged.before_value END,
            former_date = CASE WHEN $8 THEN judged.former_date END,
            after_value = CASE WHEN judged.verdict IS NULL THEN judged.after_value END, outcome_date = $9
        FROM judged WHERE task_person.task_id = $5 AND task_person.position = judged.position AND $10";
    let (task, after, to) = (range.task_id.into(), range.after.into(), range.to.into());
    let in_range = match part.db.guesses() {
        true => sql("task_person.position > $1 AND task_person.position <= $2", [range.after.into(), range.to.into()]),
        false => Expr::cust("TRUE"),
    };
    let told = [definition.verdict(actor), line.before, line.after, line.former];
    let parts = told.into_iter().chain([task, after, to, known, part.at.into(), in_range]);
    part.txn.execute_raw(composed(part.db, judge, parts)).await.map(drop)
}

/// Writes that the one person of a part could not be changed.
pub async fn fail(part: &Part<'_>, reason: FailReason) -> Result<(), DbErr> {
    let range = part.range;
    let sql = "UPDATE task_person SET outcome = 'FAILED', reason = $4, outcome_date = $5
               WHERE task_id = $1 AND position > $2 AND position <= $3 AND outcome IS NULL";
    let values = [range.task_id.into(), range.after.into(), range.to.into(), reason.name().into(), part.at.into()];
    part.txn.execute_raw(part.db.statement(sql, values)).await?;
    Ok(())
}

/// Outcomes counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub done: i64,
    pub skipped: i64,
    pub failed: i64,
    pub uncertain: i64,
}

/// The number of the last line of a ledger.
pub async fn length(db: &Database, txn: &impl ConnectionTrait, task_id: TaskId) -> Result<i64, DbErr> {
    let sql = "SELECT COALESCE(MAX(position), 0) AS last FROM task_person WHERE task_id = $1";
    let row = txn.query_one_raw(db.statement(sql, [task_id.into()])).await?;
    row.map_or(Ok(0), |row| row.try_get("", "last"))
}

/// The condition that a line has one of these outcomes; `outcome` is its column.
pub fn with_outcome(outcomes: &[LedgerFilter], outcome: &Expr) -> Expr {
    let any = outcomes.iter().map(|wanted| match wanted {
        LedgerFilter::Open => outcome.clone().is_null(),
        wanted => outcome.clone().eq(wanted.name()),
    });
    any.fold(Expr::cust("FALSE"), |all, next| all.or(next))
}

/// The condition that the line `tp` of a task is to be treated again: it has one of these outcomes, and no other task of the
/// same kind and origin, but those that this one came from, has done it since or is still to come to it.
pub fn to_treat_again(task: TaskId, outcomes: &[LedgerFilter]) -> Expr {
    let wanted = with_outcome(outcomes, &Expr::cust("tp.outcome"));
    if outcomes.contains(&LedgerFilter::Done) {
        // What was done is put back.
        return sql("($1)", [wanted]);
    }
    let t = TaskTable("t");
    sql(
        "(($1) AND (tp.person_id IS NULL OR tp.person_id NOT IN (
            SELECT again.person_id FROM task_person again JOIN $3 ON $4 = again.task_id
            WHERE again.person_id IS NOT NULL AND again.task_id IN ($2)
            AND (again.outcome IN ('DONE', 'UNCERTAIN') OR again.outcome IS NULL AND $5))))",
        [wanted, queue::repetitions(task), t.table(), t.id(), t.is_open()],
    )
}

/// Counts the outcomes of a range.
pub async fn tally(db: &Database, txn: &impl ConnectionTrait, range: &Range) -> Result<Tally, DbErr> {
    let rows = txn
        .query_all_raw(db.statement(
            "SELECT outcome, COUNT(*) AS count FROM task_person
             WHERE task_id = $1 AND position > $2 AND position <= $3 AND outcome IS NOT NULL GROUP BY outcome",
            [range.task_id.into(), range.after.into(), range.to.into()],
        ))
        .await?;
    let mut tally = Tally::default();
    for row in rows {
        let (outcome, count): (Outcome, i64) = (row.try_get("", "outcome")?, row.try_get("", "count")?);
        match outcome {
            Outcome::Done => tally.done = count,
            Outcome::Skipped => tally.skipped = count,
            Outcome::Failed => tally.failed = count,
            Outcome::Uncertain => tally.uncertain = count,
        }
    }
    Ok(tally)
}
