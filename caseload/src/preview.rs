//! "What would happen?", counted before anything does. A preview of up to 10,000 people writes down who they are under its
//! token; the task that is submitted with it takes that token as its id and so adopts exactly these people.

use std::collections::BTreeMap;

use model::{
    Action, PersonRow, Preview, Problem, SkipReason, Target,
    preview::{PreviewPeople, SampleRow, Skipped},
    submission::{FROZEN_AT_PREVIEW, WITHOUT_NUMBER},
};
use queue::Database;
use sea_orm::{ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, FromQueryResult, QueryFilter};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    Actor, Caseload, Error, Result, access,
    actions::rules,
    binds::Binds,
    entity::preview,
    erase::{Erased, naming},
    freeze, ledger,
    members::{self, Members},
    people::{self, Found},
};

/// From the counting, in seconds.
const KEPT: f64 = 1800.0;
/// Old previews that one new one clears away.
const CLEARED_AT_ONCE: i64 = 20;
/// How many the sample shows.
const SAMPLE: usize = 10;
/// Rows of the list behind a number.
const PAGE: usize = 50;

/// What is kept of a preview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    pub action: Action,
    pub members: Members,
    pub total: u64,
    pub will_change: u64,
    /// How many of them are there and within reach.
    pub reached: u64,
    /// Whether its people stand in `task_person` under its token.
    pub frozen: bool,
}

impl Record {
    /// Takes over how many there are of each verdict.
    fn count(&mut self, counts: &BTreeMap<String, u64>) {
        let of = |verdict: &str| counts.get(verdict).copied().unwrap_or_default();
        self.total = counts.values().sum();
        self.will_change = of("");
        self.reached = self.total - of(SkipReason::NotFound.name());
    }

    /// How many may join or leave before a submit is refused: one in a hundred, and at least one.
    pub fn drift_allowed(&self) -> u64 {
        (self.total / 100).max(1)
    }
}

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
        token: Uuid,
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
        token: Uuid,
        action: Action,
        members: Members,
    ) -> Result<()> {
        let mut record = Record { action, members, total: 0, will_change: 0, reached: 0, frozen: true };
        let counts = counts(self.db(), &txn, actor, token, &record).await?;
        record.count(&counts);
        keep(self.db(), &txn, actor, token, &record).await?;
        Ok(self.db().commit(txn).await?)
    }

    /// A preview that was counted before, counted again for the same people.
    pub async fn preview_kept(&self, actor: &Actor, token: Uuid) -> Result<Preview> {
        let mut record = self.load_preview(actor, token).await?;
        actor.require(record.action.permission())?;
        let counts = counts(self.db(), self.db().reader(), actor, token, &record).await?;
        record.count(&counts);
        self.told(actor, token, record, &counts, false).await
    }

    /// The people behind a number of a preview: `which` is `CHANGE`, a [`SkipReason`], or nothing for all of them.
    pub async fn preview_people(
        &self,
        actor: &Actor,
        token: Uuid,
        which: Option<&str>,
        after: Option<&str>,
    ) -> Result<PreviewPeople> {
        let record = self.load_preview(actor, token).await?;
        let (title, wanted) = match which {
            None => ("All of them".to_owned(), None),
            Some("CHANGE") => {
                let mut title = record.action.will();
                title.replace_range(..1, &title[..1].to_uppercase());
                (title, Some(String::new()))
            }
            Some(text) => {
                let reason: SkipReason = model::filter::parse("show", text)?;
                (format!("Skipped: {}", rules(&record.action).skip_label(reason)), Some(text.to_owned()))
            }
        };
        let mut binds = Binds::default();
        let (from, verdict) = judged_by(members::walk_condition, actor, token, &record, &mut binds);
        let reach = access::reach(actor, &mut binds);
        let known = access::visible(actor, &mut binds);
        let wanted = wanted.map(|w| format!("AND COALESCE({verdict}, '') = {}", binds.add(w))).unwrap_or_default();
        // Whoever is beyond reach by now is counted and not named.
        let wanted = format!("{wanted} AND {known}");
        let counting = format!("SELECT COUNT(*) AS count FROM {from} {wanted} AND p.id IS NOT NULL");
        let total = self.count(&counting, binds.clone()).await?;
        let beyond = match after {
            None => String::new(),
            Some(cursor) => {
                let (key, id) = people::read_cursor(cursor)?;
                format!("AND (p.sort_key, p.id) > ({}, {})", binds.add(key), binds.add(id))
            }
        };
        let sql = format!(
            "SELECT {} FROM {} {wanted} AND p.id IS NOT NULL {beyond} ORDER BY p.sort_key, p.id LIMIT {}",
            people::columns(&reach),
            with_coach(&from),
            PAGE + 1
        );
        let db = self.db();
        let mut found = Found::find_by_statement(db.statement(&sql, binds.values())).all(db.reader()).await?;
        let more = found.len() > PAGE;
        found.truncate(PAGE);
        let items: Vec<(String, PersonRow)> = found.into_iter().map(|f| (f.sort_key.clone(), f.row())).collect();
        let next = items.last().filter(|_| more).map(|(key, row)| people::cursor(key, row.id));
        let items = items.into_iter().map(|(_, row)| row).collect();
        Ok(PreviewPeople { title, page: model::Page { items, next, total: model::Total::exactly(total) } })
    }

    /// Counts and keeps; the numbers are by verdict, the empty one for those who will change.
    pub(crate) async fn count_preview(
        &self,
        actor: &Actor,
        action: Action,
        members: Members,
    ) -> Result<(Uuid, Record, BTreeMap<String, u64>)> {
        let (db, token) = (self.db(), queue::new_id());
        let frozen = match &members {
            // Nobody is changed, so it does not matter who exactly is counted.
            _ if !action.changes_people() => false,
            Members::Listed { .. } => true,
            members => {
                let mut binds = Binds::default();
                let (matching, bound) = (members::condition(members, actor, &mut binds), FROZEN_AT_PREVIEW + 1);
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
            freeze::freeze(db, &txn, actor, token, &record.members).await?;
            let counts = counts(db, &txn, actor, token, &record).await?;
            record.count(&counts);
            keep(db, &txn, actor, token, &record).await?;
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
            keep(db, &txn, actor, token, &record).await?;
            self.db().commit(txn).await?;
            counts
        };
        Ok((token, record, counts))
    }

    pub(crate) async fn load_preview(&self, actor: &Actor, token: Uuid) -> Result<Record> {
        let found = preview::Entity::find_by_id(token)
            .filter(preview::Column::OwnerId.eq(actor.person_id))
            .filter(preview::Column::ExpiryDate.gt(self.db().now().await?))
            .one(self.db().reader())
            .await?;
        let found = found.ok_or_else(gone)?;
        serde_json::from_str(&found.content).map_err(|error| Error::Internal(error.to_string()))
    }

    async fn sample(&self, actor: &Actor, token: Uuid, record: &Record) -> Result<Vec<SampleRow>> {
        let mut binds = Binds::default();
        let (from, verdict) = judged(actor, token, record, &mut binds);
        let (reach, line) = (access::reach(actor, &mut binds), rules(&record.action).line(actor, &mut binds));
        let sql = format!(
            "SELECT {}, COALESCE({}, '') AS before_value, COALESCE({}, '') AS after_value, {} AS former_date FROM {} AND {verdict} IS NULL
             ORDER BY p.id LIMIT {SAMPLE}",
            people::columns(&reach),
            line.before,
            line.after,
            line.former,
            with_coach(&from)
        );
        let db = self.db();
        let rows = db.reader().query_all_raw(db.statement(&sql, binds.values())).await?;
        let sample = rows.iter().map(|row| {
            let person = Found::from_query_result(row, "")?.row();
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

    /// How many of these people another task is still to treat.
    async fn pending_elsewhere(&self, actor: &Actor, token: Uuid, record: &Record) -> Result<u64> {
        let mut binds = Binds::default();
        let (from, _) = judged(actor, token, record, &mut binds);
        let other = binds.add(token);
        let sql = format!(
            "SELECT COUNT(DISTINCT pending.person_id) AS count FROM task_person pending
             JOIN queued_task t ON t.id = pending.task_id
             WHERE pending.outcome IS NULL AND pending.task_id <> {other}
               AND t.workflow_status IN ('QUEUED', 'SCHEDULING', 'EXECUTING')
               AND pending.person_id IN (SELECT p.id FROM {from})"
        );
        self.count(&sql, binds).await
    }
}

/// What is said of a preview that is too old or was never there.
pub fn gone() -> Problem {
    Problem::refused(
        "preview_gone",
        "Please check again",
        "The numbers were counted more than 30 minutes ago. Please check them again.",
    )
}

/// The people of a preview as `p`, up to and with a WHERE that more can be added to, and the verdict on each.
fn judged(actor: &Actor, token: Uuid, record: &Record, binds: &mut Binds) -> (String, String) {
    judged_by(members::condition, actor, token, record, binds)
}

/// The same by another form of the condition of the people.
fn judged_by(
    condition: fn(&Members, &Actor, &mut Binds) -> String,
    actor: &Actor,
    token: Uuid,
    record: &Record,
    binds: &mut Binds,
) -> (String, String) {
    let from = match (&record.members, record.frozen) {
        (Members::Ledger { task, outcomes }, false) => {
            let (wanted, task) = (ledger::to_treat_again(*task, outcomes, binds), binds.add(*task));
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
        true => rules(&record.action).verdict_among(token, actor, binds),
        false => rules(&record.action).verdict(actor, binds),
    };
    (from, verdict)
}

/// Adds the coach, as `c`, to what [`judged`] gives.
fn with_coach(from: &str) -> String {
    from.replacen(" WHERE ", " LEFT JOIN person c ON c.id = p.coach_id WHERE ", 1)
}

async fn counts(
    db: &Database,
    connection: &impl ConnectionTrait,
    actor: &Actor,
    token: Uuid,
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

/// Clears away some previews that are too old, with the people they wrote down, unless those are a task's by now. Returns
/// how many.
pub async fn clear_expired(db: &Database, txn: &impl ConnectionTrait) -> Result<u64, DbErr> {
    // The preview first: a submit that holds it is waited for, and its task is seen by the second statement.
    let cleared = db.statement(
        "DELETE FROM preview WHERE id IN (
            SELECT id FROM preview WHERE expiry_date < {now} ORDER BY expiry_date LIMIT $1) RETURNING id",
        [CLEARED_AT_ONCE.into()],
    );
    let cleared = txn.query_all_raw(cleared).await?;
    let ids = cleared.iter().map(|row| row.try_get("", "id")).collect::<Result<Vec<Uuid>, _>>()?;
    for id in &ids {
        txn.execute_raw(db.statement(
            "DELETE FROM task_person WHERE task_id = $1 AND NOT EXISTS (SELECT 1 FROM queued_task WHERE id = $1)",
            [(*id).into()],
        ))
        .await?;
    }
    Ok(ids.len() as u64)
}

async fn keep(db: &Database, txn: &impl ConnectionTrait, actor: &Actor, token: Uuid, record: &Record) -> Result<()> {
    // Rows of a preview that nobody submitted go with it; those of a submitted one belong to its task.
    clear_expired(db, txn).await?;
    let content = serde_json::to_string(record).map_err(|error| Error::Internal(error.to_string()))?;
    txn.execute_raw(db.statement(
        "INSERT INTO preview (id, owner_id, content, created_date, expiry_date)
         VALUES ($1, $2, $3, {now}, {after:$4})",
        [token.into(), actor.person_id.into(), content.into(), KEPT.into()],
    ))
    .await?;
    Ok(())
}

/// Drops the previews that name somebody who is erased, with whom they wrote down unless a task has taken them over.
pub async fn forget(db: &Database, txn: &impl ConnectionTrait, erased: &Erased) -> Result<()> {
    let found = naming(db, txn, erased, "SELECT id, content FROM preview", vec![]).await?;
    for (id, _) in found {
        for sql in [
            "DELETE FROM preview WHERE id = $1",
            "DELETE FROM task_person WHERE task_id = $1 AND NOT EXISTS (SELECT 1 FROM queued_task t WHERE t.id = $1)",
        ] {
            txn.execute_raw(db.statement(sql, [id.into()])).await?;
        }
    }
    Ok(())
}
