//! Program status change. A chunk is five statements over a range of positions: judge each person, close their open
//! history row, open the next, set the status, and count.

use async_trait::async_trait;
use model::{Action, ChangeReason, Permission, ProgramStatus};
use queue::{Chunk, Executor, Failure, Run, Step};
use sea_orm::{ConnectionTrait, DbErr};
use serde_json::Value;

use crate::{
    Actor, access,
    binds::Binds,
    ledger::{self, Range},
    people_run,
    spec::Spec,
};

pub const KIND: &str = "program-status";

/// Runs program status changes.
pub struct ProgramStatusChange;

impl Executor for ProgramStatusChange {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn build(&self, spec: &Value) -> Result<Box<dyn Run>, String> {
        Ok(Box::new(Change { spec: Spec::decode(spec)? }))
    }
}

struct Change {
    spec: Spec,
}

#[async_trait]
impl Run for Change {
    async fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<Step, Failure> {
        let actor = people_run::actor(chunk, Permission::ProgramStatus).await?;
        match people_run::next(chunk, &self.spec, &actor).await? {
            people_run::Next::Froze(step) => Ok(step),
            people_run::Next::Treat(range) => {
                change(chunk, &self.spec.action, &actor, &range).await?;
                Ok(range.finish(ledger::tally(chunk.db, chunk.txn, &range).await?))
            }
        }
    }
}

/// See [`super::verdict`]. Non-participating for another reason is a change.
pub fn verdict(status: ProgramStatus, reason: Option<ChangeReason>, actor: &Actor, binds: &mut Binds) -> String {
    let reach = access::reach(actor, binds);
    let (status, reason) = (binds.add(status.name()), binds.add(reason.map_or("", ChangeReason::name)));
    format!(
        "CASE WHEN p.id IS NULL THEN 'NOT_FOUND' WHEN NOT {reach} THEN 'OUT_OF_REACH'
              WHEN NOT p.activated THEN 'NOT_ACTIVATED'
              WHEN p.program_status = {status} AND COALESCE(p.change_reason, '') = {reason} THEN 'ALREADY_THERE' END"
    )
}

async fn change(chunk: &Chunk<'_>, action: &Action, actor: &Actor, range: &Range) -> Result<(), DbErr> {
    let Action::ProgramStatus { program_status, change_reason, comment } = action;
    let (db, txn) = (chunk.db, chunk.txn);
    let done = "SELECT person_id FROM task_person
                WHERE task_id = $1 AND position > $2 AND position <= $3 AND outcome = 'DONE'";
    let ours: [sea_orm::Value; 3] = [range.task_id.into(), range.after.into(), range.to.into()];
    let with = |more: Vec<sea_orm::Value>| ours.iter().cloned().chain(more).collect::<Vec<_>>();

    // Locked in one order, so that two changes of the same people wait for each other instead of deadlocking.
    txn.execute_raw(db.statement(
        "SELECT id FROM person WHERE id IN (
            SELECT person_id FROM task_person WHERE task_id = $1 AND position > $2 AND position <= $3)
         ORDER BY id {for update}",
        ours.clone(),
    ))
    .await?;

    let mut binds = Binds::default();
    let (task, after, to) = (binds.add(range.task_id), binds.add(range.after), binds.add(range.to));
    let now = binds.add(chunk.now);
    let (status, reason) = (binds.add(program_status.label()), change_reason.map(|reason| reason.label()));
    let reason = binds.add(reason.map_or_else(String::new, |reason| format!(" ({reason})")));
    let verdict = super::verdict(action, actor, &mut binds);
    let labels =
        ProgramStatus::ALL.iter().map(|s| format!("WHEN '{}' THEN '{}'", s.name(), s.label())).collect::<String>();
    let sql = format!(
        "WITH judged AS MATERIALIZED (
            SELECT tp.position, {verdict} AS verdict, CASE p.program_status {labels} END AS before
            FROM task_person tp LEFT JOIN person p ON p.id = tp.person_id AND p.student
            WHERE tp.task_id = {task} AND tp.position > {after} AND tp.position <= {to} AND tp.outcome IS NULL
        )
        UPDATE task_person SET
            outcome = CASE WHEN judged.verdict IS NULL THEN 'DONE' ELSE 'SKIPPED' END, reason = judged.verdict,
            before_value = judged.before,
            after_value = CASE WHEN judged.verdict IS NULL THEN {status} || {reason} END, outcome_date = {now}
        FROM judged WHERE task_person.task_id = {task} AND task_person.position = judged.position"
    );
    txn.execute_raw(db.statement(&sql, binds.values())).await?;

    txn.execute_raw(db.statement(
        &format!(
            "UPDATE program_status_history SET expiration_date = $4
             WHERE expiration_date IS NULL AND person_id IN ({done})"
        ),
        with(vec![chunk.now.into()]),
    ))
    .await?;
    let reason = change_reason.map(ChangeReason::name);
    txn.execute_raw(db.statement(
        &format!(
            "INSERT INTO program_status_history
                (person_id, program_status, change_reason, comment, effective_date, created_by, task_id)
             SELECT person_id, $4, $5, $6, $8, $7, $1 FROM ({done}) AS changed"
        ),
        with(vec![
            program_status.name().into(),
            reason.into(),
            comment.clone().into(),
            actor.person_id.into(),
            chunk.now.into(),
        ]),
    ))
    .await?;
    txn.execute_raw(db.statement(
        &format!(
            "UPDATE person SET program_status = $4, change_reason = $5, status_date = $6, modified_date = $6
             WHERE id IN ({done})"
        ),
        with(vec![program_status.name().into(), reason.into(), chunk.now.into()]),
    ))
    .await?;
    Ok(())
}
