//! Watch and unwatch: people come onto the actor's own watch list, or leave it. Watching twice refreshes the date.

use async_trait::async_trait;
use model::{
    SkipReason, TaskId,
    action::{Watch, WatchOperation},
};
use sea_orm::{ConnectionTrait, DbErr};

use super::rules::{Line, Rules, Undoing, fact};
use crate::{Actor, access, binds::Binds, tasks::lines, tasks::part::Part};

/// The date of somebody who is watched already: a click that waited for this one may have written a later one.
const LATER: &str =
    "CASE WHEN watch.watched_date > excluded.watched_date THEN watch.watched_date ELSE excluded.watched_date END";

#[async_trait]
impl Rules for Watch {
    fn reasons(&self) -> &'static [SkipReason] {
        match self.operation {
            WatchOperation::Watch => &[SkipReason::NotFound, SkipReason::OutOfReach],
            WatchOperation::Unwatch => &[SkipReason::NotFound, SkipReason::NotWatched],
        }
    }

    /// Whoever is no longer the actor's can still be taken off the list.
    fn verdict(&self, actor: &Actor, binds: &mut Binds) -> String {
        match self.operation {
            WatchOperation::Watch => {
                let reach = access::reach(actor, binds);
                format!("CASE WHEN p.id IS NULL THEN 'NOT_FOUND' WHEN NOT {reach} THEN 'OUT_OF_REACH' END")
            }
            WatchOperation::Unwatch => {
                let watched = access::watched(actor, binds);
                format!("CASE WHEN p.id IS NULL THEN 'NOT_FOUND' WHEN NOT {watched} THEN 'NOT_WATCHED' END")
            }
        }
    }

    fn line(&self, actor: &Actor, binds: &mut Binds) -> Line {
        let after = match self.operation {
            WatchOperation::Watch => "'Watched'",
            WatchOperation::Unwatch => "'Not watched'",
        };
        Line { before: state(actor, binds), after: after.to_owned(), former: since(actor, binds) }
    }

    async fn apply(&self, part: &Part<'_>, actor: &Actor) -> Result<(), DbErr> {
        lines::judge(part, self, actor).await?;
        let mut binds = Binds::default();
        let (watcher, done) = (binds.add(actor.person_id), part.range.done(&mut binds));
        let sql = match self.operation {
            WatchOperation::Watch => {
                let now = binds.add(part.at);
                format!(
                    "INSERT INTO watch (watcher_id, person_id, watched_date)
                     SELECT {watcher}, person_id, {now} FROM ({done}) AS changed WHERE TRUE
                     ON CONFLICT (watcher_id, person_id) DO UPDATE SET watched_date = {LATER}"
                )
            }
            WatchOperation::Unwatch => {
                format!("DELETE FROM watch WHERE watcher_id = {watcher} AND person_id IN ({done})")
            }
        };
        part.txn.execute_raw(part.db.statement(&sql, binds.values())).await?;
        Ok(())
    }

    fn facts(&self) -> Vec<(String, String)> {
        vec![fact("Change", format!("Watch list: {}", self.operation.label().to_lowercase()))]
    }

    fn undoing(&self) -> Option<&dyn Undoing> {
        Some(self)
    }

    fn is_personal(&self) -> bool {
        true
    }
}

#[async_trait]
impl Undoing for Watch {
    /// One's own list, whoever is on it.
    fn within(&self, _: &Actor, _: &mut Binds) -> String {
        "TRUE".to_owned()
    }

    fn as_left(&self, task: TaskId, actor: &Actor, binds: &mut Binds) -> String {
        match self.operation {
            WatchOperation::Watch => {
                let (watcher, task) = (binds.add(actor.person_id), binds.add(task));
                format!(
                    "EXISTS (SELECT 1 FROM watch w JOIN task_person did ON did.task_id = {task} AND did.person_id = w.person_id
                        WHERE w.watcher_id = {watcher} AND w.person_id = p.id AND w.watched_date = did.outcome_date)"
                )
            }
            WatchOperation::Unwatch => format!("NOT {}", access::watched(actor, binds)),
        }
    }

    fn line_back(&self, task: TaskId, actor: &Actor, binds: &mut Binds) -> Line {
        let (before, former) = (state(actor, binds), since(actor, binds));
        let after = match self.operation {
            WatchOperation::Unwatch => "'Watched'".to_owned(),
            WatchOperation::Watch => {
                format!("CASE WHEN {} IS NULL THEN 'Not watched' ELSE 'Watched' END", watched_before(task, binds))
            }
        };
        Line { before, after, former }
    }

    /// With the former dates.
    async fn put_back(&self, part: &Part<'_>, task: TaskId, actor: &Actor) -> Result<(), DbErr> {
        let (db, txn) = (part.db, part.txn);
        let mut binds = Binds::default();
        let (watcher, task, done) = (binds.add(actor.person_id), binds.add(task), part.range.done(&mut binds));
        let before = format!(
            "SELECT did.person_id, did.former_date FROM task_person did
             WHERE did.task_id = {task} AND did.person_id IN ({done})"
        );
        if self.operation == WatchOperation::Watch {
            let sql = format!(
                "DELETE FROM watch WHERE watcher_id = {watcher} AND person_id IN (
                    SELECT person_id FROM ({before}) AS did WHERE former_date IS NULL)"
            );
            txn.execute_raw(db.statement(&sql, binds.clone().values())).await?;
        }
        let sql = format!(
            "INSERT INTO watch (watcher_id, person_id, watched_date)
             SELECT {watcher}, person_id, former_date FROM ({before}) AS did WHERE former_date IS NOT NULL
             ON CONFLICT (watcher_id, person_id) DO UPDATE SET watched_date = excluded.watched_date"
        );
        txn.execute_raw(db.statement(&sql, binds.values())).await?;
        Ok(())
    }
}

/// Whether the actor watches the person `p`, in words.
fn state(actor: &Actor, binds: &mut Binds) -> String {
    let watched = access::watched(actor, binds);
    format!("CASE WHEN {watched} THEN 'Watched' WHEN p.id IS NOT NULL THEN 'Not watched' END")
}

/// Since when, or null.
fn since(actor: &Actor, binds: &mut Binds) -> String {
    let watcher = binds.add(actor.person_id);
    format!("(SELECT w.watched_date FROM watch w WHERE w.watcher_id = {watcher} AND w.person_id = p.id)")
}

/// Since when the person `p` was watched before `task` did.
fn watched_before(task: TaskId, binds: &mut Binds) -> String {
    let task = binds.add(task);
    format!("(SELECT did.former_date FROM task_person did WHERE did.task_id = {task} AND did.person_id = p.id)")
}
