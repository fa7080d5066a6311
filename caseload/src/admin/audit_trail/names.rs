//! How the things are called that entries of the audit trail are about. An entry keeps their ids alone, so that whoever is
//! erased is in none.

use std::collections::HashMap;

use model::{PersonId, TaskId, admin::AuditEntry};

use crate::{Actor, Result, admin::guard::administering, caseload::Audit, entity::person_name, tasks::row};

impl Audit<'_> {
    /// The name of each person, account and task that these entries are about and that is still there, by its id.
    pub async fn names(self, actor: &Actor, entries: &[AuditEntry]) -> Result<HashMap<String, String>> {
        administering(actor)?;
        let mut names = HashMap::new();
        for entry in entries {
            let Some(id) = entry.object_id.as_deref().filter(|id| !names.contains_key(*id)) else { continue };
            let name = match entry.object_kind.as_str() {
                "task" => self.title_of(id).await?,
                // An account's id is that of its person.
                "account" | "person" => self.name_of(id).await?,
                _ => None,
            };
            names.extend(name.map(|name| (id.to_owned(), name)));
        }
        Ok(names)
    }

    async fn title_of(self, id: &str) -> Result<Option<String>> {
        let Ok(id) = id.parse::<TaskId>() else { return Ok(None) };
        Ok(self.0.queue().task(id).await?.map(|task| row::link(&task, self.0.now()).title))
    }

    async fn name_of(self, id: &str) -> Result<Option<String>> {
        let Ok(id) = id.parse::<PersonId>() else { return Ok(None) };
        Ok(person_name(self.0.db().reader(), id).await?)
    }
}
