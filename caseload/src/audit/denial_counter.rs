//! What was denied in the minute that goes on, counted.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
};

use chrono::DateTime;
use model::{AccountId, Instant};

use crate::{
    Actor,
    accounts::request_origin::{Credential, network},
};

/// Entries begun in a minute. What comes from further places then is counted together.
const PLACES: usize = 1_000;
/// What these are called.
pub(super) const FURTHER: &str = "further places";
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
    pub(super) fn action(self) -> &'static str {
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
    pub(super) fn credential(&self) -> Credential {
        self.actor.map_or(Credential::Nothing, |actor| actor.via.credential.clone())
    }
}

/// What was denied in this minute.
#[derive(Default)]
pub struct Denials(Mutex<Minute>);

#[derive(Default)]
struct Minute {
    minute: i64,
    counts: HashMap<DenialEntry, u64>,
}

/// What is counted together within a minute.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct DenialEntry {
    pub denial: Denial,
    person_id: Option<AccountId>,
    /// By what they were known.
    credential: String,
    pub place: String,
}

/// So many more of an entry, to be written down.
pub(super) struct DueEntry {
    pub minute: i64,
    pub entry: DenialEntry,
    pub times: u64,
}

impl Minute {
    /// What is left to write down of the counts.
    fn rest(&mut self) -> Vec<DueEntry> {
        let minute = self.minute;
        let left = self.counts.drain().filter(|(_, count)| *count > ONE_BY_ONE && count % ONE_BY_ONE != 0);
        left.map(|(entry, count)| DueEntry { minute, entry, times: count % ONE_BY_ONE }).collect()
    }
}

impl Denials {
    /// Counts one. Gives what was left of the minute before, and what it is time to write down of this one.
    pub(super) fn count(&self, now: Instant, denied: &Denied<'_>) -> (Vec<DueEntry>, Option<DueEntry>) {
        let place = denied.source.map(network).map(|place| place.to_string()).unwrap_or_default();
        let mut minute = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let current = now.timestamp().div_euclid(60);
        let rest = if minute.minute == current { Vec::new() } else { minute.rest() };
        minute.minute = current;
        let person_id = denied.actor.map(|actor| actor.person_id);
        let entry =
            DenialEntry { denial: denied.denial, person_id, credential: denied.credential().to_string(), place };
        let is_full = minute.counts.len() >= PLACES && !minute.counts.contains_key(&entry);
        let entry = if is_full {
            DenialEntry { person_id: None, credential: String::new(), place: FURTHER.to_owned(), ..entry }
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
        (rest, Some(DueEntry { minute: current, entry, times }))
    }

    pub(super) fn rest(&self) -> Vec<DueEntry> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).rest()
    }
}

impl DueEntry {
    /// What makes the entry one of its minute.
    pub fn burst(&self) -> String {
        let minute = DateTime::from_timestamp_secs(self.minute * 60).unwrap_or_default().format("%Y-%m-%dT%H:%M");
        let person = self.entry.person_id.map(|id| id.to_string()).unwrap_or_default();
        let DenialEntry { denial, place, credential, .. } = &self.entry;
        format!("{minute} {} {place} {person} {credential}", denial.action())
    }
}
