//! Test databases: a migrated one for each test, on SQLite and on PostgreSQL, taken away afterwards. For tests only.
//!
//! Every test ends by its name when it hangs, also one that keeps its thread to itself ([`tests!`], [`on_both!`]), and one that
//! cannot be run on some machine is named at the end of the run (`not_run_here`).

mod authority;
pub mod cuts;
mod device;
mod disk;
mod left_out;
pub mod nginx;
mod own_postgres;
pub mod port;
mod postgres;
mod rabbit;
mod s3;
mod schema;
mod secure_smtp;
mod smtp;
mod sqlite;
mod watchdog;

use std::{path::Path, time::Duration};

use anyhow::{Context, Result};
pub use device::PasskeyDevice;
pub use disk::{SmallDisk, cut_off};
pub use left_out::not_run_here;
pub use own_postgres::{Apart, OwnPostgres};
use queue::{Clock, Database};
pub use rabbit::RabbitMq;
pub use s3::{BUCKET, KEY, S3Store};
pub use schema::made;
use sea_orm::{ConnectionTrait, Statement};
pub use secure_smtp::{LOGIN, Manner, SecureSink};
pub use smtp::{SmtpSink, Taken};
use tempfile::TempDir;
pub use watchdog::Watched;

/// Which database a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    Sqlite,
    Postgres,
}

/// A migrated, empty database of its own. It goes with this.
pub struct TestDb {
    pub db: Database,
    pub clock: Clock,
    pub url: String,
    files: Files,
}

/// A database to which nobody is connected, as it took long to make and many tests begin with it.
pub struct Original {
    files: Files,
}

impl Original {
    pub async fn copy(&self) -> Result<TestDb> {
        match &self.files {
            Files::Folder { it } => {
                let folder = tempfile::tempdir()?;
                let url = sqlite::copied_from(it.path(), folder.path()).await?;
                TestDb::open(url, Files::Folder { it: folder }).await
            }
            Files::Cloned { it } => {
                let cloned = it.clone_again().await?;
                TestDb::open(cloned.url.clone(), Files::Cloned { it: cloned }).await
            }
        }
    }
}

/// What a database is made of, and goes with it.
enum Files {
    Folder { it: TempDir },
    Cloned { it: postgres::Cloned },
}

impl TestDb {
    pub async fn new(on: On) -> Result<TestDb> {
        match on {
            On::Sqlite => TestDb::in_folder(tempfile::tempdir()?).await,
            On::Postgres => {
                let cloned = postgres::cloned().await?;
                TestDb::open(cloned.url.clone(), Files::Cloned { it: cloned }).await
            }
        }
    }

    /// One on SQLite whose file is in memory where the system has a folder there, for tests that commit very often.
    pub async fn in_memory() -> Result<TestDb> {
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory)? } else { tempfile::tempdir()? };
        TestDb::in_folder(folder).await
    }

    async fn in_folder(folder: TempDir) -> Result<TestDb> {
        TestDb::open(sqlite::copied(folder.path()).await?, Files::Folder { it: folder }).await
    }

    /// Takes statistics of its tables, and not of those that all databases of a server have together: whoever does the same
    /// elsewhere would wait.
    pub async fn analyze(&self) -> Result<()> {
        let mut tables = String::new();
        if self.db.is_postgres() {
            let names = "SELECT string_agg(quote_ident(tablename), ', ') FROM pg_tables WHERE schemaname = 'public'";
            let row = self.db.reader().query_one_raw(Statement::from_string(self.db.backend(), names)).await?;
            tables = row.context("no tables")?.try_get_by_index(0)?;
        }
        let txn = self.db.begin_write().await?;
        txn.execute_unprepared(&format!("ANALYZE {tables}")).await?;
        Ok(self.db.commit(txn).await?)
    }

    /// Ends all its connections, so that others can have copies of it.
    pub async fn into_original(self) -> Result<Original> {
        self.db.close().await?;
        Ok(Original { files: self.files })
    }

    async fn open(url: String, files: Files) -> Result<TestDb> {
        let clock = Clock::default();
        let db = Database::connect(&url, clock.clone(), 8).await?;
        Ok(TestDb { db, clock, url, files })
    }
}

/// The URL of a SQLite file.
pub fn sqlite_url(path: &Path) -> String {
    format!("sqlite://{}?mode=rwc", path.display())
}

/// The URL of a migrated, empty database that others will open: on SQLite a file in this folder. On PostgreSQL it goes with its cluster.
pub async fn migrated(on: On, folder: &Path) -> Result<String> {
    match on {
        On::Sqlite => sqlite::copied(folder).await,
        On::Postgres => postgres::kept().await,
    }
}

/// A new, empty PostgreSQL database, without tables.
pub async fn empty_postgres() -> Result<String> {
    postgres::empty().await
}

/// How long a test may take, on a machine that is busy with much else.
pub const LONGEST: Duration = Duration::from_secs(120);

/// After how long a process counts as dead in tests in which none beats: longer than any of them takes, however busy the machine
/// is, and shorter than every deadline.
pub const LEASE: Duration = Duration::from_secs(600);

/// Does what a test does that has no use for a runtime; where it hangs, the program ends by its name.
pub fn watched(name: &str, test: impl FnOnce()) {
    let _watched = Watched::begin(name, LONGEST);
    test();
}

/// Does what a test does, which by its name ends as failed where it hangs.
pub async fn bounded(name: &str, longest: Duration, test: impl Future<Output = ()>) {
    let _watched = Watched::begin(name, longest);
    assert!(tokio::time::timeout(longest, test).await.is_ok(), "{name} has not ended within {longest:?}");
}

/// Makes a test of each async function `fn name()`. Each has [`LONGEST`] for its work, or as long as is said before them:
/// `tests!(within LONGEST * 5; one, another)`. After `on one thread;` all that they do is done by the thread that begins them;
/// after `without a runtime;` they are functions that are not async.
#[macro_export]
macro_rules! tests {
    (on one thread; $($name:ident),+ $(,)?) => {
        mod on_one_thread {
            $(#[tokio::test]
            async fn $name() { $crate::bounded(stringify!($name), $crate::LONGEST, super::$name()).await; })+
        }
    };
    (without a runtime; $($name:ident),+ $(,)?) => {
        mod without_a_runtime {
            $(#[test]
            fn $name() { $crate::watched(stringify!($name), super::$name); })+
        }
    };
    ($($(#[$attribute:meta])* $name:ident),+ $(,)?) => { $crate::tests!(within $crate::LONGEST; $($(#[$attribute])* $name),+); };
    (within $longest:expr; $($(#[$attribute:meta])* $name:ident),+ $(,)?) => {
        mod once {
            $($(#[$attribute])*
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() { $crate::bounded(stringify!($name), $longest, super::$name()).await; })+
        }
    };
}

/// Makes a test of each async function `fn name(on: On)`, once for each database; all else is as in [`tests!`].
#[macro_export]
macro_rules! on_both {
    ($($name:ident),+ $(,)?) => { $crate::on_both!(within $crate::LONGEST; $($name),+); };
    (within $longest:expr; $($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() { $crate::bounded(stringify!($name), $longest, super::$name($crate::On::Sqlite)).await; })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() { $crate::bounded(stringify!($name), $longest, super::$name($crate::On::Postgres)).await; })+
        }
    };
}
