//! Erasing a person everywhere: ledgers, specs, what was picked and counted, and files that may hold them. The audit keeps
//! the id, and who did it and why. A task that is running skips them.
//!
//! Each module that holds personal data forgets them by a `forget` of its own; [`People::erase`] is the list of them.

pub mod erased;

use erased::Erased;
use model::{PersonId, Problem, Role, SchoolId, TaskKind, note::Reason};
use queue::Transaction;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, QueryFilter, QuerySelect, QueryTrait};
use serde_json::json;

use crate::{
    Actor, Error, Result,
    actions::{email, export},
    audit::entry::{self, By, Entry},
    caseload::People,
    composer,
    entity::people::person::{Column, Entity},
    import, notices,
    people::{journal, person, selection, views},
    submit::{approvals, preview, spec},
    tasks::{done_to_task, ledger},
};

/// What names a student. A status that only a newer version knows keeps nobody from being erased.
#[derive(FromQueryResult)]
struct Student {
    school_id: SchoolId,
    primary_email: Option<String>,
    secondary_email: Option<String>,
    first_name: String,
    last_name: String,
}

impl People<'_> {
    /// Erases a student for good. Files that were exported until now are withdrawn, since they may hold them, and exports that
    /// are not over begin again.
    pub async fn erase(self, actor: &Actor, id: PersonId, school_id: &str, reason: Option<&str>) -> Result<()> {
        if actor.role != Role::Administrator {
            return Err(actor.forbidden("Only administrators can erase people."));
        }
        let reason = Reason::required(reason, "Enter a reason for erasing this person.")?;
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let erased = self.find_to_erase(&txn, id).await?;
        if school_id.trim() != erased.school_id.as_str() {
            let message = "This is not the person’s school ID.";
            return Err(Problem::field("schoolId", "differs", message).into());
        }
        email::forget(db, &txn, &erased).await?;
        composer::forget(db, &txn, &erased).await?;
        journal::forget(db, &txn, &erased).await?;
        ledger::forget(db, &txn, &erased).await?;
        selection::forget(db, &txn, &erased).await?;
        preview::forget(db, &txn, &erased).await?;
        views::forget(db, &txn, &erased).await?;
        entry::forget(db, &txn, &erased).await?;
        done_to_task::forget(db, &txn, &erased).await?;
        approvals::forget(db, &txn, &erased).await?;
        spec::forget(self.0.queue(), &txn, &erased).await?;
        let uploads = import::forget(self.0.queue(), db, &txn, &erased).await?;
        notices::forget(db, &txn, &erased).await?;
        person::forget(db, &txn, &erased).await?;
        // Extra fields, histories, alerts and watch lists go with the person.
        txn.execute_raw(db.build(&Entity::delete_by_id(id).into_query())).await?;
        let begun_again = self.0.queue().begin_again(&txn, TaskKind::Export.name(), actor.person_id).await?;
        let withdrawn = export::withdraw_all(db, &txn).await?;
        let entry = Entry {
            by: By::Actor(actor),
            action: "person.erase",
            object_kind: "person",
            object_id: Some(id.to_string()),
            detail: json!({ "reason": reason, "filesWithdrawn": withdrawn.len() }),
        };
        entry::record(db, &txn, entry).await?;
        db.commit(txn).await?;
        let failed = |error: object_store::Error| Error::Internal(format!("withdrawing files: {error}"));
        for task in withdrawn.into_iter().chain(uploads) {
            self.0.files().delete_but(task, None).await.map_err(failed)?;
        }
        for task in begun_again {
            // The next attempt may be writing already.
            self.0.files().delete_of_attempts(task.id, task.attempt).await.map_err(failed)?;
        }
        self.0.queue().wake();
        Ok(())
    }

    /// Locks the person first, as a chunk does.
    async fn find_to_erase(self, txn: &Transaction, id: PersonId) -> Result<Erased> {
        let student = Entity::find_by_id(id).filter(Column::Student.eq(true)).lock_exclusive().select_only();
        let names =
            [Column::SchoolId, Column::PrimaryEmail, Column::SecondaryEmail, Column::FirstName, Column::LastName];
        let student = student.columns(names).into_model::<Student>().one(txn).await?;
        let student = student.ok_or_else(|| Problem::not_found("person"))?;
        let emails = [student.primary_email, student.secondary_email];
        Ok(Erased::new(id, student.school_id, emails, &student.first_name, &student.last_name))
    }
}
