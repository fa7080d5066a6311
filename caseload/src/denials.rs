//! What was denied. A scan is one entry for each minute and place, which grows while the scan goes on, whoever scans: what a
//! stranger can do as often as they like must not fill the audit.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
};

use chrono::DateTime;
use model::Instant;
use sea_orm::ConnectionTrait;
use serde_json::json;
use uuid::Uuid;

use crate::{
    Actor, Caseload, Result,
    via::{Credential, network},
};

/// Entries begun in a minute. What comes from further places then is counted together.
const PLACES: usize = 1_000;
/// What these are called.
const FURTHER: &str = "further places";
/// Up to here each one is written down at once; beyond it they are written down by so many, and the rest after their minute.
const ONE_BY_ONE: u64 = 100;

/// Why something was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Denial {
    /// Without the right to it.
    Forbidden,
    /// It is there, and out of reach.
    Hidden,
    /// A browser asked for it in the name of another site.
    CrossSite,
    /// Too often.
    Throttled,
}

impl Denial {
    fn action(self) -> &'static str {
        match self {
            Denial::Forbidden => "request.denied",
            Denial::Hidden => "request.hidden",
            Denial::CrossSite => "request.cross-site",
            Denial::Throttled => "request.throttled",
        }
    }
}

/// Who was denied something, and what they asked for.
pub struct Denied<'a> {
    pub denial: Denial,
    /// Nobody, before they are known.
    pub actor: Option<&'a Actor>,
    pub source: Option<IpAddr>,
    /// `GET /api/1/tasks/{id}`: the route and not the address, which could hold anything.
    pub request: String,
}

impl Denied<'_> {
    fn credential(&self) -> Credential {
        self.actor.map_or(Credential::Nothing, |actor| actor.via.credential.clone())
    }
}

/// What was denied in this minute.
#[derive(Default)]
pub struct Denials(Mutex<Minute>);

#[derive(Default)]
struct Minute {
    minute: i64,
    counts: HashMap<Entry, u64>,
}

/// What is counted together within a minute.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Entry {
    denial: Denial,
    person_id: Option<Uuid>,
    /// By what they were known.
    credential: String,
    place: String,
}

/// So many more of an entry, to be written down.
struct Due {
    minute: i64,
    entry: Entry,
    times: u64,
}

impl Minute {
    /// What is left to write down of the counts.
    fn rest(&mut self) -> Vec<Due> {
        let minute = self.minute;
        let left = self.counts.drain().filter(|(_, count)| *count > ONE_BY_ONE && count % ONE_BY_ONE != 0);
        left.map(|(entry, count)| Due { minute, entry, times: count % ONE_BY_ONE }).collect()
    }
}

impl Denials {
    /// Counts one. Gives what was left of the minute before, and what it is time to write down of this one.
    fn count(&self, now: Instant, denied: &Denied<'_>) -> (Vec<Due>, Option<Due>) {
        let place = denied.source.map(network).map(|place| place.to_string()).unwrap_or_default();
        let mut minute = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let current = now.timestamp().div_euclid(60);
        let rest = if minute.minute == current { Vec::new() } else { minute.rest() };
        minute.minute = current;
        let person_id = denied.actor.map(|actor| actor.person_id);
        let entry = Entry { denial: denied.denial, person_id, credential: denied.credential().to_string(), place };
        let is_full = minute.counts.len() >= PLACES && !minute.counts.contains_key(&entry);
        let entry = if is_full {
            Entry { person_id: None, credential: String::new(), place: FURTHER.to_owned(), ..entry }
        } else {
            entry
        };
        let count = minute.counts.entry(entry.clone()).or_default();
        *count += 1;
        let times = match *count {
            ..=ONE_BY_ONE => 1,
            more if more % ONE_BY_ONE == 0 => ONE_BY_ONE,
            _ => return (rest, None),
        };
        (rest, Some(Due { minute: current, entry, times }))
    }

    fn rest(&self) -> Vec<Due> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).rest()
    }
}

impl Due {
    /// What makes the entry one of its minute.
    fn burst(&self) -> String {
        let minute = DateTime::from_timestamp_secs(self.minute * 60).unwrap_or_default().format("%Y-%m-%dT%H:%M");
        let person = self.entry.person_id.map(|id| id.to_string()).unwrap_or_default();
        let Entry { denial, place, credential, .. } = &self.entry;
        format!("{minute} {} {place} {person} {credential}", denial.action())
    }
}

impl Caseload {
    /// Notes that something was denied.
    pub async fn note_denial(&self, denied: Denied<'_>) -> Result<()> {
        let (rest, due) = self.inner.denials.count(self.now(), &denied);
        if rest.is_empty() && due.is_none() {
            return Ok(());
        }
        let txn = self.db().begin_write().await?;
        self.add_rest(&txn, rest).await?;
        if let Some(due) = due {
            self.begin_or_add(&txn, &due, &denied).await?;
        }
        Ok(self.db().commit(txn).await?)
    }

    /// Writes down what was counted and is not written down yet, before the process ends.
    pub async fn note_rest_of_denials(&self) -> Result<()> {
        let rest = self.inner.denials.rest();
        if rest.is_empty() {
            return Ok(());
        }
        let txn = self.db().begin_write().await?;
        self.add_rest(&txn, rest).await?;
        Ok(self.db().commit(txn).await?)
    }

    async fn begin_or_add(&self, txn: &impl ConnectionTrait, due: &Due, denied: &Denied<'_>) -> Result<()> {
        let sql =
            "INSERT INTO audit (audit_date, actor_id, action, object_kind, detail, credential, source, times, burst)
                   VALUES ({now}, $1, $2, 'request', $3, $4, $5, $6, $7)
                   ON CONFLICT (burst) DO UPDATE SET times = audit.times + excluded.times";
        let source = denied.source.filter(|_| due.entry.place != FURTHER).map(|source| source.to_string());
        let values = [
            denied.actor.map(|actor| actor.person_id).into(),
            due.entry.denial.action().into(),
            json!({ "first": denied.request }).to_string().into(),
            denied.credential().to_string().into(),
            source.into(),
            due.times.cast_signed().into(),
            due.burst().into(),
        ];
        txn.execute_raw(self.db().statement(sql, values)).await?;
        Ok(())
    }

    /// Adds to entries that there are: nothing is left over of one that was never begun.
    async fn add_rest(&self, txn: &impl ConnectionTrait, rest: Vec<Due>) -> Result<()> {
        for due in rest {
            let sql = "UPDATE audit SET times = times + $1 WHERE burst = $2";
            let values = [due.times.cast_signed().into(), due.burst().into()];
            txn.execute_raw(self.db().statement(sql, values)).await?;
        }
        Ok(())
    }
}
