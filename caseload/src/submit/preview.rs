//! "What would happen?", counted before anything does. A preview of up to 10,000 people writes down who they are under its
//! token; the task that is submitted with it takes that token as its id and so adopts exactly these people.

mod kept;
pub mod record;

use std::collections::BTreeMap;

use kept::keep;
pub use kept::{clear_expired, forget};
use model::{
    Action, Code, Preview, PreviewToken, Problem, SkipReason, Target,
    preview::{SampleRow, Skipped},
    submission::{FROZEN_AT_PREVIEW, WITHOUT_NUMBER},
};
use queue::Database;
use sea_orm::{ColumnTrait, ConnectionTrait, DatabaseTransaction, EntityTrait, FromQueryResult, QueryFilter};

use crate::{
    Actor, Caseload, Error, Result, access,
    actions::registry::rules,
    binds::Binds,
    entity::preview,
    people::list::rows::{self, ListedPerson},
    people::members::{self, Members},
    people::owned::Owned,
    submit::freeze,
    tasks::lines,
};
use record::Record;

/// How many the sample shows.
const SAMPLE: usize = 10;

impl Caseload {
    /// Counts what the action would do to the target, and keeps the answer under a token.
    pub async fn preview(&self, actor: &Actor, action: Action, target: Target) -> Result<Preview> {
        actor.require(action.permission())?;
        let action = self.resolve(&action).await?;
        let everyone_asked = target == Target::Everyone;
        let members = self.members(actor, target).await?;
        let (token, record, counts) = self.count_preview(actor, action, members).await?;
        self.told(actor, token, record, &counts, everyone_asked).await
    }

    async fn told(
        &self,
        actor: &Actor,
        token: PreviewToken,
        record: Record,
        counts: &BTreeMap<String, u64>,
        everyone_asked: bool,
    ) -> Result<Preview> {
        let sample = self.sample(actor, token, &record).await?;
        let skipped = rules(&record.action).reasons().iter().map(|&reason| Skipped {
            reason,
            label: rules(&record.action).skip_label(reason),
            count: counts.get(reason.name()).copied().unwrap_or_default(),
        });
        Ok(Preview {
            preview_token: token,
            total: record.total,
            will_change: record.will_change,
            skipped: skipped.collect(),
            sample,
            pending_elsewhere: self.pending_elsewhere(actor, token, &record).await?,
            frozen: record.frozen,
            drift_allowed: record.drift_allowed(),
            needs_number: record.will_change > WITHOUT_NUMBER || record.action.cannot_be_taken_back(),
            limit: rules(&record.action).most(self).map(|(most, _)| most),
            refusal: self.check_bounds(&record).err().map(|problem| problem.detail),
            everyone: record.members.is_everyone() && !everyone_asked,
            counted_date: self.db().now().await?,
            action: record.action,
        })
    }

    /// Keeps a preview whose people have been written down in `txn`, and commits both.
    pub(crate) async fn keep_frozen(
        &self,
        txn: DatabaseTransaction,
        actor: &Actor,
        token: PreviewToken,
        action: Action,
        members: Members,
    ) -> Result<()> {
        let mut record = Record { action, members, total: 0, will_change: 0, reached: 0, frozen: true };
        let counts = counts(self.db(), &txn, actor, token, &record).await?;
        record.count(&counts);
        keep(self, &txn, actor, token, &record).await?;
        Ok(self.db().commit(txn).await?)
    }

    /// A preview that was counted before, counted again for the same people.
    pub async fn preview_kept(&self, actor: &Actor, token: PreviewToken) -> Result<Preview> {
        let mut record = self.load_preview(actor, token).await?;
        actor.require(record.action.permission())?;
        let counts = counts(self.db(), self.db().reader(), actor, token, &record).await?;
        record.count(&counts);
        self.told(actor, token, record, &counts, false).await
    }

    /// Counts and keeps; the numbers are by verdict, the empty one for those who will change.
    pub(crate) async fn count_preview(
        &self,
        actor: &Actor,
        action: Action,
        members: Members,
    ) -> Result<(PreviewToken, Record, BTreeMap<String, u64>)> {
        let _turn = self.inner.turns.wait(actor.person_id).await;
        let (db, token) = (self.db(), queue::new_id::<PreviewToken>());
        let frozen = match &members {
            // Nobody is changed, so it does not matter who exactly is counted.
            _ if !action.changes_people() => false,
            Members::Listed { .. } => true,
            members => {
                let mut binds = Binds::default();
                let (matching, bound) = (members::count_condition(members, actor, &mut binds), FROZEN_AT_PREVIEW + 1);
                let sql = format!(
                    "SELECT COUNT(*) AS count FROM (SELECT 1 AS one FROM person p WHERE {matching} LIMIT {bound}) AS few"
                );
                self.count(&sql, binds).await? <= FROZEN_AT_PREVIEW
            }
        };
        let mut record = Record { action, members, total: 0, will_change: 0, reached: 0, frozen };
        let counts = if frozen {
            // Frozen and counted in one transaction, so that the numbers are of exactly these people.
            let txn = db.begin_write().await?;
            freeze::freeze(db, &txn, actor, token.task(), &record.members).await?;
            let counts = counts(db, &txn, actor, token, &record).await?;
            record.count(&counts);
            keep(self, &txn, actor, token, &record).await?;
            self.db().commit(txn).await?;
            counts
        } else {
            let mut counts = counts(db, db.reader(), actor, token, &record).await?;
            if let Some(named) = record.members.named() {
                let missing = named.saturating_sub(counts.values().sum());
                counts.insert(SkipReason::NotFound.name().to_owned(), missing);
            }
            record.count(&counts);
            let txn = db.begin_write().await?;
            keep(self, &txn, actor, token, &record).await?;
            self.db().commit(txn).await?;
            counts
        };
        Ok((token, record, counts))
    }

    pub(crate) async fn load_preview(&self, actor: &Actor, token: PreviewToken) -> Result<Record> {
        let found = preview::Entity::find_by_id(token)
            .filter(preview::Column::OwnerId.eq(actor.person_id))
            .filter(preview::Column::ExpiryDate.gt(self.db().now().await?))
            .one(self.db().reader())
            .await?;
        let Some(found) = found else { return Err(self.not_ones_own(actor, Owned::Preview(token), gone()).await) };
        serde_json::from_str(&found.content).map_err(|error| Error::Internal(error.to_string()))
    }

    async fn sample(&self, actor: &Actor, token: PreviewToken, record: &Record) -> Result<Vec<SampleRow>> {
        let mut binds = Binds::default();
        let (from, verdict) = judged(actor, token, record, &mut binds);
        let (reach, line) = (access::reach(actor, &mut binds), rules(&record.action).line(actor, &mut binds));
        let sql = format!(
            "SELECT {}, COALESCE({}, '') AS before_value, COALESCE({}, '') AS after_value, {} AS former_date FROM {} AND {verdict} IS NULL
             ORDER BY p.id LIMIT {SAMPLE}",
            rows::columns(&reach),
            line.before,
            line.after,
            line.former,
            with_coach(&from)
        );
        let db = self.db();
        let rows = db.reader().query_all_raw(db.statement(&sql, binds.values())).await?;
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
}

/// What is said of a preview that is too old or was never there.
pub fn gone() -> Problem {
    Problem::refused(
        Code::PREVIEW_GONE,
        "Please check again",
        "The numbers were counted more than 30 minutes ago. Please check them again.",
    )
}

/// The people of a preview as `p`, up to and with a WHERE that more can be added to, and the verdict on each.
pub(crate) fn judged(actor: &Actor, token: PreviewToken, record: &Record, binds: &mut Binds) -> (String, String) {
    judged_by(members::condition, actor, token, record, binds)
}

/// A form of the condition of the people.
pub(crate) type Condition = fn(&Members, &Actor, &mut Binds) -> String;

/// The same by another form of it.
pub(crate) fn judged_by(
    condition: Condition,
    actor: &Actor,
    token: PreviewToken,
    record: &Record,
    binds: &mut Binds,
) -> (String, String) {
    let from = match (&record.members, record.frozen) {
        (Members::Ledger { task, outcomes }, false) => {
            let (wanted, task) = (lines::to_treat_again(*task, outcomes, binds), binds.add(*task));
            format!(
                "task_person tp LEFT JOIN person p ON p.id = tp.person_id AND p.student WHERE tp.task_id = {task} AND {wanted}"
            )
        }
        (members, false) => format!("person p WHERE {}", condition(members, actor, binds)),
        _ => format!(
            "task_person tp LEFT JOIN person p ON p.id = tp.person_id AND p.student WHERE tp.task_id = {}",
            binds.add(token)
        ),
    };
    let verdict = match record.frozen {
        true => rules(&record.action).verdict_among(token.task(), actor, binds),
        false => rules(&record.action).verdict(actor, binds),
    };
    (from, verdict)
}

/// Adds the coach, as `c`, to what [`judged`] gives.
pub(crate) fn with_coach(from: &str) -> String {
    from.replacen(" WHERE ", " LEFT JOIN person c ON c.id = p.coach_id WHERE ", 1)
}

async fn counts(
    db: &Database,
    connection: &impl ConnectionTrait,
    actor: &Actor,
    token: PreviewToken,
    record: &Record,
) -> Result<BTreeMap<String, u64>> {
    let mut binds = Binds::default();
    let (from, verdict) = judged(actor, token, record, &mut binds);
    // The name of the output column would be ambiguous in GROUP BY on one of the databases; its number is not.
    let sql = format!("SELECT COALESCE({verdict}, '') AS verdict, COUNT(*) AS count FROM {from} GROUP BY 1");
    let rows = connection.query_all_raw(db.statement(&sql, binds.values())).await?;
    rows.iter()
        .map(|row| {
            let count: i64 = row.try_get("", "count")?;
            Ok((row.try_get("", "verdict")?, count.unsigned_abs()))
        })
        .collect()
}
