//! What would become of the people of a task now, by the same expression that its run goes by. Whoever no longer matches what they were found
//! by is skipped: the list may shrink.

use std::collections::BTreeMap;

use model::{PreviewToken, SkipReason, TaskId};
use queue::Database;
use sea_orm::{
    ConnectionTrait, DbErr,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    Actor, Result,
    people::{filter, targeted_people::TargetedPeople},
    statement::{composed, sql},
    submit::{
        preview::{
            judged::{Judged, judged},
            record::PreviewRecord,
        },
        spec::Spec,
    },
};

/// How many there are of each verdict; the empty one is of those who will change.
pub(crate) type VerdictCounts = BTreeMap<String, u64>;

const NO_LONGER: &str = SkipReason::NoLongerMatches.name();

/// The people of a task, judged as they are now and as whoever submitted it.
pub(super) fn judged_now(submitter: &Actor, task: TaskId, spec: &Spec) -> Judged {
    let record = PreviewRecord {
        action: spec.action.clone(),
        targeted: spec.targeted.clone(),
        total: spec.total,
        will_change: 0,
        reached: 0,
        frozen: spec.frozen,
    };
    let Judged { from, is_targeted, verdict } = judged(submitter, PreviewToken::from(task.uuid()), &record);
    let verdict = match (&spec.targeted, spec.frozen) {
        (TargetedPeople::Matching { filter, exclude }, true) => {
            let matching = filter::compile_without(filter, exclude, submitter);
            let still = sql("EXISTS (SELECT 1 FROM person p WHERE ($1) AND p.id = tp.person_id)", [matching]);
            sql("COALESCE($1, CASE WHEN NOT $2 THEN $3 END)", [verdict, still, Expr::Constant(NO_LONGER.into())])
        }
        _ => verdict,
    };
    Judged { from, is_targeted, verdict }
}

/// Counts them.
pub(super) async fn count_now(
    db: &Database,
    connection: &impl ConnectionTrait,
    submitter: &Actor,
    task: TaskId,
    spec: &Spec,
) -> Result<VerdictCounts> {
    let Judged { from, is_targeted, verdict } = judged_now(submitter, task, spec);
    // The name of the output column would be ambiguous in GROUP BY on one of the databases; its number is not.
    let counting = "SELECT COALESCE($1, '') AS verdict, COUNT(*) AS count FROM $2 WHERE $3 GROUP BY 1";
    let rows = connection.query_all_raw(composed(db, counting, [verdict, from, is_targeted])).await?;
    let mut counts = VerdictCounts::new();
    for row in rows {
        counts.insert(row.try_get("", "verdict")?, row.try_get::<i64>("", "count")?.unsigned_abs());
    }
    if let (Some(named), false) = (spec.targeted.count_named(), spec.frozen) {
        let missing = named.saturating_sub(counts.values().sum());
        counts.insert(SkipReason::NotFound.name().to_owned(), missing);
    }
    Ok(counts)
}

/// How many will change.
pub(super) fn will_change(counts: &VerdictCounts) -> u64 {
    counts.get("").copied().unwrap_or_default()
}

/// Writes down that those are skipped who no longer match, so that the run leaves them alone whatever they are by then.
pub(super) async fn leave_out(
    db: &Database,
    txn: &impl ConnectionTrait,
    submitter: &Actor,
    task: TaskId,
    spec: &Spec,
) -> Result<u64, DbErr> {
    if !spec.frozen || spec.targeted.filter().is_none() {
        return Ok(0);
    }
    let Judged { from, is_targeted, verdict } = judged_now(submitter, task, spec);
    let no_longer = || Expr::Constant(NO_LONGER.into());
    let skip = "UPDATE task_person SET outcome = 'SKIPPED', reason = $1, outcome_date = $2
         WHERE task_id = $3 AND position IN (SELECT tp.position FROM $4 WHERE $5 AND $6)";
    let these = verdict.eq(no_longer());
    let parts = [no_longer(), db.instant(), task.into(), Expr::cust_with_exprs("$1", [from]), is_targeted, these];
    Ok(txn.execute_raw(composed(db, skip, parts)).await?.rows_affected())
}
