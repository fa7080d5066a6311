//! Tasks as staff see them: lists, and one with all that belongs to it.

mod called;

use std::collections::HashSet;

use chrono::TimeDelta;
use model::{
    Code, Cursor, Instant, Page, Problem, Role, TaskDetail, TaskId, TaskName, TaskQuery, TaskRow, Total,
    task::TaskScope,
};
use queue::{Task, TaskSearch};

use crate::{
    Actor, Result,
    actions::all_actions::definition,
    admin::filter_values,
    caseload::Tasks,
    files::download,
    import::imported,
    limits::{LiveChanges, live_changes::open_live_page},
    submit::{follow_up, spec::Spec},
    tasks::{
        ledger, row,
        timeline::{DoneByOthers, timeline},
        visible::{self, may_act, may_see},
        waiting,
    },
};

/// Rows on a page unless asked otherwise.
const PAGE: u32 = 25;
/// How often the page of a task is read at most, while the task goes from one state to the next.
pub(crate) const LOOKS: u32 = 3;

impl Tasks<'_> {
    /// A page of tasks, newest first: one's own, or all for those who may read them.
    pub async fn list(self, actor: &Actor, query: &TaskQuery) -> Result<Page<TaskRow>> {
        let owner_id = match query.scope {
            TaskScope::Mine => Some(actor.person_id),
            TaskScope::All if actor.role.reads_all_tasks() => None,
            TaskScope::All => return Err(actor.forbidden("You can see only your own tasks.")),
        };
        let after = query.after.as_ref().map(Cursor::place).transpose()?;
        if let Some(kind) = &query.kind
            && !filter_values::is_kind(self.0, kind).await?
        {
            return Err(Problem::field("kind", "unknown", "There is no such kind of task.").into());
        }
        let limit = query.limit.unwrap_or(PAGE).clamp(1, model::parameters::MAX_LIMIT);
        let search = TaskSearch {
            owner_id,
            states: query.states.clone(),
            kind: query.kind.clone(),
            after,
            limit: limit.into(),
            ..TaskSearch::default()
        };
        let page = self.0.queue().tasks(&search).await?;
        let next = page.tasks.last().filter(|_| page.more).map(|last| Cursor::after(last.id));
        let mut items = row::rows_of(self.0, actor, &page.tasks, page.now).await?;
        waiting::add_waits(self.0, &mut items, &page.tasks).await?;
        let total = Total::upto(queue::COUNTED, page.total);
        Ok(Page { items, next, total })
    }

    /// These tasks as they are now and in this order, with how many match that are newer than the first of them.
    pub async fn list_again(self, actor: &Actor, query: &TaskQuery, ids: &[TaskId]) -> Result<(Page<TaskRow>, u64)> {
        let fresh = self.list(actor, query).await?;
        let first = ids.first().copied();
        let begins = query.after.is_none();
        let newer = fresh.items.iter().take_while(|row| Some(row.id) != first && !ids.contains(&row.id)).count();
        let mut items = Vec::with_capacity(ids.len());
        for id in ids.iter().take(model::parameters::MAX_LIMIT as usize) {
            match fresh.items.iter().find(|row| row.id == *id) {
                Some(row) => items.push(row.clone()),
                None => items.extend(self.row(actor, *id).await.ok()),
            }
        }
        let next = items.last().map(|row| Cursor::after(row.id)).filter(|_| fresh.next.is_some());
        Ok((Page { items, next, total: fresh.total }, if begins { newer as u64 } else { 0 }))
    }

    /// One task with its timeline, as of one moment: many tasks begin while their page is read.
    pub async fn get(self, actor: &Actor, id: TaskId) -> Result<TaskDetail> {
        let mut task = visible::visible_task(self.0, actor, id).await?;
        for _ in 1..LOOKS {
            let detail = self.detail(actor, &task).await?;
            let after = visible::visible_task(self.0, actor, id).await?;
            if stands_alike(&task, &after) {
                return Ok(detail);
            }
            task = after;
        }
        self.detail(actor, &task).await
    }

    async fn detail(self, actor: &Actor, task: &Task) -> Result<TaskDetail> {
        let id = task.id;
        let now = self.0.db().now().await?;
        let mut row = row::row_of(self.0, actor, task, now).await?;
        // What is so now says nothing of a task that is to start later.
        let (rows, tasks) = (std::slice::from_mut(&mut row), std::slice::from_ref(task));
        let wait = waiting::add_waits(self.0, rows, tasks).await?.pop().unwrap_or_default();
        let spec = Spec::of(task);
        let attempts = self.0.queue().attempts(id).await?;
        let waits = wait.why.into_iter().map(|why| ("Waits because".to_owned(), why));
        let mut facts = spec.as_ref().map(|spec| definition(&spec.action).facts()).unwrap_or_default();
        if let Some(spec) = &spec {
            facts.extend(definition(&spec.action).details(self.0, id).await?);
        }
        let told = imported::told(self.0, task, &row).await?;
        facts.extend(told.facts);
        row.summary = told.sum.clone().or(row.summary);
        row.line = row.line.or(told.sum);
        let parent = match task.parent_task_id {
            Some(parent) => self.0.queue().task(parent).await?.filter(|parent| may_see(actor, parent)),
            None => None,
        };
        let mut children = self.0.queue().children(id).await?;
        children.retain(|child| may_see(actor, child));
        let done = DoneByOthers::of(self.0, task, &children).await?;
        Ok(TaskDetail {
            file: if task.owner_id == actor.person_id { download::export_file(self.0, id).await? } else { None },
            reasons: ledger::reasons(self.0, &row, spec.as_ref().map(|spec| &spec.action)).await?,
            can_resend: match spec.as_ref().filter(|_| may_act(actor, task)) {
                Some(spec) => follow_up::resendable(self.0, task, spec).await?,
                None => Vec::new(),
            },
            kept_until: self.kept_until(&row),
            parent: parent.map(|parent| row::link(&parent, now)),
            children: children.iter().map(|child| row::link(child, now)).collect(),
            timeline: timeline(task, &row, &attempts, &done),
            // It is named for its machine, which is nobody else's business.
            process: task.scheduled_by_process.clone().filter(|_| actor.role == Role::Administrator),
            facts: waits.chain(facts).collect(),
            chosen: spec.as_ref().and_then(|spec| spec.targeted.chosen()),
            filter_query: spec.as_ref().and_then(|spec| spec.targeted.filter()).map(|filter| filter.to_query()),
            row,
        })
    }

    /// The row of a task alone.
    pub async fn row(self, actor: &Actor, id: TaskId) -> Result<TaskRow> {
        let task = visible::visible_task(self.0, actor, id).await?;
        row::row_of(self.0, actor, &task, self.0.db().now().await?).await
    }

    /// When a finished task is pruned with all that belongs to it.
    fn kept_until(self, row: &TaskRow) -> Option<Instant> {
        let stopped = row.stopped_date.filter(|_| row.status.is_finished())?;
        TimeDelta::from_std(self.0.queue().settings().retention?).ok().and_then(|kept| stopped.checked_add_signed(kept))
    }

    /// How many of the actor's tasks are running now.
    pub async fn running_count(self, actor: &Actor) -> Result<u64> {
        Ok(self.0.queue().running(actor.person_id).await?)
    }

    /// The changes of all tasks that the actor may see, or of `these` among them, after their commit; see
    /// [`Tasks::live_row`]. It counts as a live page of the actor.
    pub fn follow(self, actor: &Actor, these: Option<HashSet<TaskId>>) -> Result<LiveChanges> {
        let place = open_live_page(self.0, actor)?;
        let (own, all) = (actor.person_id, actor.role.reads_all_tasks());
        let wanted = move |id: &TaskId| these.as_ref().is_none_or(|these| these.contains(id));
        let changes = self.0.inner.queue.follow(move |task| wanted(&task.id) && (all || task.owner_id == own));
        Ok(LiveChanges::new(changes, place))
    }

    /// A changed task as live events carry it, from memory; `None` when it is not the actor's to see.
    pub async fn live_row(self, actor: &Actor, task: &Task) -> Result<Option<TaskRow>> {
        if !may_see(actor, task) {
            return Ok(None);
        }
        // A task that has just been written is due or not as of then.
        Ok(Some(row::row_of(self.0, actor, task, task.modified_date.max(task.created_date)).await?))
    }

    /// The id of the task that somebody means. Two with one short id are told apart by their whole ones only.
    pub async fn find_by_name(self, actor: &Actor, name: TaskName) -> Result<TaskId> {
        let ids = match name {
            TaskName::Whole(id) => vec![id],
            TaskName::Short(end) => self.0.queue().tasks_ending_in(end).await?,
        };
        match ids[..] {
            [] => Err(Problem::not_found("task").into()),
            [id] => Ok(visible::visible_task(self.0, actor, id).await?.id),
            _ => {
                Err(Problem::bad_request(Code::AMBIGUOUS, "Several tasks have this short ID. Enter the full ID.")
                    .into())
            }
        }
    }
}

/// Whether two looks at a task found the same attempt in the same state.
pub(crate) fn stands_alike(one: &Task, other: &Task) -> bool {
    let stand = |task: &Task| (task.workflow_status, task.attempt, task.trigger_date);
    stand(one) == stand(other)
}
