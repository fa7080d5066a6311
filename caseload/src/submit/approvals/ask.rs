//! Asking a second person: the people of the task are written down, and what was counted of them stands beside the task from then on.

use model::{Code, Instant, PreviewToken, Problem, approval::ApprovalNeeded};
use queue::{Task, Transaction, row_of};
use sea_orm::ConnectionTrait;

use super::{
    counts::{self, VerdictCounts},
    deciders::{self, Decider},
    in_force::{WhyAsked, why_asked},
};
use crate::{
    Actor, Caseload, Error, Result,
    entity::tasks::approval::{Column, Entity},
    limits::{Allowance, allowance::is_left_in},
    notices,
    submit::{freeze, preview::record::PreviewRecord, spec::Spec},
    tasks::{ledger_lines, title::title},
};

/// The most people of one task that waits: they are written down within its submit.
const MOST: u64 = 100_000;

/// What a second person will be asked.
pub(crate) struct Asking {
    why: WhyAsked,
    deciders: Vec<Decider>,
}

/// Writes down whom it is about, unless they are already, and finds out who can decide. Nothing where nobody has to.
pub(crate) async fn begin(
    caseload: &Caseload,
    txn: &Transaction,
    actor: &Actor,
    token: PreviewToken,
    record: &mut PreviewRecord,
) -> Result<Option<Asking>> {
    let Some(why) = why_asked(caseload, &record.action, record.total) else { return Ok(None) };
    let (db, task) = (caseload.db(), token.task());
    if !record.frozen && record.action.kind().description().freezes_people {
        if record.total > MOST {
            let (these, most) = (model::people(record.total), model::grouped(MOST));
            let detail = format!(
                "This includes {these}. A task that needs approval can include at most {most}. Narrow the list."
            );
            return Err(Problem::refused(Code::TOO_MANY_PEOPLE, "Too many people for one approval", detail).into());
        }
        let frozen = freeze::freeze(db, txn, actor, task, &record.targeted).await?;
        ledger_lines::update_statistics(db, txn, frozen.count).await?;
        record.frozen = true;
        record.total = frozen.count.unsigned_abs();
    }
    let deciders = deciders::of_task(db, txn, task, actor.person_id, record.action.right(), record.frozen).await?;
    if deciders.is_empty() {
        let detail = "A second person has to approve this, and nobody else has the permission for all of these people. \
            Ask your Docket administrator.";
        return Err(Problem::refused(Code::NOBODY_TO_APPROVE, "Nobody can approve this", detail).into());
    }
    Ok(Some(Asking { why, deciders }))
}

impl Asking {
    /// Puts down what was asked, with the task that waits for it, and tells those who can decide.
    pub(crate) async fn put_down(
        self,
        caseload: &Caseload,
        txn: &Transaction,
        actor: &Actor,
        task: &Task,
        spec: &Spec,
        start: Option<Instant>,
    ) -> Result<()> {
        let (db, rule) = (caseload.db(), caseload.approval_rule());
        let mut counts: VerdictCounts = counts::count_now(db, txn, actor, task.id, spec).await?;
        let will_change = counts.remove("").unwrap_or_default();
        counts.retain(|_, count| *count > 0);
        let skipped = serde_json::to_string(&counts).map_err(|error| Error::Internal(error.to_string()))?;
        let row = [
            (Column::TaskId, task.id.into()),
            (Column::AskedBy, actor.person_id.into()),
            (Column::AskedDate, db.instant()),
            (Column::ExpiryDate, db.instant_after(rule.expire.as_secs_f64())),
            (Column::Above, self.why.above().map(u64::cast_signed).into()),
            (Column::StartDate, start.into()),
            (Column::Total, spec.total.cast_signed().into()),
            (Column::WillChange, will_change.cast_signed().into()),
            (Column::Skipped, skipped.into()),
        ];
        txn.execute_raw(db.build(&row_of(Entity, row))).await?;
        // Whoever asks and cancels over and over is still listed, and fills nobody's mailbox.
        if !is_left_in(caseload, txn, actor.person_id, Allowance::ApprovalMail).await? {
            return Ok(());
        }
        let addresses = self.deciders.iter().filter_map(|decider| decider.address.as_deref());
        let asked =
            notices::ApprovalWish { by: &actor.name, title: &title(task), total: spec.total, lasts: rule.expire };
        Ok(notices::of_approval_asked(db, txn, caseload.mail(), task.id, addresses, &asked).await?)
    }
}

/// What is said before a submit; nothing where nobody has to approve it.
pub(crate) async fn needed(
    caseload: &Caseload,
    actor: &Actor,
    token: PreviewToken,
    record: &PreviewRecord,
) -> Result<Option<ApprovalNeeded>> {
    let rule = caseload.approval_rule();
    let Some(why) = why_asked(caseload, &record.action, record.total) else { return Ok(None) };
    let (db, right) = (caseload.db(), record.action.right());
    let all = deciders::of_task(db, db.reader(), token.task(), actor.person_id, right, record.frozen).await?;
    let (above, deciders) = (why.above(), deciders::told(&all));
    Ok(Some(ApprovalNeeded { above, deciders, seconds: rule.expire.as_secs() }))
}
