//! Watch and unwatch: people come onto the actor's own watch list, or leave it. Watching twice refreshes the date.

use async_trait::async_trait;
use model::{
    SkipReason, TaskId,
    action::{Watch, WatchOperation},
};
use sea_orm::{
    ConnectionTrait, DbErr,
    sea_query::{Expr, ExprTrait},
};

use super::definition::{Definition, LineWords, Undoing, fact, gone_or_beyond, skipped};
use crate::{
    Actor, access,
    statement::{composed, sql},
    tasks::ledger_lines,
    tasks::locked_people::Part,
};

/// The date of somebody who is watched already: a click that waited for this one may have written a later one.
const LATER: &str =
    "CASE WHEN watch.watched_date > excluded.watched_date THEN watch.watched_date ELSE excluded.watched_date END";

#[async_trait]
impl Definition for Watch {
    fn reasons(&self) -> &'static [SkipReason] {
        match self.operation {
            WatchOperation::Watch => &[SkipReason::NotFound, SkipReason::OutOfReach],
            WatchOperation::Unwatch => &[SkipReason::NotFound, SkipReason::NotWatched],
        }
    }

    /// Whoever is no longer the actor's can still be taken off the list.
    fn verdict(&self, actor: &Actor) -> Expr {
        let [gone, beyond] = gone_or_beyond(access::reach(actor));
        match self.operation {
            WatchOperation::Watch => skipped([gone, beyond]),
            WatchOperation::Unwatch => skipped([gone, (access::watched(actor).not(), SkipReason::NotWatched)]),
        }
    }

    fn line(&self, actor: &Actor) -> LineWords {
        let after = match self.operation {
            WatchOperation::Watch => "'Watched'",
            WatchOperation::Unwatch => "'Not watched'",
        };
        LineWords { before: state(actor), after: Expr::cust(after), former: since(actor) }
    }

    async fn apply(&self, part: &Part<'_>, actor: &Actor) -> Result<(), DbErr> {
        ledger_lines::write_verdicts(part, self, actor).await?;
        let (watcher, done) = (actor.person_id.into(), part.range.done());
        let statement = match self.operation {
            WatchOperation::Watch => composed(
                part.db,
                "INSERT INTO watch (watcher_id, person_id, watched_date)
                 SELECT $1, person_id, $2 FROM ($3) AS changed WHERE TRUE
                 ON CONFLICT (watcher_id, person_id) DO UPDATE SET watched_date = $4",
                [watcher, part.at.into(), done, Expr::cust(LATER)],
            ),
            WatchOperation::Unwatch => {
                composed(part.db, "DELETE FROM watch WHERE watcher_id = $1 AND person_id IN ($2)", [watcher, done])
            }
        };
        part.txn.execute_raw(statement).await.map(drop)
    }

    fn facts(&self) -> Vec<(String, String)> {
        let change = match self.operation {
            WatchOperation::Watch => "Put on the owner’s watch list",
            WatchOperation::Unwatch => "Taken off the owner’s watch list",
        };
        vec![fact("Change", change)]
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
    fn within(&self, _: &Actor) -> Expr {
        Expr::cust("TRUE")
    }

    fn as_left(&self, task: TaskId, actor: &Actor) -> Expr {
        match self.operation {
            WatchOperation::Watch => sql(
                "EXISTS (SELECT 1 FROM watch w JOIN task_person did ON did.task_id = $1 AND did.person_id = w.person_id
                    WHERE w.watcher_id = $2 AND w.person_id = p.id AND w.watched_date = did.outcome_date)",
                [task.into(), actor.person_id.into()],
            ),
            WatchOperation::Unwatch => access::watched(actor).not(),
        }
    }

    fn line_back(&self, task: TaskId, actor: &Actor) -> LineWords {
        let after = match self.operation {
            WatchOperation::Unwatch => Expr::cust("'Watched'"),
            WatchOperation::Watch => {
                sql("CASE WHEN $1 IS NULL THEN 'Not watched' ELSE 'Watched' END", [watched_before(task)])
            }
        };
        LineWords { before: state(actor), after, former: since(actor) }
    }

    /// With the former dates.
    async fn put_back(&self, part: &Part<'_>, task: TaskId, actor: &Actor) -> Result<(), DbErr> {
        let before = sql(
            "SELECT did.person_id, did.former_date FROM task_person did WHERE did.task_id = $1 AND did.person_id IN ($2)",
            [task.into(), part.range.done()],
        );
        let parts = [actor.person_id.into(), before];
        if self.operation == WatchOperation::Watch {
            let delete = "DELETE FROM watch WHERE watcher_id = $1 AND person_id IN (
                SELECT person_id FROM ($2) AS did WHERE former_date IS NULL)";
            part.txn.execute_raw(composed(part.db, delete, parts.clone())).await?;
        }
        let insert = "INSERT INTO watch (watcher_id, person_id, watched_date)
             SELECT $1, person_id, former_date FROM ($2) AS did WHERE former_date IS NOT NULL
             ON CONFLICT (watcher_id, person_id) DO UPDATE SET watched_date = excluded.watched_date";
        part.txn.execute_raw(composed(part.db, insert, parts)).await.map(drop)
    }
}

/// Whether the actor watches the person `p`, in words.
fn state(actor: &Actor) -> Expr {
    sql("CASE WHEN $1 THEN 'Watched' WHEN p.id IS NOT NULL THEN 'Not watched' END", [access::watched(actor)])
}

/// Since when, or null.
fn since(actor: &Actor) -> Expr {
    let watched = "(SELECT w.watched_date FROM watch w WHERE w.watcher_id = $1 AND w.person_id = p.id)";
    sql(watched, [actor.person_id.into()])
}

/// Since when the person `p` was watched before `task` did.
fn watched_before(task: TaskId) -> Expr {
    let before = "(SELECT did.former_date FROM task_person did WHERE did.task_id = $1 AND did.person_id = p.id)";
    sql(before, [task.into()])
}
