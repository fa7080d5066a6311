//! After an error nobody knows what the database has: a COMMIT may have been done and its answer lost. Before anything is
//! decided the row is read again, by attempt, fence and state, for as long as it takes the database to answer or this process to
//! lose its right to write.

use std::time::Duration;

use model::WorkflowStatus;
use sea_orm::{DbErr, EntityTrait, QuerySelect};

use super::attempt_at::AttemptAt;
use crate::{Database, Result, Task, TaskEntity, process::identity::OwnProcess};

/// Doubts in a row, without a chunk in between, after which it is the work that is to blame.
const MOST: u32 = 3;
/// Between two looks; doubled up to the longest.
const FIRST_WAIT: Duration = Duration::from_millis(50);
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// How long an answer is waited for where no heartbeat limits it.
const PATIENCE: Duration = Duration::from_secs(60);

/// What the database has of a task.
pub enum Reread {
    /// Still this attempt's, as it is now: the lost transaction is in it or not.
    Ours(Box<Task>),
    Completed(Box<Task>),
    NotOurs,
}

/// Counts the doubts of one attempt.
#[derive(Default)]
pub struct Doubts {
    in_a_row: u32,
}

impl Doubts {
    pub fn clear(&mut self) {
        self.in_a_row = 0;
    }

    pub fn are_too_many(&self) -> bool {
        self.in_a_row >= MOST
    }

    /// Reads the row until the database answers.
    pub async fn find_out(&mut self, db: &Database, task: &Task, process: &OwnProcess) -> Result<Reread> {
        self.in_a_row += 1;
        let since = std::time::Instant::now();
        let mut wait = FIRST_WAIT * self.in_a_row;
        loop {
            tokio::time::sleep(wait).await;
            match look(db, task).await {
                Ok(found) => return Ok(of(found, task)),
                Err(error) if !process.may_write() || since.elapsed() > PATIENCE => return Err(error.into()),
                Err(_) => wait = (wait * 2).min(LONGEST_WAIT),
            }
        }
    }
}

/// Reads the row under its lock: a COMMIT that is still under way has been done by then, or will never be.
async fn look(db: &Database, task: &Task) -> Result<Option<Task>, DbErr> {
    let txn = db.begin_write().await?;
    let found = TaskEntity::find_by_id(task.id).lock_exclusive().one(&txn).await?;
    txn.rollback().await?;
    Ok(found)
}

fn of(found: Option<Task>, task: &Task) -> Reread {
    match found {
        Some(now) if !AttemptAt::of(task).is_after_doubt(&now) => Reread::NotOurs,
        Some(now) if now.workflow_status == WorkflowStatus::Completed => Reread::Completed(Box::new(now)),
        Some(now) if now.workflow_status.is_running() => Reread::Ours(Box::new(now)),
        _ => Reread::NotOurs,
    }
}
