//! Ending the hold of an email: it is sent now, without the time for second thoughts that is left.

use model::{Conflict, Problem, TaskId, note::Reason};
use queue::NewStart;
use serde_json::json;

use crate::{
    Actor, Result,
    caseload::Tasks,
    tasks::{done_to_task, visible},
};

impl Tasks<'_> {
    /// Sends a held email now. Of two who do, and of one who cancels it at the same time, one wins.
    pub async fn send_now(self, actor: &Actor, id: TaskId, reason: Option<&str>) -> Result<()> {
        let before = visible::owned_task(self.0, actor, id).await?;
        let reason = Reason::read(reason)?;
        done_to_task::insist(actor, &before, reason.as_ref())?;
        let txn = self.0.db().begin_write().await?;
        let task = match self.0.queue().reschedule(&txn, id, actor.person_id, NewStart::HoldEnds).await {
            Err(queue::Error::Conflict(status)) => {
                let gone = Problem::conflict(Conflict::HOLD_OVER, "This email is no longer held.");
                return Err(gone.with("currentStatus", status.name()).into());
            }
            ended => ended?,
        };
        done_to_task::note(self.0.db(), &txn, &[id], actor, done_to_task::SEND_NOW, reason.as_ref(), None).await?;
        let detail = json!({ "reason": reason, "heldUntil": before.trigger_date });
        visible::record_verb(self.0, &txn, actor, "task.send-now", id, detail).await?;
        self.0.db().commit(txn).await?;
        self.0.queue().announce(&task);
        Ok(())
    }
}
