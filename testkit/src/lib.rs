//! Test databases: a migrated one for each test, on SQLite and on PostgreSQL, taken away afterwards. For tests only.

pub mod cuts;
mod left_out;
pub mod nginx;
pub mod port;
mod postgres;
mod rabbit;
mod s3;
mod smtp;
mod sqlite;

use std::path::Path;

use anyhow::Result;
pub use left_out::not_run_here;
use queue::{Clock, Database};
pub use rabbit::RabbitMq;
pub use s3::{BUCKET, KEY, S3Store};
pub use smtp::{SmtpSink, Taken};
use tempfile::TempDir;

/// Which database a test runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    Sqlite,
    Postgres,
}

/// A migrated, empty database of its own. SQLite files go with it; PostgreSQL databases go with their cluster.
pub struct TestDb {
    pub db: Database,
    pub clock: Clock,
    pub url: String,
    _folder: Option<TempDir>,
}

impl TestDb {
    pub async fn new(on: On) -> Result<TestDb> {
        let (url, folder) = match on {
            On::Sqlite => {
                let folder = tempfile::tempdir()?;
                (sqlite::copied(folder.path()).await?, Some(folder))
            }
            On::Postgres => (postgres::cloned().await?, None),
        };
        let clock = Clock::default();
        let db = Database::connect(&url, clock.clone(), 8).await?;
        Ok(TestDb { db, clock, url, _folder: folder })
    }

    /// The same database on new connections. Faults that were asked for end with the former ones.
    pub async fn reopen(self) -> Result<TestDb> {
        self.db.close().await?;
        let db = Database::connect(&self.url, self.clock.clone(), 8).await?;
        Ok(TestDb { db, ..self })
    }
}

/// The URL of a SQLite file.
pub fn sqlite_url(path: &Path) -> String {
    format!("sqlite://{}?mode=rwc", path.display())
}

/// A new, empty PostgreSQL database, without tables.
pub async fn empty_postgres() -> Result<String> {
    postgres::empty().await
}

/// Makes a test of each async function `fn name(on: On)`, once for each database.
#[macro_export]
macro_rules! on_both {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() { super::$name($crate::On::Sqlite).await; })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() { super::$name($crate::On::Postgres).await; })+
        }
    };
}
