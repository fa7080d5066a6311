//! Names of staff, kept in memory: live events need no look at the table.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use model::AccountId;
use queue::Database;

use crate::{Result, entity::person_name};

/// How many are kept.
const NAMES: usize = 10_000;

/// Names of staff, looked up once.
#[derive(Default)]
pub struct StaffNames(Mutex<HashMap<AccountId, String>>);

impl StaffNames {
    /// The name of somebody of staff.
    pub async fn of(&self, db: &Database, id: AccountId) -> Result<String> {
        if let Some(name) = self.kept().get(&id) {
            return Ok(name.clone());
        }
        let name = person_name(db.reader(), id.person()).await?.unwrap_or_else(|| "Somebody".to_owned());
        let mut names = self.kept();
        if names.len() >= NAMES {
            names.clear();
        }
        names.insert(id, name.clone());
        Ok(name)
    }

    /// Has somebody's name looked up again, which has changed.
    pub fn forget(&self, id: AccountId) {
        self.kept().remove(&id);
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<AccountId, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
