//! Which tasks that have ended somebody wants to hear of.

use async_trait::async_trait;
use model::{AccountId, TaskId, TaskState, error_code::in_words};
use queue::{Database, Queue, Result, Task, TaskTable};
use sea_orm::{ConnectionTrait, DbErr};

use super::rows::{About, Words, not_wanted, put};
use crate::{
    access,
    accounts::request_origin::Via,
    entity::mail::notice::State,
    mail::Mail,
    statement::{after, composed},
    tasks::title::title,
};

/// Who is at their desk.
#[async_trait]
pub trait Presence: Send + Sync {
    /// Whether somebody has asked for a page of late.
    async fn is_here(&self, person: AccountId) -> Result<bool, DbErr>;
}

/// A task that took longer, from when it was asked for, is told of in any case, in seconds.
const LONG: i64 = 60;
/// How long ago a task may have ended that is still told of, in seconds: longer than Docket is ever away for a restart.
const LATELY: f64 = 1_800.0;
/// Tasks that are looked at at once.
const MOST: i64 = 200;

/// Puts down the notices of those that have ended of late. Each task is looked at once: whoever was here then has seen it.
pub async fn put_down(db: &Database, queue: &Queue, mail: &Mail, presence: &dyn Presence) -> Result<u64> {
    let t = TaskTable("t");
    let ended = "SELECT $1 AS id, p.primary_email FROM $2
         JOIN account a ON a.person_id = $3 AND NOT a.disabled AND a.preferences LIKE '%\"notify\":true%'
         JOIN person p ON p.id = $3 AND p.primary_email IS NOT NULL
         WHERE $4 AND $5 > $6 AND NOT EXISTS (SELECT 1 FROM notice n WHERE n.task_id = $1 AND n.purpose = 'ENDED')
         ORDER BY $5 LIMIT $7";
    let of_late = [t.is_finished(), t.stopped_date(), after(db, -LATELY)];
    let parts = [t.id(), t.table(), t.owner()].into_iter().chain(of_late).chain([MOST.into()]);
    let ended = composed(db, ended, parts);
    let mut put_down = 0;
    for row in db.reader().query_all_raw(ended).await? {
        let (id, address): (TaskId, String) = (row.try_get("", "id")?, row.try_get("", "primary_email")?);
        let Some(task) = queue.task(id).await? else { continue };
        let took = task.workflow_stopped_date.map_or(0, |stopped| (stopped - task.created_date).num_seconds());
        let state = queue::state_of(&task, db.now().await?);
        // Of what nobody approved its owner is told anyway.
        let is_told = matches!(state, TaskState::Cancelled | TaskState::Declined);
        let wanted = !is_told && (took > LONG || !presence.is_here(task.owner_id).await?);
        let txn = db.begin_write().await?;
        if wanted && access::load(&txn, task.owner_id, Via::docket()).await.ok().flatten().is_some() {
            let mut words = ending(&task, state);
            words.body = format!("{}\n\n{}", words.body, mail.settings().link(id));
            put(db, &txn, About::End(id), &address, words, State::Waiting).await?;
            put_down += 1;
        } else {
            not_wanted(db, &txn, About::End(id)).await?;
        }
        db.commit(txn).await?;
    }
    Ok(put_down)
}

/// What a task was called and what became of it, for a mail about it.
fn ending(task: &Task, state: TaskState) -> Words {
    let counts =
        [(task.succeeded, "done"), (task.skipped, "skipped"), (task.failed, "failed"), (task.uncertain, "uncertain")];
    let told: Vec<String> = counts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{} {word}", model::grouped(count.unsigned_abs())))
        .collect();
    let title = title(task);
    let mut body = format!("{title} ({})\n\n{}", model::short_id(task.id), state.label());
    if !told.is_empty() {
        body += &format!(": {}", told.join(", "));
    }
    if let Some(error) = task.workflow_status_desc.as_deref().filter(|_| task.workflow_status.has_failed()) {
        body += &format!("\n\n{}", in_words(error));
    }
    Words { subject: format!("Docket: “{title}” has ended"), body }
}
