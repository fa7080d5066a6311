//! Tasks as they change, for pages that are open.

use model::TaskId;
use std::collections::HashSet;

use crate::{Actor, Caseload, Result, limits::LiveChanges};

impl Caseload {
    /// The changes of all tasks that the actor may see, or of `these` among them, after their commit; see
    /// [`Caseload::live_row`]. It takes one of the places for live pages that the actor has.
    pub fn follow(&self, actor: &Actor, these: Option<HashSet<TaskId>>) -> Result<LiveChanges> {
        let place = self.live_place(actor)?;
        let (own, all) = (actor.person_id, actor.role.reads_all_tasks());
        let wanted = move |id: &TaskId| these.as_ref().is_none_or(|these| these.contains(id));
        let changes = self.inner.queue.follow(move |task| wanted(&task.id) && (all || task.owner_id == own));
        Ok(LiveChanges::new(changes, place))
    }
}
