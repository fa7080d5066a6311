//! Names of staff, kept in memory: live events need no look at the table.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use model::AccountId;
use queue::Database;

use crate::{Result, entity::person_name};

/// How many are kept.
const NAMES: usize = 10_000;
/// For how long: another process may have changed one, and tells nobody.
const FRESH: Duration = Duration::from_secs(60);

/// Names of staff, looked up now and then.
#[derive(Default)]
pub struct StaffNames(Mutex<HashMap<AccountId, KeptName>>);

struct KeptName {
    name: String,
    since: Instant,
}

impl StaffNames {
    /// The name of somebody of staff.
    pub async fn of(&self, db: &Database, id: AccountId) -> Result<String> {
        let now = Instant::now();
        if let Some(name) = self.fresh(id, now) {
            return Ok(name);
        }
        let name = person_name(db.reader(), id.person()).await?.unwrap_or_else(|| "Somebody".to_owned());
        self.keep(id, name.clone(), now);
        Ok(name)
    }

    /// Has somebody's name looked up again, which has changed.
    pub fn forget(&self, id: AccountId) {
        self.kept().remove(&id);
    }

    fn fresh(&self, id: AccountId, now: Instant) -> Option<String> {
        let kept = self.kept();
        let is_fresh = |kept: &&KeptName| now.saturating_duration_since(kept.since) < FRESH;
        kept.get(&id).filter(is_fresh).map(|kept| kept.name.clone())
    }

    fn keep(&self, id: AccountId, name: String, since: Instant) {
        let mut kept = self.kept();
        if kept.len() >= NAMES {
            kept.clear();
        }
        kept.insert(id, KeptName { name, since });
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<AccountId, KeptName>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A name that another process had changed stayed as it was until this one ended.
    #[test]
    fn a_name_is_kept_for_a_minute() {
        let (names, began, ana) = (StaffNames::default(), Instant::now(), AccountId::from_u128(1));
        names.keep(ana, "Ana Reyes".to_owned(), began);
        assert_eq!(names.fresh(ana, began + FRESH / 2).as_deref(), Some("Ana Reyes"));
        assert_eq!(names.fresh(ana, began + FRESH), None);
        names.forget(ana);
        assert_eq!(names.fresh(ana, began), None);
    }
}
