//! The handle on the database: how it is opened, how a write begins and ends, and how one text serves two databases.
//!
//! Statements are common SQL with `$1`, `$2`; [`Database::statement`] adds the few words that differ where no expression can stand
//! (`{for update}`, `{by INDEX}`). What is composed is composed of values: conditions and instants are expressions
//! (`queue/src/inspect/search/condition.rs`), and a text that is tuned for a database takes them in its places (`compose.rs`).
//! Which way either database takes for what people ask most, over a million people, is recorded in `bench/plans` and asked again by
//! `cargo xtask endure --only plans`.
//!
//! The database's clock decides what is due. On SQLite it is bound as a parameter; on PostgreSQL it is the server's clock plus an
//! offset that is zero outside tests, so one manual clock steers both.
//!
//! SQLite gets one writer and a pool of readers, because it has one write lock anyway and a queue in front of it is fairer than its
//! busy handler. Bulk work shares one lane before that queue, so that a click waits for one chunk at most; a chunk that keeps
//! everybody waiting is named (`queue/src/inspect/writer_holds.rs`). On PostgreSQL requests have one pool and tasks another
//! ([`Database::for_tasks`]), so that neither waits for the other's connections.
//!
//! SQLite writes whole pages: what a chunk changes should lie together. So people, ledger lines and the people of a status, campus,
//! major, term or coach are all kept by id there, and a list in the order of names walks along or sorts, by how many match.
//!
//! On SQLite a connection whose transaction the database has ended by itself, as it does on a full disk, is closed (`options.rs`):
//! the driver would otherwise make everything that follows part of a transaction that is never committed.

pub mod backup;
pub mod compose;
mod connection;
mod dialect;
mod limits;
mod options;
mod postgres_only;
pub mod test_faults;
mod test_statements;
pub(crate) mod transactions;

use std::{
    path::PathBuf,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

pub use connection::{Connection, Transaction};
pub use limits::DatabaseLimits;
use options::{beside, failed, is_clean, postgres_options, reading, sqlite_options, writing};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, RuntimeErr, Statement};
use sqlx::{
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqlitePoolOptions},
};
use tokio::sync::Semaphore;

use crate::{Clock, database::test_faults::Faults, random};

/// The oldest SQLite we run on: earlier ones can corrupt a WAL database when a checkpoint meets a reset.
const SQLITE_FLOOR: (u32, u32, u32) = (3, 51, 3);

/// How long a connection of the pool is waited for. On SQLite there may be a queue for the one writer; on PostgreSQL it
/// means that the server is away, which a request had better say soon.
pub(crate) const SQLITE_ACQUIRE: Duration = Duration::from_secs(30);
const POSTGRES_ACQUIRE: Duration = Duration::from_secs(5);

/// A cheap handle on one open database, with the connections for requests, those for tasks, or those for what they do aside.
#[derive(Clone)]
pub struct Database {
    inner: Arc<DatabaseInner>,
    used: Use,
}

/// What a handle is for.
#[derive(Clone, Copy)]
enum Use {
    Requests,
    Tasks,
    Aside,
}

struct DatabaseInner {
    url: String,
    clock: Clock,
    requests: Connections,
    tasks: Connections,
    aside: Connections,
    /// On SQLite, the one lane that bulk chunks share.
    lane: Option<Arc<Semaphore>>,
    /// What tests let go wrong; the connections know it, too.
    faults: Arc<OnceLock<Faults>>,
    limits: DatabaseLimits,
}

/// What requests go by, or tasks, or what tasks do aside.
#[derive(Clone)]
struct Connections {
    /// For transactions and single statements that write; on SQLite the same for all.
    writer: Connection,
    reader: Connection,
}

impl Connections {
    /// Such as write and read.
    fn alike(connection: Connection) -> Connections {
        Connections { writer: connection.clone(), reader: connection }
    }
}

impl Database {
    /// Opens the database at a `sqlite://…` or `postgres://…` URL, for so many connections at once, with the default limits.
    pub async fn connect(url: &str, clock: Clock, connections: u32) -> Result<Database, DbErr> {
        Database::connect_with(url, clock, DatabaseLimits { connections, ..DatabaseLimits::default() }).await
    }

    /// Opens the database at a `sqlite://…` or `postgres://…` URL. A missing SQLite file is made, with its folder.
    pub async fn connect_with(url: &str, clock: Clock, limits: DatabaseLimits) -> Result<Database, DbErr> {
        let faults = Arc::new(OnceLock::new());
        let watched = |connection: DatabaseConnection| Connection::new(connection, faults.clone());
        let inner = if url.starts_with("postgres") {
            let options = postgres_options(url, &limits)?;
            let pool = |most| PgPoolOptions::new().max_connections(most).acquire_timeout(POSTGRES_ACQUIRE);
            let tasks = Connections::alike(watched(pool(limits.for_tasks).connect_lazy_with(options.clone()).into()));
            let requests = pool(limits.connections).connect_with(options).await.map_err(failed)?;
            let requests = Connections::alike(watched(requests.into()));
            let aside = tasks.clone();
            DatabaseInner { url: url.to_owned(), clock, requests, tasks, aside, lane: None, faults, limits }
        } else {
            let options = sqlite_options(url)?;
            let writer = SqlitePoolOptions::new()
                .max_connections(1)
                .acquire_timeout(SQLITE_ACQUIRE)
                .before_acquire(|connection, _| Box::pin(std::future::ready(Ok(is_clean(connection)))))
                .connect_with(writing(options.clone()))
                .await
                .map_err(failed)?;
            let writer = watched(writer.into());
            let pool = |most| SqlitePoolOptions::new().max_connections(most).acquire_timeout(SQLITE_ACQUIRE);
            let options = reading(options, limits.connections + limits.for_tasks);
            let aside = watched(pool(limits.for_tasks).connect_lazy_with(options.clone()).into());
            let reader = watched(pool(limits.connections).connect_with(options).await.map_err(failed)?.into());
            let lane = Some(Arc::new(Semaphore::new(1)));
            let requests = Connections { writer: writer.clone(), reader };
            let (tasks, aside) = (requests.clone(), Connections { writer, reader: aside });
            DatabaseInner { url: url.to_owned(), clock, requests, tasks, aside, lane, faults, limits }
        };
        let database = Database { inner: Arc::new(inner), used: Use::Requests };
        database.check_version().await?;
        Ok(database)
    }

    /// Opens a database that is there for a look: nothing is made and nothing can be written.
    pub async fn look(url: &str, clock: Clock) -> Result<Database, DbErr> {
        const CONNECTIONS: u32 = 4;
        let limits = DatabaseLimits { connections: CONNECTIONS, ..DatabaseLimits::default() };
        let connection: DatabaseConnection = if url.starts_with("postgres") {
            let options = postgres_options(url, &limits)?.options([("default_transaction_read_only", "on")]);
            let pool = PgPoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(POSTGRES_ACQUIRE);
            pool.connect_with(options).await.map_err(failed)?.into()
        } else {
            let options: SqliteConnectOptions = url.parse().map_err(failed)?;
            // Nobody has it open, so nothing changes under a reader; one that did not know that would make files beside it,
            // which whoever runs the command would own.
            let is_closed = !beside(&options, "-wal").exists();
            let options = options.read_only(true).immutable(is_closed).busy_timeout(Duration::from_secs(15));
            let pool = SqlitePoolOptions::new().max_connections(CONNECTIONS).acquire_timeout(SQLITE_ACQUIRE);
            pool.connect_with(options.pragma("query_only", "on")).await.map_err(failed)?.into()
        };
        let faults = Arc::new(OnceLock::new());
        let requests = Connections::alike(Connection::new(connection, faults.clone()));
        let (tasks, aside) = (requests.clone(), requests.clone());
        let inner = DatabaseInner { url: url.to_owned(), clock, requests, tasks, aside, lane: None, faults, limits };
        Ok(Database { inner: Arc::new(inner), used: Use::Requests })
    }

    /// What this process may take of it.
    pub fn limits(&self) -> &DatabaseLimits {
        &self.inner.limits
    }

    /// The same database by the connections for tasks.
    pub fn for_tasks(&self) -> Database {
        Database { used: Use::Tasks, ..self.clone() }
    }

    /// The same database by the connections for what tasks do aside.
    pub(crate) fn aside(&self) -> Database {
        Database { used: Use::Aside, ..self.clone() }
    }

    fn connections(&self) -> &Connections {
        match self.used {
            Use::Requests => &self.inner.requests,
            Use::Tasks => &self.inner.tasks,
            Use::Aside => &self.inner.aside,
        }
    }

    /// Makes things go wrong on this handle and its clones from now on. For tests.
    pub fn disturb(&self, faults: Faults) {
        // A second disturbance would replace nothing, which the test that asks for it will see.
        let _ = self.inner.faults.set(faults);
    }

    /// The connection for single statements that write.
    pub(crate) fn writer(&self) -> &Connection {
        &self.connections().writer
    }

    /// On PostgreSQL, a pool of one connection, which holds a session advisory lock as long as it lives. Its key is in `held`;
    /// a connection that takes the place of a lost one has another, since the server may not know yet that the first is gone.
    pub(crate) async fn connect_holding(&self, held: Arc<AtomicI64>) -> Result<Connection, DbErr> {
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .min_connections(1)
            .max_lifetime(None)
            .idle_timeout(None)
            .after_connect(move |connection, _| {
                let held = held.clone();
                Box::pin(async move {
                    let key = random::presence();
                    sqlx::query("SELECT pg_advisory_lock($1)").bind(key).execute(connection).await?;
                    held.store(key, Ordering::SeqCst);
                    Ok(())
                })
            })
            .connect_with(self.postgres_options()?)
            .await
            .map_err(|error| DbErr::Conn(RuntimeErr::SqlxError(error.into())))?;
        Ok(Connection::new(pool.into(), self.inner.faults.clone()))
    }

    /// How to connect beside the pool, under the same limits.
    pub(crate) fn postgres_options(&self) -> Result<PgConnectOptions, DbErr> {
        postgres_options(&self.inner.url, &self.inner.limits)
    }

    /// A connection for reading. On SQLite it cannot write.
    pub fn reader(&self) -> &Connection {
        &self.connections().reader
    }

    pub fn backend(&self) -> DbBackend {
        self.inner.requests.reader.get_database_backend()
    }

    /// Whether this is PostgreSQL; otherwise it is SQLite. What follows from that has a name below, or is a word of a statement.
    pub fn is_postgres(&self) -> bool {
        self.backend() == DbBackend::Postgres
    }

    pub fn url(&self) -> &str {
        &self.inner.url
    }

    pub fn clock(&self) -> &Clock {
        &self.inner.clock
    }

    /// The file of a SQLite database.
    pub fn file(&self) -> Option<PathBuf> {
        file_of(self.url())
    }

    /// Closes every connection, after the transactions that are under way.
    pub async fn close(self) -> Result<(), DbErr> {
        for Connections { writer, reader } in [&self.inner.aside, &self.inner.tasks, &self.inner.requests] {
            writer.inner().clone().close().await?;
            reader.inner().clone().close().await?;
        }
        Ok(())
    }

    async fn check_version(&self) -> Result<(), DbErr> {
        if self.is_postgres() {
            return Ok(());
        }
        let row = self
            .reader()
            .query_one_raw(Statement::from_string(self.backend(), "SELECT sqlite_version() AS version"))
            .await?;
        let version: String = row.ok_or_else(|| DbErr::RecordNotFound("version".into()))?.try_get("", "version")?;
        let mut parts = version.split('.').map(|part| part.parse::<u32>().unwrap_or_default());
        let mut next = || parts.next().unwrap_or_default();
        if (next(), next(), next()) < SQLITE_FLOOR {
            return Err(DbErr::Custom(format!("SQLite {version} is too old; Docket needs 3.51.3 or newer")));
        }
        Ok(())
    }
}

/// The file of the SQLite database at a URL, if it is one.
pub fn file_of(url: &str) -> Option<PathBuf> {
    let options: SqliteConnectOptions = (!url.starts_with("postgres")).then(|| url.parse().ok()).flatten()?;
    Some(options.get_filename().to_owned())
}
