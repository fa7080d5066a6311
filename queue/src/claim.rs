//! Takes tasks that are due for this process, in the order of engine.md and within the limits.
//!
//! Limits hold exactly over all processes, because claims take turns: under an advisory lock on PostgreSQL, by the one
//! writer on SQLite. Whoever is at a limit is left out of the look, so that a flood of theirs hides nobody behind it.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    time::Duration,
};

use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, Value};
use uuid::Uuid;

use crate::{Database, Registry, Settings, Task, binds::one_of};

/// The advisory lock under which PostgreSQL's processes claim: any number nobody else uses.
const TURN: i64 = 0x0d0c_6e74_0004;

/// Deaths without progress after which a task runs alone in its process, so that the next one shows whose fault it was.
pub const QUARANTINE: i32 = 2;

/// What a process asks for.
pub struct Wish<'a> {
    pub process: &'a str,
    /// The most tasks to take.
    pub limit: u32,
    /// Whether nothing runs in the process, so that it may take a task that has to run alone.
    pub idle: bool,
    pub told: &'a Told,
}

/// What a process was told of, and nobody else.
#[derive(Default)]
pub struct Told {
    pub tasks: Vec<Uuid>,
    /// How long a task that was just put into the queue is left to whoever was told of it; zero, if to nobody.
    pub within: Duration,
}

/// What a claim has found.
pub struct Claimed {
    /// In their order.
    pub tasks: Vec<Task>,
    /// Whether something due was left because it has to run alone, which another process may be able to do.
    pub left: bool,
}

impl Told {
    /// The condition of a task that is not left to others; its values are added to `values`.
    fn condition(&self, values: &mut Vec<Value>) -> String {
        if self.within.is_zero() {
            return "1 = 1".to_owned();
        }
        values.push(self.within.as_secs_f64().into());
        let within = values.len();
        let told = one_of(values, "id", self.tasks.iter().copied());
        format!("(trigger_date <= {{after:-${within}}} OR modified_date <= {{after:-${within}}} OR {told})")
    }
}

/// A claimant's view of who may have more.
struct Room<'a> {
    settings: &'a Settings,
    /// Kinds that do not count toward their owner.
    uncounted: HashSet<&'static str>,
    owners: HashMap<Uuid, u32>,
    kinds: BTreeMap<String, u32>,
}

/// A due task as the claim looks at it.
struct Due {
    id: Uuid,
    owner: Uuid,
    kind: String,
    alone: bool,
}

/// Claims for a process. Each task gets its next attempt number and a deadline.
pub async fn claim(
    db: &Database,
    txn: &DatabaseTransaction,
    settings: &Settings,
    registry: &Registry,
    wish: &Wish<'_>,
) -> Result<Claimed, DbErr> {
    if wish.limit == 0 {
        return Ok(Claimed { tasks: Vec::new(), left: false });
    }
    if db.is_postgres() {
        txn.execute_raw(db.statement("SELECT pg_advisory_xact_lock($1)", [TURN.into()])).await?;
    }
    let mut room = Room::look(db, txn, settings, registry).await?;
    let mut picked: Vec<Uuid> = Vec::new();
    // Each look but the last finds somebody who is at a limit now, and leaves them out of the next.
    while picked.len() < wish.limit as usize {
        let want = wish.limit as usize - picked.len();
        let found = due(db, txn, registry, &room, wish, &picked, want).await?;
        let all = found.len() < want;
        for due in found {
            if due.alone {
                // It waits for the process to be empty, and the process takes nothing else until then.
                let left = !wish.idle || !picked.is_empty();
                if !left {
                    picked.push(due.id);
                }
                return Ok(Claimed { tasks: take(db, txn, settings, wish.process, &picked).await?, left });
            }
            if room.admit(&due) {
                picked.push(due.id);
            }
        }
        if all {
            break;
        }
    }
    Ok(Claimed { tasks: take(db, txn, settings, wish.process, &picked).await?, left: false })
}

impl<'a> Room<'a> {
    /// Counts what runs. The index is `queued_task_process`.
    async fn look(
        db: &Database,
        connection: &impl ConnectionTrait,
        settings: &'a Settings,
        registry: &Registry,
    ) -> Result<Room<'a>, DbErr> {
        let mut room = Room {
            settings,
            uncounted: registry.uncounted().collect(),
            owners: HashMap::new(),
            kinds: BTreeMap::new(),
        };
        let running = db.statement(
            "SELECT owner_id, execution_component_name AS kind, COUNT(*) AS n FROM queued_task
             WHERE scheduled_by_process IS NOT NULL GROUP BY owner_id, execution_component_name",
            [],
        );
        for row in connection.query_all_raw(running).await? {
            let n: i64 = row.try_get("", "n")?;
            room.count(row.try_get("", "owner_id")?, row.try_get("", "kind")?, u32::try_from(n).unwrap_or(u32::MAX));
        }
        Ok(room)
    }

    fn count(&mut self, owner: Uuid, kind: String, n: u32) {
        if !self.uncounted.contains(kind.as_str()) {
            *self.owners.entry(owner).or_default() += n;
        }
        *self.kinds.entry(kind).or_default() += n;
    }

    /// Counts the task in if it fits.
    fn admit(&mut self, due: &Due) -> bool {
        let counted = !self.uncounted.contains(due.kind.as_str());
        let full = self.full_kinds().any(|kind| kind == due.kind)
            || counted && self.full_owners().any(|owner| owner == due.owner);
        if !full {
            self.count(due.owner, due.kind.clone(), 1);
        }
        !full
    }

    /// The condition of a task that is due and whose owner and kind have room; its values are added to `values`.
    fn may_start(&self, registry: &Registry, values: &mut Vec<Value>) -> String {
        let full: HashSet<&str> = self.full_kinds().collect();
        let kind = "execution_component_name";
        let known = one_of(values, kind, registry.kinds().filter(|kind| !full.contains(kind)));
        let of_full_owner = one_of(values, "owner_id", self.full_owners());
        let uncounted = one_of(values, kind, self.uncounted.iter().copied());
        format!(
            "workflow_status = 'QUEUED' AND trigger_date <= {{now}} AND {known}
               AND (NOT {of_full_owner} OR {uncounted})
               AND NOT EXISTS (SELECT 1 FROM paused_kind WHERE kind = execution_component_name)"
        )
    }

    fn full_owners(&self) -> impl Iterator<Item = Uuid> {
        self.owners.iter().filter(|(_, n)| **n >= self.settings.per_owner).map(|(owner, _)| *owner)
    }

    fn full_kinds(&self) -> impl Iterator<Item = &str> {
        let limits = self.settings.per_kind.iter();
        limits.filter(|(kind, limit)| self.kinds.get(*kind).is_some_and(|n| n >= *limit)).map(|(kind, _)| kind.as_str())
    }
}

/// How many tasks more slots would start: those that are due, with the limits taken into account. Counts no more than `most`.
pub async fn startable(db: &Database, settings: &Settings, registry: &Registry, most: i64) -> Result<u64, DbErr> {
    let mut room = Room::look(db, db.reader(), settings, registry).await?;
    let mut values: Vec<Value> = vec![most.into()];
    let may_start = room.may_start(registry, &mut values);
    let sql = format!(
        "SELECT owner_id, kind, COUNT(*) AS n FROM (
            SELECT owner_id, execution_component_name AS kind FROM queued_task WHERE {may_start} LIMIT $1) AS due
         GROUP BY owner_id, kind"
    );
    let mut startable = 0;
    for row in db.reader().query_all_raw(db.statement(&sql, values)).await? {
        let (owner, kind, n) = (row.try_get("", "owner_id")?, row.try_get("", "kind")?, row.try_get::<i64>("", "n")?);
        let due = Due { id: Uuid::nil(), owner, kind, alone: false };
        startable += (0..n).take_while(|_| room.admit(&due)).count() as u64;
    }
    Ok(startable)
}

/// Tasks that have been due for longer than `since` and that a slot could have started, the oldest first, no more than `most`.
pub async fn overlooked(
    db: &Database,
    settings: &Settings,
    registry: &Registry,
    since: Duration,
    most: i64,
) -> Result<Vec<Uuid>, DbErr> {
    let room = Room::look(db, db.reader(), settings, registry).await?;
    let mut values: Vec<Value> = vec![since.as_secs_f64().into(), most.into()];
    let may_start = room.may_start(registry, &mut values);
    let sql = format!(
        "SELECT id FROM queued_task WHERE {may_start} AND trigger_date < {{after:-$1}} ORDER BY trigger_date LIMIT $2"
    );
    let rows = db.reader().query_all_raw(db.statement(&sql, values)).await?;
    rows.iter().map(|row| row.try_get("", "id")).collect()
}

/// The first due tasks of those who have room, but for what is left to others. The order is that of the index `queued_task_claim`.
async fn due(
    db: &Database,
    txn: &DatabaseTransaction,
    registry: &Registry,
    room: &Room<'_>,
    wish: &Wish<'_>,
    picked: &[Uuid],
    limit: usize,
) -> Result<Vec<Due>, DbErr> {
    let mut values: Vec<Value> = vec![(limit as i64).into(), QUARANTINE.into()];
    let may_start = room.may_start(registry, &mut values);
    let picked = one_of(&mut values, "id", picked.iter().copied());
    let ours = wish.told.condition(&mut values);
    let sql = format!(
        "SELECT id, owner_id, execution_component_name AS kind, crashes >= $2 AS alone FROM queued_task
         WHERE {may_start} AND NOT {picked} AND {ours}
         ORDER BY rescued DESC, priority DESC, failures, id
         LIMIT $1 {}",
        if db.is_postgres() { "FOR UPDATE SKIP LOCKED" } else { "" },
    );
    let rows = txn.query_all_raw(db.statement(&sql, values)).await?;
    let read = |row: &sea_orm::QueryResult| {
        Ok(Due {
            id: row.try_get("", "id")?,
            owner: row.try_get("", "owner_id")?,
            kind: row.try_get("", "kind")?,
            alone: row.try_get("", "alone")?,
        })
    };
    rows.iter().map(read).collect()
}

/// Makes the picked tasks this process's own.
async fn take(
    db: &Database,
    txn: &DatabaseTransaction,
    settings: &Settings,
    process: &str,
    picked: &[Uuid],
) -> Result<Vec<Task>, DbErr> {
    if picked.is_empty() {
        return Ok(Vec::new());
    }
    let mut values: Vec<Value> = vec![process.into(), settings.deadline.as_secs_f64().into()];
    let mut deadline = "$2".to_owned();
    for (kind, limit) in &settings.deadline_per_kind {
        values.push(kind.as_str().into());
        values.push(limit.as_secs_f64().into());
        let (kind, limit) = (values.len() - 1, values.len());
        deadline = format!("CASE WHEN execution_component_name = ${kind} THEN ${limit} ELSE {deadline} END");
    }
    let these = one_of(&mut values, "id", picked.iter().copied());
    let sql = format!(
        "UPDATE queued_task SET
            workflow_status = 'SCHEDULING', scheduled_by_process = $1, scheduling_started_date = {{now}},
            execution_started_date = NULL, workflow_status_desc = NULL, attempt = attempt + 1, progressed = FALSE,
            rescued = FALSE, deadline = {{after:{deadline}}}, modified_date = {{now}}
         WHERE {these} AND workflow_status = 'QUEUED'
         RETURNING *",
    );
    let rows = txn.query_all_raw(db.statement(&sql, values)).await?;
    let mut tasks = rows.iter().map(|row| Task::from_query_result(row, "")).collect::<Result<Vec<_>, _>>()?;
    // RETURNING has no order of its own.
    tasks.sort_by_key(|task| picked.iter().position(|id| *id == task.id));
    let mut values = Vec::new();
    let these = one_of(&mut values, "id", tasks.iter().map(|task| task.id));
    let attempts = format!(
        "INSERT INTO task_attempt (task_id, attempt, process, started_date)
         SELECT id, attempt, scheduled_by_process, {{now}} FROM queued_task WHERE {these}"
    );
    txn.execute_raw(db.statement(&attempts, values)).await?;
    Ok(tasks)
}
