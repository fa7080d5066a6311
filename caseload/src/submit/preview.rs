//! "What would happen?", counted before anything does. A preview of up to 10,000 people writes down who they are under its
//! token; the task that is submitted with it takes that token as its id and so adopts exactly these people.

pub mod judged;
pub mod record;
mod retention;

use std::collections::BTreeMap;

use model::{
    Action, Code, Preview, PreviewToken, Problem, SkipReason, Target,
    preview::{SampleRow, Skipped},
    submission::{FROZEN_AT_PREVIEW, WITHOUT_NUMBER},
};
use queue::{Database, Transaction};
use retention::keep;
pub use retention::{clear_expired, forget};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, sea_query::ExprTrait};

use crate::{
    Actor, Caseload, Error, Result,
    actions::all_actions::{self, definition},
    caseload::Actions,
    entity::tasks::preview,
    people::{
        list::rows::{self, ListedPerson},
        private_to_account::{self, Owned},
        selection,
        targeted_people::{self, TargetedPeople},
    },
    statement::{at_most, composed},
    submit::{
        approvals::ask,
        freeze, pending_changes,
        preview::judged::{Judged, judged},
    },
};
use record::PreviewRecord;

/// How many the sample shows.
const SAMPLE: usize = 10;

impl Actions<'_> {
    /// Counts what the action would do to the target, and keeps the answer under a token.
    pub async fn preview(self, actor: &Actor, action: Action, target: Target) -> Result<Preview> {
        actor.require(action.right())?;
        let action = all_actions::resolve(self.0, &action).await?;
        let everyone_asked = target == Target::Everyone;
        let targeted = targeted_people::resolve(self.0, actor, target).await?;
        let (token, record, counts) = count_preview(self.0, actor, action, targeted).await?;
        self.answer(actor, token, record, &counts, everyone_asked).await
    }

    async fn answer(
        self,
        actor: &Actor,
        token: PreviewToken,
        record: PreviewRecord,
        counts: &BTreeMap<String, u64>,
        everyone_asked: bool,
    ) -> Result<Preview> {
        let sample = self.sample(actor, token, &record).await?;
        let skipped = definition(&record.action).reasons().iter().map(|&reason| Skipped {
            reason,
            label: definition(&record.action).skip_label(reason),
            count: counts.get(reason.name()).copied().unwrap_or_default(),
        });
        Ok(Preview {
            preview_token: token,
            total: record.total,
            will_change: record.will_change,
            skipped: skipped.collect(),
            sample,
            pending_elsewhere: pending_changes::pending_elsewhere(self.0, actor, token, &record).await?,
            frozen: record.frozen,
            drift_allowed: record.drift_allowed(),
            needs_number: record.will_change > WITHOUT_NUMBER || record.action.cannot_be_taken_back(),
            limit: definition(&record.action).most(self.0).map(|(most, _)| most),
            refusal: record.check_bounds(self.0).err().map(|problem| problem.detail),
            approval: Box::pin(ask::needed(self.0, actor, token, &record)).await?,
            everyone: record.targeted.is_everyone() && !everyone_asked,
            counted_date: self.0.db().now().await?,
            action: record.action,
        })
    }

    /// A preview that was counted before, counted again for the same people.
    pub async fn preview_kept(self, actor: &Actor, token: PreviewToken) -> Result<Preview> {
        let mut record = load_preview(self.0, actor, token).await?;
        actor.require(record.action.right())?;
        let counts = counts(self.0.db(), self.0.db().reader(), actor, token, &record).await?;
        record.count(&counts);
        self.answer(actor, token, record, &counts, false).await
    }

    async fn sample(self, actor: &Actor, token: PreviewToken, record: &PreviewRecord) -> Result<Vec<SampleRow>> {
        sample_of(self.0, actor, &record.action, judged(actor, token, record)).await
    }
}

/// Some of those whom an action would change, as the actor may know of them.
pub(crate) async fn sample_of(
    caseload: &Caseload,
    actor: &Actor,
    action: &Action,
    judged: Judged,
) -> Result<Vec<SampleRow>> {
    let Judged { from, is_targeted, verdict } = judged;
    let (columns, line) = (rows::columns(actor), definition(action).line(actor));
    let sample = "SELECT $1, COALESCE($2, '') AS before_value, COALESCE($3, '') AS after_value
         FROM $4 LEFT JOIN person c ON c.id = p.coach_id WHERE $5 ORDER BY p.id LIMIT $6";
    let (changed, most) = (is_targeted.and(verdict.is_null()), at_most(SAMPLE as i64));
    let sample = composed(caseload.db(), sample, [columns, line.before, line.after, from, changed, most]);
    let rows = caseload.db().reader().query_all_raw(sample).await?;
    let sample = rows.iter().map(|row| {
        let person = ListedPerson::from_query_result(row, "")?.row();
        Ok(SampleRow {
            person_id: person.id,
            school_id: person.school_id,
            name: person.name,
            coach_name: person.coach_name,
            now: row.try_get("", "before_value")?,
            then: row.try_get("", "after_value")?,
        })
    });
    let mut sample = sample.collect::<Result<Vec<_>>>()?;
    sample.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(sample)
}

/// Keeps a preview whose people have been written down in `txn`, and commits both.
pub(crate) async fn keep_frozen(
    caseload: &Caseload,
    txn: Transaction,
    actor: &Actor,
    token: PreviewToken,
    action: Action,
    targeted: TargetedPeople,
) -> Result<()> {
    let mut record = PreviewRecord { action, targeted, total: 0, will_change: 0, reached: 0, frozen: true };
    let counts = counts(caseload.db(), &txn, actor, token, &record).await?;
    record.count(&counts);
    keep(caseload, &txn, actor, token, &record).await?;
    Ok(caseload.db().commit(txn).await?)
}

/// Counts and keeps; the numbers are by verdict, the empty one for those who will change.
pub(crate) async fn count_preview(
    caseload: &Caseload,
    actor: &Actor,
    action: Action,
    targeted: TargetedPeople,
) -> Result<(PreviewToken, PreviewRecord, BTreeMap<String, u64>)> {
    let _turn = caseload.inner.turns.wait(actor.person_id).await;
    let (db, token) = (caseload.db(), queue::new_id::<PreviewToken>());
    let frozen = match &targeted {
        // Nobody is changed, so it does not matter who exactly is counted.
        _ if !action.changes_people() => false,
        TargetedPeople::Listed { .. } => true,
        targeted => {
            let matching = targeted_people::count_condition(targeted, actor);
            selection::count_people(caseload, matching, FROZEN_AT_PREVIEW + 1).await? <= FROZEN_AT_PREVIEW
        }
    };
    let mut record = PreviewRecord { action, targeted, total: 0, will_change: 0, reached: 0, frozen };
    let counts = if frozen {
        // Frozen and counted in one transaction, so that the numbers are of exactly these people.
        let txn = db.begin_write().await?;
        freeze::freeze(db, &txn, actor, token.task(), &record.targeted).await?;
        let counts = counts(db, &txn, actor, token, &record).await?;
        record.count(&counts);
        keep(caseload, &txn, actor, token, &record).await?;
        caseload.db().commit(txn).await?;
        counts
    } else {
        let mut counts = counts(db, db.reader(), actor, token, &record).await?;
        if let Some(named) = record.targeted.count_named() {
            let missing = named.saturating_sub(counts.values().sum());
            counts.insert(SkipReason::NotFound.name().to_owned(), missing);
        }
        record.count(&counts);
        let txn = db.begin_write().await?;
        keep(caseload, &txn, actor, token, &record).await?;
        caseload.db().commit(txn).await?;
        counts
    };
    Ok((token, record, counts))
}

pub(crate) async fn load_preview(caseload: &Caseload, actor: &Actor, token: PreviewToken) -> Result<PreviewRecord> {
    let found = preview::Entity::find_by_id(token)
        .filter(preview::Column::OwnerId.eq(actor.person_id))
        .filter(preview::Column::ExpiryDate.gt(caseload.db().now().await?))
        .one(caseload.db().reader())
        .await?;
    let Some(found) = found else {
        return Err(private_to_account::not_ones_own(caseload, actor, Owned::Preview(token), gone()).await);
    };
    serde_json::from_str(&found.content).map_err(|error| Error::Internal(error.to_string()))
}

/// What is said of a preview that is too old or was never there.
pub fn gone() -> Problem {
    Problem::refused(
        Code::PREVIEW_GONE,
        "Check again",
        "The numbers were counted more than 30 minutes ago. Check them again.",
    )
}

async fn counts(
    db: &Database,
    connection: &impl ConnectionTrait,
    actor: &Actor,
    token: PreviewToken,
    record: &PreviewRecord,
) -> Result<BTreeMap<String, u64>> {
    let Judged { from, is_targeted, verdict } = judged(actor, token, record);
    // The name of the output column would be ambiguous in GROUP BY on one of the databases; its number is not.
    let counting = "SELECT COALESCE($1, '') AS verdict, COUNT(*) AS count FROM $2 WHERE $3 GROUP BY 1";
    let rows = connection.query_all_raw(composed(db, counting, [verdict, from, is_targeted])).await?;
    rows.iter()
        .map(|row| {
            let count: i64 = row.try_get("", "count")?;
            Ok((row.try_get("", "verdict")?, count.unsigned_abs()))
        })
        .collect()
}
