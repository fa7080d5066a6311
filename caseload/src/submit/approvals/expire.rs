//! What nobody decided in time is over. Its owner hears of it, and can ask again.

use model::TaskId;
use queue::{Database, Queue, Result};
use sea_orm::ConnectionTrait;
use serde_json::json;

use super::outcome::decided;
use crate::{
    SYSTEM_PERSON,
    audit::entry::{self, By, Entry},
    entity::tasks::approval::Decision,
    mail::Mail,
    notices::{ApprovalOutcome, of_approval_decided},
    statement::{at_most, composed},
    tasks::title::title,
};

/// As many at once.
const MOST: i64 = 100;

/// Ends those whose time is over. Returns how many.
pub(crate) async fn end_expired(db: &Database, queue: &Queue, mail: &Mail) -> Result<u64> {
    let over = "SELECT a.task_id FROM ($1) AS waiting JOIN approval a ON a.task_id = waiting.id
         WHERE a.expiry_date <= $2 ORDER BY a.expiry_date LIMIT $3";
    let over = composed(db, over, [queue::unfinished::unapproved(), db.instant(), at_most(MOST)]);
    let mut expired = 0;
    for row in db.reader().query_all_raw(over).await? {
        let id: TaskId = row.try_get("", "task_id")?;
        let txn = db.begin_write().await?;
        let task = match queue::approval::decline(db, &txn, id, SYSTEM_PERSON, None).await {
            Ok(task) => task,
            // Somebody has decided since.
            Err(queue::Error::Conflict(_) | queue::Error::NoSuchTask) => continue,
            Err(other) => return Err(other),
        };
        decided(db, &txn, id, Decision::Expired, None, None).await?;
        let entry = Entry {
            by: By::Docket,
            action: "task.approval_expire",
            object_kind: "task",
            object_id: Some(id.to_string()),
            detail: json!({}),
        };
        entry::record(db, &txn, entry).await?;
        let about = (id, task.owner_id);
        of_approval_decided(db, &txn, mail, about, &title(&task), ApprovalOutcome::Expired).await?;
        db.commit(txn).await?;
        queue.notify_given_up(std::slice::from_ref(&task));
        expired += 1;
    }
    Ok(expired)
}
