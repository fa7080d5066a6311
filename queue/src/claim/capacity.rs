//! Who may have more: how many of each owner and kind run, and what the limits leave.

use model::AccountId;
use std::collections::{BTreeMap, HashMap, HashSet};

use sea_orm::{
    ConnectionTrait, DbErr, Statement,
    sea_query::{Expr, ExprTrait},
};

use super::{
    due::{Due, goes_on, is_due},
    stopped_owners,
};
use crate::{Database, Queue, Registry, Settings, TaskColumn as Column};

/// A claimant's view of who may have more.
pub struct Room<'a> {
    pub settings: &'a Settings,
    known: Vec<&'static str>,
    /// Kinds that do not count toward their owner.
    uncounted: HashSet<&'static str>,
    owners: HashMap<AccountId, u32>,
    /// Nothing of theirs may start.
    stopped: HashSet<AccountId>,
    kinds: BTreeMap<String, u32>,
}

/// How many run of what a limit is for, and the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    pub running: u32,
    pub most: u32,
}

impl Share {
    pub fn left(self) -> u32 {
        self.most.saturating_sub(self.running)
    }
}

impl<'a> Room<'a> {
    /// As if nothing ran.
    pub fn empty(settings: &'a Settings, registry: &Registry) -> Room<'a> {
        Room {
            settings,
            known: registry.kinds().collect(),
            uncounted: registry.uncounted().collect(),
            owners: HashMap::new(),
            stopped: HashSet::new(),
            kinds: BTreeMap::new(),
        }
    }

    /// Counts what runs.
    pub async fn look(
        db: &Database,
        connection: &impl ConnectionTrait,
        settings: &'a Settings,
        registry: &Registry,
    ) -> Result<Room<'a>, DbErr> {
        let mut room = Room::empty(settings, registry);
        room.stopped.extend(stopped_owners::all(connection).await?);
        for row in connection.query_all_raw(running(db)).await? {
            let n: i64 = row.try_get("", "n")?;
            room.count(row.try_get("", "owner_id")?, row.try_get("", "kind")?, u32::try_from(n).unwrap_or(u32::MAX));
        }
        Ok(room)
    }

    fn count(&mut self, owner: AccountId, kind: String, n: u32) {
        if self.counts(&kind) {
            *self.owners.entry(owner).or_default() += n;
        }
        *self.kinds.entry(kind).or_default() += n;
    }

    /// Whether tasks of the kind count toward their owner.
    fn counts(&self, kind: &str) -> bool {
        !self.uncounted.contains(kind)
    }

    /// How many tasks of this kind run, and the most, if there is one.
    pub fn of_kind(&self, kind: &str) -> Option<Share> {
        let most = *self.settings.per_kind.get(kind)?;
        Some(Share { running: self.kinds.get(kind).copied().unwrap_or_default(), most })
    }

    /// How many of the owner's tasks run, and the most, for a task of this kind; nothing if such tasks do not count.
    pub fn of_owner(&self, owner: AccountId, kind: &str) -> Option<Share> {
        let running = self.owners.get(&owner).copied().unwrap_or_default();
        self.counts(kind).then_some(Share { running, most: self.settings.per_owner })
    }

    /// Whether nothing of this owner's may start.
    pub fn is_stopped(&self, owner: AccountId) -> bool {
        self.stopped.contains(&owner)
    }

    /// How many more of this owner's tasks of this kind may start.
    pub fn left_for(&self, owner: AccountId, kind: &str) -> usize {
        if self.is_stopped(owner) {
            return 0;
        }
        let shares = [self.of_kind(kind), self.of_owner(owner, kind)];
        shares.into_iter().flatten().map(Share::left).min().map_or(usize::MAX >> 1, |left| left as usize)
    }

    /// Whether this one may start, of a kind that this process knows.
    pub fn has(&self, due: &Due) -> bool {
        self.known.contains(&due.kind.as_str()) && self.left_for(due.owner, &due.kind) > 0
    }

    /// Counts the task in.
    pub fn enter(&mut self, due: &Due) {
        self.count(due.owner, due.kind.clone(), 1);
    }

    /// Takes it out again.
    pub fn leave(&mut self, due: &Due) {
        let counted = self.counts(&due.kind);
        if let Some(n) = self.owners.get_mut(&due.owner).filter(|_| counted) {
            *n = n.saturating_sub(1);
        }
        if let Some(n) = self.kinds.get_mut(&due.kind) {
            *n = n.saturating_sub(1);
        }
    }

    /// The kinds that this process knows and of which more may start.
    pub fn open_kinds(&self) -> impl Iterator<Item = &'static str> {
        let full: HashSet<&str> = self.full_kinds().collect();
        self.known.iter().copied().filter(move |kind| !full.contains(kind))
    }

    /// The condition that a task of this owner and kind has to wait since its owner is at the limit, or stopped.
    pub fn is_full_owner(&self, owner: Expr, kind: Expr) -> Expr {
        let uncounted = kind.is_in(self.uncounted.iter().copied());
        let full = owner.clone().is_in(self.full_owners()).and(uncounted.not());
        match self.stopped.is_empty() {
            true => full,
            false => full.or(owner.is_in(self.stopped.iter().copied())),
        }
    }

    /// The condition of a task that is due and whose owner and kind have room.
    pub fn may_start(&self, db: &Database) -> Expr {
        let (owner, kind) = (Expr::col(Column::OwnerId), Expr::col(Column::ExecutionComponentName));
        let (known, full) = (kind.clone().is_in(self.open_kinds()), self.is_full_owner(owner, kind));
        let may = "workflow_status = 'QUEUED' AND $1 AND $2 AND NOT ($3) AND $4";
        db.condition(may, [is_due(db), known, full, goes_on()])
    }

    fn full_owners(&self) -> impl Iterator<Item = AccountId> {
        self.owners.iter().filter(|(_, n)| **n >= self.settings.per_owner).map(|(owner, _)| *owner)
    }

    fn full_kinds(&self) -> impl Iterator<Item = &str> {
        let limits = self.settings.per_kind.iter();
        limits.filter(|(kind, limit)| self.kinds.get(*kind).is_some_and(|n| n >= *limit)).map(|(kind, _)| kind.as_str())
    }
}

/// Counts what runs of each owner and kind. SQLite is told the index, since it would go along all tasks that there ever were,
/// which have owners in order, to save itself the sorting of the few that run.
pub fn running(db: &Database) -> Statement {
    db.statement(
        "SELECT owner_id, execution_component_name AS kind, COUNT(*) AS n FROM queued_task {by queued_task_process}
         WHERE scheduled_by_process IS NOT NULL GROUP BY owner_id, execution_component_name",
        [],
    )
}

impl Queue {
    /// How many tasks more slots would start: those that are due, with the limits taken into account. Counts no more than `most`.
    pub async fn startable(&self, most: i64) -> Result<u64, DbErr> {
        startable(self.db(), &self.inner.settings, &self.inner.registry, most).await
    }
}

/// SQLite is told the index, since it would look through all tasks that there ever were of the kinds that are known.
async fn startable(db: &Database, settings: &Settings, registry: &Registry, most: i64) -> Result<u64, DbErr> {
    let mut room = Room::look(db, db.reader(), settings, registry).await?;
    let sql = "SELECT owner_id, kind, COUNT(*) AS n FROM (
            SELECT owner_id, execution_component_name AS kind FROM queued_task {by queued_task_due}
            WHERE $1 LIMIT $2) AS due
         GROUP BY owner_id, kind";
    let counts = db.composed(sql, [room.may_start(db), most.into()]);
    let mut startable = 0;
    for row in db.reader().query_all_raw(counts).await? {
        let (owner, kind, n) =
            (row.try_get("", "owner_id")?, row.try_get::<String>("", "kind")?, row.try_get::<i64>("", "n")?);
        let n = room.left_for(owner, &kind).min(usize::try_from(n).unwrap_or_default());
        room.count(owner, kind, u32::try_from(n).unwrap_or(u32::MAX));
        startable += n as u64;
    }
    Ok(startable)
}
