//! The lines of a ledger as tasks write and find them.

use model::{
    Outcome, SkipReason, TaskId,
    ledger::{FailReason, LedgerFilter},
};
use queue::Database;
use sea_orm::{ConnectionTrait, DbErr};

use crate::{
    Actor,
    actions::rules::Rules,
    binds::Binds,
    tasks::{part::Part, range::Range},
};

/// A ledger of more lines is told to the planner before it is walked.
const LARGE: i64 = 10_000;

/// Lets PostgreSQL know of the lines that were just written. While it takes a task for one without lines, it goes through all
/// of them for each line of a chunk.
pub async fn tell_planner(db: &Database, txn: &impl ConnectionTrait, lines: i64) -> Result<(), DbErr> {
    if db.is_postgres() && lines > LARGE {
        txn.execute_raw(db.statement("ANALYZE task_person", [])).await?;
    }
    Ok(())
}

/// Whoever is skipped for this reason is a name to whose task it is, and nothing else.
pub const OUT_OF_REACH: &str = SkipReason::OutOfReach.name();

/// Writes who of a part is done and who is skipped and why, with what is there now and what will be.
pub(crate) async fn judge(part: &Part<'_>, rules: &dyn Rules, actor: &Actor) -> Result<(), DbErr> {
    let (range, mut binds) = (part.range, Binds::default());
    let (task, after, to) = (binds.add(range.task_id), binds.add(range.after), binds.add(range.to));
    let now = binds.add(part.at);
    let verdict = rules.verdict(actor, &mut binds);
    let line = rules.line(actor, &mut binds);
    // For the planner of PostgreSQL. SQLite would find the lines by it, and then go through all of `judged` for each.
    let within = match part.db.is_postgres() {
        true => format!("AND task_person.position > {after} AND task_person.position <= {to}"),
        false => String::new(),
    };
    let known = format!("(judged.verdict IS NULL OR judged.verdict <> '{OUT_OF_REACH}')");
    let sql = format!(
        "WITH judged AS MATERIALIZED (
            SELECT tp.position, {verdict} AS verdict, {} AS before_value, {} AS after_value, {} AS former_date
            FROM task_person tp LEFT JOIN person p ON p.id = tp.person_id AND p.student
            WHERE tp.task_id = {task} AND tp.position > {after} AND tp.position <= {to} AND tp.outcome IS NULL
        )
        UPDATE task_person SET
            outcome = CASE WHEN judged.verdict IS NULL THEN 'DONE' ELSE 'SKIPPED' END, reason = judged.verdict,
            before_value = CASE WHEN {known} THEN judged.before_value END,
            former_date = CASE WHEN {known} THEN judged.former_date END,
            after_value = CASE WHEN judged.verdict IS NULL THEN judged.after_value END, outcome_date = {now}
        FROM judged WHERE task_person.task_id = {task} AND task_person.position = judged.position {within}",
        line.before, line.after, line.former
    );
    part.txn.execute_raw(part.db.statement(&sql, binds.values())).await?;
    Ok(())
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

/// The condition that the line `alias` has one of these outcomes.
pub fn with_outcome(outcomes: &[LedgerFilter], alias: &str, binds: &mut Binds) -> String {
    let any = outcomes.iter().map(|outcome| match outcome {
        LedgerFilter::Open => format!("{alias}.outcome IS NULL"),
        outcome => format!("{alias}.outcome = {}", binds.add(outcome.name())),
    });
    format!("({})", any.chain(["FALSE".to_owned()]).collect::<Vec<_>>().join(" OR "))
}

/// The condition that the line `tp` of a task is to be treated again: it has one of these outcomes, and no other task of the
/// same kind and origin, but those that this one came from, has done it since or is still to come to it.
pub fn to_treat_again(task: TaskId, outcomes: &[LedgerFilter], binds: &mut Binds) -> String {
    let wanted = with_outcome(outcomes, "tp", binds);
    if outcomes.contains(&LedgerFilter::Done) {
        // What was done is put back.
        return wanted;
    }
    let task = binds.add(task);
    format!(
        "({wanted} AND (tp.person_id IS NULL OR tp.person_id NOT IN (
            SELECT again.person_id FROM task_person again JOIN queued_task t ON t.id = again.task_id
            WHERE again.person_id IS NOT NULL AND again.task_id IN (
                WITH RECURSIVE earlier AS (
                    SELECT id, parent_task_id, execution_component_name AS kind FROM queued_task WHERE id = {task}
                    UNION ALL
                    SELECT o.id, o.parent_task_id, earlier.kind FROM queued_task o
                    JOIN earlier ON o.id = earlier.parent_task_id AND o.execution_component_name = earlier.kind
                ), family AS (
                    SELECT id, kind FROM earlier
                    UNION
                    SELECT c.id, family.kind FROM queued_task c
                    JOIN family ON c.parent_task_id = family.id AND c.execution_component_name = family.kind
                ) SELECT id FROM family WHERE id NOT IN (SELECT id FROM earlier))
            AND (again.outcome IN ('DONE', 'UNCERTAIN')
                OR again.outcome IS NULL AND t.workflow_status IN ('QUEUED', 'SCHEDULING', 'EXECUTING')))))"
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
