//! Erasing a person everywhere: ledgers, specs, what was picked and counted, and files that may hold them. The audit keeps
//! the id, and who did it and why. A task that is running skips them.

use model::{Problem, Role, note::checked_note};
use sea_orm::ConnectionTrait;
use serde_json::json;
use uuid::Uuid;

use crate::{
    Actor, Caseload, Error, Result,
    audit::{self, Entry},
    import,
};

impl Caseload {
    /// Erases a student for good. Files that were exported until now are withdrawn, since they may hold them, and exports that
    /// are running begin again.
    pub async fn erase(&self, actor: &Actor, id: Uuid, school_id: &str, reason: Option<&str>) -> Result<()> {
        if actor.role != Role::Administrator {
            return Err(Problem::forbidden("People are erased by administrators.").into());
        }
        let reason = checked_note("reason", reason)?;
        let reason = reason.ok_or_else(|| Problem::field("reason", "required", "Say why this person is erased."))?;
        let (db, txn) = (self.db(), self.db().begin_write().await?);
        let found = db.statement("SELECT school_id, primary_email FROM person WHERE id = $1 AND student", [id.into()]);
        let row = txn.query_one_raw(found).await?.ok_or_else(|| Problem::not_found("person"))?;
        let (known, email): (String, Option<String>) =
            (row.try_get("", "school_id")?, row.try_get("", "primary_email")?);
        if school_id.trim() != known {
            let message = "Type the school id of the person, to make sure that it is the right one.";
            return Err(Problem::field("schoolId", "differs", message).into());
        }
        for sql in [
            "UPDATE task_person SET person_id = NULL, given = NULL, before_value = NULL, after_value = NULL
             WHERE person_id = $1",
            // Histories and watch lists go with the person.
            "DELETE FROM person WHERE id = $1",
        ] {
            txn.execute_raw(db.statement(sql, [id.into()])).await?;
        }
        let words: Vec<String> = [Some(known.clone()), email].into_iter().flatten().collect();
        for word in words.iter().chain([&id.to_string()]) {
            let pattern = format!("%{}%", word.replace('!', "!!").replace('%', "!%").replace('_', "!_"));
            for sql in [
                "DELETE FROM selection WHERE content LIKE $1 ESCAPE '!'",
                // A preview goes with whom it wrote down, unless a task has taken them over.
                "DELETE FROM task_person WHERE task_id IN (SELECT id FROM preview WHERE content LIKE $1 ESCAPE '!')
                    AND NOT EXISTS (SELECT 1 FROM queued_task t WHERE t.id = task_person.task_id)",
                "DELETE FROM preview WHERE content LIKE $1 ESCAPE '!'",
                // The reason against a line of an import says what stood there.
                "UPDATE task_person SET reason = 'ERASED' WHERE outcome = 'FAILED' AND reason LIKE $1 ESCAPE '!'",
            ] {
                txn.execute_raw(db.statement(sql, [pattern.clone().into()])).await?;
            }
        }
        txn.execute_raw(db.statement("UPDATE task_person SET given = NULL WHERE given = $1", [known.into()])).await?;
        // An id stays an id, so that what remains of a spec can be read.
        let mut redacted: Vec<_> = words.into_iter().map(|word| (word, String::new())).collect();
        redacted.push((id.to_string(), Uuid::nil().to_string()));
        self.queue().redact(&txn, &redacted).await?;
        let begun_again = self.queue().begin_again(&txn, "export", actor.person_id).await?;
        let withdrawn =
            db.statement("UPDATE export SET expiry_date = {now} WHERE expiry_date > {now} RETURNING task_id", []);
        let withdrawn = txn.query_all_raw(withdrawn).await?;
        let withdrawn = withdrawn.iter().map(|row| row.try_get("", "task_id")).collect::<Result<Vec<Uuid>, _>>()?;
        let uploads = self.queue().resting(&txn, import::task::KIND).await?;
        let entry = Entry {
            actor_id: Some(actor.person_id),
            action: "person.erase",
            object_kind: "person",
            object_id: Some(id.to_string()),
            detail: json!({ "reason": reason, "filesWithdrawn": withdrawn.len() }),
        };
        audit::record(db, &txn, entry).await?;
        db.commit(txn).await?;
        self.queue().wake();
        // Uploads too: an import that is not running has no use for its file but to bring the person back.
        for task in withdrawn.into_iter().chain(uploads).chain(begun_again.iter().map(|task| task.id)) {
            let gone = self.files().delete_but(task, None).await;
            gone.map_err(|error| Error::Internal(format!("withdrawing the files of {task}: {error}")))?;
        }
        Ok(())
    }
}
