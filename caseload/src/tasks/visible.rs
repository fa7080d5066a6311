//! Which tasks somebody may see, and on which they may act: what is not theirs is not found.

use std::collections::HashMap;

use model::{Problem, Role, TaskId};
use queue::{Task, Transaction};

use crate::{
    Actor, Caseload, Result,
    audit::entry::{self, By, Entry},
    caseload::Tasks,
};

impl Tasks<'_> {
    /// Refuses whoever may not act on the task, before anything that they say of it is read.
    pub async fn may_act_on(self, actor: &Actor, id: TaskId) -> Result<()> {
        owned_task(self.0, actor, id).await.map(drop)
    }
}

/// The task, if the actor may see it; to others it does not exist.
pub(crate) async fn visible_task(caseload: &Caseload, actor: &Actor, id: TaskId) -> Result<Task> {
    match caseload.queue().task(id).await? {
        Some(task) if may_see(actor, &task) => Ok(task),
        Some(_) => Err(actor.hidden("task")),
        None => Err(Problem::not_found("task").into()),
    }
}

/// Those of these tasks that the actor may see, by id.
pub(crate) async fn visible_tasks(
    caseload: &Caseload,
    actor: &Actor,
    ids: impl IntoIterator<Item = TaskId>,
) -> Result<HashMap<TaskId, Task>> {
    let tasks = caseload.queue().tasks_by_id(ids).await?;
    Ok(tasks.into_iter().filter(|task| may_see(actor, task)).map(|task| (task.id, task)).collect())
}

/// The task, if the actor may act on it.
pub(crate) async fn owned_task(caseload: &Caseload, actor: &Actor, id: TaskId) -> Result<Task> {
    let task = visible_task(caseload, actor, id).await?;
    if may_act(actor, &task) {
        return Ok(task);
    }
    Err(actor.forbidden("You can act only on your own tasks."))
}

pub(crate) async fn record_verb(
    caseload: &Caseload,
    txn: &Transaction,
    actor: &Actor,
    action: &str,
    id: TaskId,
    detail: serde_json::Value,
) -> Result<()> {
    let object_id = Some(id.to_string());
    let entry = Entry { by: By::Actor(actor), action, object_kind: "task", object_id, detail };
    Ok(entry::record(caseload.db(), txn, entry).await?)
}

pub(crate) fn may_see(actor: &Actor, task: &Task) -> bool {
    task.owner_id == actor.person_id || actor.role.reads_all_tasks()
}

pub(crate) fn may_act(actor: &Actor, task: &Task) -> bool {
    task.owner_id == actor.person_id || actor.role == Role::Administrator
}
