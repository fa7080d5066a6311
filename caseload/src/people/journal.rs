//! The journal of a person: short records that actions leave behind.

use model::{PersonId, person::JournalEntry};
use queue::{Database, Transaction};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::{
    Actor, Result,
    caseload::People,
    entity::people::journal_entry::{Column, Entity},
    erase::erased::{ERASED, Erased, forget_texts},
    people::{names::Names, person},
    tasks::visible,
};

/// Entries that are shown of one person.
const SHOWN: u64 = 100;

impl People<'_> {
    /// The journal of a person within reach, latest first. The index is `journal_entry_person`.
    pub async fn journal(self, actor: &Actor, id: PersonId) -> Result<Vec<JournalEntry>> {
        person::reached(self.0, actor, id).await?;
        let latest = Entity::find().filter(Column::PersonId.eq(id)).order_by_desc(Column::Id).limit(SHOWN);
        let found = latest.all(self.0.db().reader()).await?;
        let visible = visible::visible_tasks(self.0, actor, found.iter().map(|entry| entry.task_id)).await?;
        let names = Names::of(self.0, id).await?;
        let mut entries = Vec::new();
        for found in found {
            entries.push(JournalEntry {
                // That of an email has the merge fields of its subject.
                entry: names.merged_into(&found.entry),
                created_date: found.created_date,
                created_by_name: self.0.staff_name(found.created_by).await?,
                task_id: visible.contains_key(&found.task_id).then_some(found.task_id),
            });
        }
        Ok(entries)
    }
}

/// Takes out the entries on others that name somebody who is erased.
pub async fn forget(db: &Database, txn: &Transaction, erased: &Erased) -> Result<()> {
    Ok(forget_texts::<Entity>(db, txn, erased, Column::Entry, Some(ERASED)).await?)
}
