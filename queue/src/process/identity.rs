//! This process as the queue knows it: an identity of its own for each start, registered before its first claim, and a
//! sign of life. On PostgreSQL that is a heartbeat on a connection of its own, which also holds a session advisory lock:
//! once that is free, the process is gone. On SQLite the lock file says it all (see [`crate::process::single_runtime`]).

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryTrait, UpdateMany, sea_query::OnConflict,
};

use crate::{
    Connection, Database, Settings,
    entity::process::{Column, Entity},
    is_outage, patiently, random, row_of,
};

/// This start of Docket.
pub struct OwnProcess {
    /// `<system_id>-<start>-<random>`, within the 150 characters of its columns.
    pub id: String,
    db: Database,
    /// On PostgreSQL, the connection that nothing but the sign of life uses.
    own: Option<Connection>,
    /// The key of the advisory lock that this connection holds; 0 where there is none.
    presence: Arc<AtomicI64>,
    settings: Settings,
    /// The kinds that it can run, as a JSON list.
    kinds: String,
    /// Nothing until somebody beats again and again: then silence means something.
    last_beat: Mutex<Option<Instant>>,
    /// Since when beats have come without a gap again, after there was one.
    steady_since: Mutex<Option<Instant>>,
}

impl OwnProcess {
    /// Makes a process known.
    pub async fn register(db: &Database, settings: &Settings, kinds: &[&str]) -> Result<OwnProcess, DbErr> {
        let started = db.clock().now().format("%Y%m%dT%H%M%S");
        let system: String = settings.system_id.chars().take(100).collect();
        let id = format!("{system}-{started}-{}", random::suffix());
        let presence = Arc::<AtomicI64>::default();
        let own = match db.is_shared() {
            true => Some(patiently(is_outage, async || db.connect_holding(presence.clone()).await).await?),
            false => None,
        };
        let process = OwnProcess {
            id,
            db: db.clone(),
            own,
            presence,
            settings: settings.clone(),
            kinds: serde_json::json!(kinds).to_string(),
            last_beat: Mutex::default(),
            steady_since: Mutex::default(),
        };
        // With the same id each time, so that an answer that was lost does not matter.
        patiently(is_outage, async || process.enter().await).await?;
        Ok(process)
    }

    async fn enter(&self) -> Result<(), DbErr> {
        let row = [
            (Column::Id, self.id.clone().into()),
            (Column::SystemId, self.settings.system_id.clone().into()),
            (Column::Host, self.settings.host.clone().into()),
            (Column::Version, env!("CARGO_PKG_VERSION").into()),
            (Column::StartedDate, self.db.instant()),
            (Column::HeartbeatDate, self.db.instant()),
            (Column::Slots, i64::from(self.settings.slots).into()),
            (Column::Busy, 0_i64.into()),
            (Column::Stopping, false.into()),
            (Column::Presence, self.held().into()),
            (Column::Kinds, self.kinds.clone().into()),
        ];
        let mut entered = row_of(Entity, row);
        entered.on_conflict(OnConflict::new().do_nothing().to_owned());
        self.db.write_query(&entered).await.map(drop)
    }

    /// Says that the process lives and how much it does.
    ///
    /// # Errors
    /// When the database does not answer within half a lease, or has no row for this process any more; the row is then
    /// written again. Either way the process has lost its place, and what it runs is somebody else's.
    pub async fn beat(&self, busy: usize, slots: u32) -> Result<(), DbErr> {
        let late = self.silence() > self.settings.lease / 2;
        let beaten = self.try_beat(busy, slots).await;
        if late || beaten.is_err() {
            *lock(&self.steady_since) = Some(Instant::now());
        }
        beaten
    }

    /// Whether this process has had its database without a gap for a lease, so that the silence of others means something.
    pub fn is_steady(&self) -> bool {
        lock(&self.steady_since).is_none_or(|since| since.elapsed() >= self.settings.lease)
    }

    async fn try_beat(&self, busy: usize, slots: u32) -> Result<(), DbErr> {
        let began = Instant::now();
        let connection = self.own.as_ref().unwrap_or(self.db.writer());
        let busy = i64::try_from(busy).unwrap_or(i64::MAX);
        if let Some(own) = &self.own {
            // A lost connection is replaced by this, and its key with it.
            let there = tokio::time::timeout(self.settings.lease / 4, own.inner().ping()).await;
            there.map_err(|_| DbErr::Custom("no connection within a quarter of a lease".to_owned()))??;
        }
        let beat = self
            .row()
            .col_expr(Column::HeartbeatDate, self.db.instant())
            .col_expr(Column::Busy, busy.into())
            .col_expr(Column::Presence, self.held().into())
            .col_expr(Column::Slots, i64::from(slots).into());
        let statement = self.db.build(&beat.into_query());
        let beat = tokio::time::timeout(self.settings.lease / 4, connection.execute_raw(statement));
        let beat = beat.await.map_err(|_| DbErr::Custom("no answer within a quarter of a lease".to_owned()))??;
        if beat.rows_affected() == 0 {
            self.enter().await?;
            return Err(DbErr::Custom("this process was taken off the list".to_owned()));
        }
        // From before the statement: the database counts from somewhere in between.
        self.heard_at(began);
        Ok(())
    }

    /// Its row, to be changed.
    fn row(&self) -> UpdateMany<Entity> {
        Entity::update_many().filter(Column::Id.eq(&self.id))
    }

    fn held(&self) -> Option<i64> {
        Some(self.presence.load(Ordering::SeqCst)).filter(|key| *key != 0)
    }

    /// Whether this process may still write: it has been heard of within half a lease, by its own monotonic clock. Where
    /// there is no heartbeat, it always may.
    pub fn may_write(&self) -> bool {
        self.own.is_none() || self.silence() < self.settings.lease / 2
    }

    /// From here on the process beats by itself.
    pub fn begin_beating(&self) {
        self.heard_at(Instant::now());
    }

    fn heard_at(&self, when: Instant) {
        *lock(&self.last_beat) = Some(when);
    }

    fn silence(&self) -> Duration {
        lock(&self.last_beat).map_or(Duration::ZERO, |heard| heard.elapsed())
    }

    /// Whether this process has to say that it lives.
    pub fn beats(&self) -> bool {
        self.own.is_some()
    }

    /// Says how many slots the process has.
    pub async fn has(&self, slots: u32) -> Result<(), DbErr> {
        let says = self.row().col_expr(Column::Slots, i64::from(slots).into());
        self.db.write_query(&says.into_query()).await.map(drop)
    }

    /// Says whether the process takes tasks.
    pub async fn takes(&self, tasks: bool) -> Result<(), DbErr> {
        let says = self.row().col_expr(Column::Stopping, (!tasks).into());
        let says = says.col_expr(Column::HeartbeatDate, self.db.instant());
        self.db.write_query(&says.into_query()).await.map(drop)
    }

    /// Forgets the process, at its end.
    pub async fn forget(&self) -> Result<(), DbErr> {
        self.db.write_query(&Entity::delete_by_id(&self.id).into_query()).await.map(drop)
    }

    /// Forgets every other process. Only ever called by the one that has the database to itself.
    pub async fn forget_others(&self) -> Result<(), DbErr> {
        let others = Entity::delete_many().filter(Column::Id.ne(&self.id));
        self.db.write_query(&others.into_query()).await.map(drop)
    }

    /// Ends the connection of its own, and with it the sign of presence.
    pub async fn close(&self) -> Result<(), DbErr> {
        match &self.own {
            Some(own) => own.clone().inner().clone().close().await,
            None => Ok(()),
        }
    }
}

fn lock(when: &Mutex<Option<Instant>>) -> MutexGuard<'_, Option<Instant>> {
    when.lock().unwrap_or_else(PoisonError::into_inner)
}
