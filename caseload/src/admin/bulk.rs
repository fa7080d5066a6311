//! Retry and abandon over many tasks: counted first, then done in one transaction with one entry in the audit. Only what the
//! count saw is reached, and the whole is refused when too much of that is gone.

use std::collections::BTreeMap;

use model::{
    Instant, Problem, TaskState,
    admin::{AdminTaskQuery, BulkPreview, BulkVerb, Confirmed, Seen, StateCount},
    grouped,
};
use queue::TaskSearch;
use serde_json::json;
use uuid::Uuid;

use super::{administering, reasoned, verbs};
use crate::{
    Actor, Caseload, Result,
    audit::{self, Entry},
    notices,
};

/// The most tasks of one operation: it is one transaction, and others wait for it on SQLite.
const MOST: u64 = 5_000;
/// How many the sample shows.
const SAMPLE: usize = 10;
/// How many ids the audit keeps of one operation; the filter says the rest.
const KEPT: usize = 1_000;

/// The states in which a verb changes a task.
fn reached(verb: BulkVerb) -> &'static [TaskState] {
    use TaskState::*;
    match verb {
        BulkVerb::Retry => &[Failed, CouldNotStart, Retrying],
        BulkVerb::Abandon => &[Waiting, Retrying, Scheduled, Held, Running, Failed, CouldNotStart],
    }
}

/// The states that were asked for, or all of them.
fn asked(query: &AdminTaskQuery) -> Vec<TaskState> {
    if query.states.is_empty() { TaskState::ALL.to_vec() } else { query.states.clone() }
}

impl Caseload {
    /// What a verb on all tasks that match would do.
    pub async fn preview_bulk(&self, actor: &Actor, verb: BulkVerb, query: &AdminTaskQuery) -> Result<BulkPreview> {
        administering(actor)?;
        let now = self.db().now().await?;
        let left = self.left_alone(verb, query, now).await?;
        let nobody = Seen { at: now, newest: Uuid::nil(), count: 0 };
        let Some(search) = self.bulk_search(verb, query, now).await? else {
            return Ok(preview(verb, nobody, left));
        };
        let mut ids = self.queue().matching(self.db().reader(), &search, now, MOST + 1).await?;
        let more = ids.len() as u64 > MOST;
        ids.truncate(MOST as usize);
        let seen = match ids.last() {
            Some(newest) => Seen { at: now, newest: *newest, count: ids.len() as u64 },
            None => nobody,
        };
        let mut sample = Vec::new();
        for task in &self.queue().tasks_by_id(ids.iter().rev().take(SAMPLE).copied()).await? {
            sample.push(self.row(actor, task, now).await?);
        }
        sample.sort_by_key(|row| std::cmp::Reverse(row.id));
        let open = self.queue().open_in(&search, now, MOST).await?;
        Ok(BulkPreview { more, open, sample, ..preview(verb, seen, left) })
    }

    /// Does it, to those that the preview saw and that have not changed since. Refused when more than one in a hundred of them
    /// are gone. Gives how many were changed.
    pub async fn apply_bulk(
        &self,
        actor: &Actor,
        verb: BulkVerb,
        query: &AdminTaskQuery,
        confirmed: &Confirmed,
        reason: &str,
    ) -> Result<u64> {
        let reason = reasoned(actor, reason)?;
        if query.is_everything() && !confirmed.everything {
            let message = "Nothing narrows the tasks: say that you mean all of them.";
            return Err(Problem::field("everything", "required", message).into());
        }
        let seen = confirmed.seen;
        // Of what has not changed since, the state is what it was then.
        let search = self.bulk_search(verb, query, seen.at).await?.map(|search| TaskSearch {
            newest: Some(seen.newest),
            unchanged_since: Some(seen.at),
            ..search
        });
        let txn = self.db().begin_write().await?;
        let ids = match &search {
            Some(search) => self.queue().matching(&txn, search, seen.at, MOST).await?,
            None => Vec::new(),
        };
        check_drift(ids.len() as u64, seen.count)?;
        let before: BTreeMap<_, _> = self
            .queue()
            .states_among(&txn, &ids, self.db().now().await?)
            .await?
            .into_iter()
            .map(|(state, count)| (state.name(), count))
            .collect();
        let changed = match verb {
            BulkVerb::Retry => self.queue().retry_all(&txn, &ids, actor.person_id).await?,
            BulkVerb::Abandon => self.queue().abandon_all(&txn, &ids, actor.person_id, &reason).await?,
        };
        let reached: Vec<Uuid> = changed.iter().map(|task| task.id).collect();
        check_drift(reached.len() as u64, seen.count)?;
        let (action, word, after) = match verb {
            BulkVerb::Retry => ("tasks.retry", verbs::RETRY, "QUEUED"),
            BulkVerb::Abandon => ("tasks.abandon", verbs::ABANDON, "ABANDONED"),
        };
        let filter: BTreeMap<_, _> = query.pairs().into_iter().collect();
        let detail = json!({
            "reason": reason, "count": reached.len(), "filter": filter, "before": before,
            "after": { after: reached.len() }, "tasks": reached.iter().take(KEPT).collect::<Vec<_>>(),
        });
        let entry = Entry { actor_id: Some(actor.person_id), action, object_kind: "tasks", object_id: None, detail };
        let operation = audit::record_one(self.db(), &txn, entry).await?;
        verbs::note(self.db(), &txn, &reached, actor, word, Some(&reason), Some(operation)).await?;
        if verb == BulkVerb::Retry {
            notices::forget_of(self.db(), &txn, &reached).await?;
        }
        self.db().commit(txn).await?;
        match verb {
            BulkVerb::Retry => changed.iter().for_each(|task| self.queue().tell(task)),
            BulkVerb::Abandon => self.queue().tell_given_up(&changed),
        }
        tracing::info!(verb = verb.name(), tasks = changed.len(), by = %actor.person_id, "tasks changed");
        self.queue().wake();
        Ok(reached.len() as u64)
    }

    /// The search for those whom a verb reaches, at an instant; `None`: nobody, since other states are asked for.
    async fn bulk_search(&self, verb: BulkVerb, query: &AdminTaskQuery, at: Instant) -> Result<Option<TaskSearch>> {
        let states: Vec<TaskState> = asked(query).into_iter().filter(|state| reached(verb).contains(state)).collect();
        if states.is_empty() {
            return Ok(None);
        }
        let query = AdminTaskQuery { states, after: None, limit: None, ..query.clone() };
        Ok(Some(self.task_search(&query, at).await?))
    }

    /// Those who match and are left alone.
    async fn left_alone(&self, verb: BulkVerb, query: &AdminTaskQuery, at: Instant) -> Result<Vec<StateCount>> {
        let others: Vec<TaskState> = asked(query).into_iter().filter(|state| !reached(verb).contains(state)).collect();
        let groups: Vec<&[TaskState]> = others.iter().map(std::slice::from_ref).collect();
        if groups.is_empty() {
            return Ok(Vec::new());
        }
        let search = self.task_search(&AdminTaskQuery { states: Vec::new(), ..query.clone() }, at).await?;
        let counts = self.queue().counts_by_state(&search, &groups).await?;
        let counted = others.into_iter().zip(counts).filter(|(_, count)| *count > 0);
        Ok(counted.map(|(state, count)| StateCount { state, count }).collect())
    }
}

fn preview(verb: BulkVerb, seen: Seen, left: Vec<StateCount>) -> BulkPreview {
    BulkPreview { verb, will_change: seen.count, preview_token: seen, left, more: false, open: 0, sample: Vec::new() }
}

fn check_drift(found: u64, expected: u64) -> Result<()> {
    if found == 0 {
        return Err(Problem::conflict("nothing_to_do", "No task that matches is in a state for this any more.").into());
    }
    if found.abs_diff(expected) > (expected / 100).max(u64::from(expected > 0)) {
        let detail =
            format!("There are {} tasks by now, not {}. Please look again.", grouped(found), grouped(expected));
        return Err(Problem::conflict("changed_since", detail).with("total", found).into());
    }
    Ok(())
}
