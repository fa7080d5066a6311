//! A queue with a past: as many finished tasks as asked for, spread evenly over a month, with all that they leave behind, and
//! some that wait. Rows are made by the database itself, the same ones each time but for the instants.

mod dialect;
mod finished;
mod open;

use anyhow::{Context, Result};
use caseload::{Caseload, NewAccount, NewPassword};
use model::Role;
use queue::Database;
use sea_orm::ConnectionTrait;
use uuid::Uuid;

use dialect::{at, choice, numbers, uuid, whole};
pub use finished::fingerprint;
use finished::{KINDS, kind};

/// Microseconds.
const SECOND: i64 = 1_000_000;
const HOUR: i64 = 3_600 * SECOND;
const MONTH: i64 = 30 * 24 * HOUR;
/// Accounts that own tasks.
const OWNERS: usize = 20;
/// Tasks that run, as many as a process has slots.
const RUNNING: u64 = 8;
/// The tables that are filled.
const TABLES: [&str; 6] = ["task_failure", "task_attempt", "queued_task", "task_person", "throughput", "queue_sample"];

/// The processes that have made attempts. The first one lives.
pub const PROCESSES: [&str; 4] = [
    "campus-1-20261101T020000-a1b2c3d4",
    "campus-2-20261101T020000-b2c3d4e5",
    "campus-1-20261015T020000-c3d4e5f6",
    "campus-2-20261015T020000-d4e5f6a7",
];
/// An administrator, and the account that owns the first tasks.
pub const ADMIN: &str = "admin";
pub const OWNER: &str = "owner01";

/// What the history is made on, and as of when, in microseconds since 1970.
struct Maker<'a> {
    db: &'a Database,
    now: i64,
    finished: u64,
    owners: Vec<Uuid>,
    admin: Uuid,
}

/// Fills the database unless it has as many finished tasks as wanted, lets so many wait as of now, and counts what ended.
pub async fn fill(caseload: &Caseload, finished: u64, waiting: u64) -> Result<()> {
    let db = caseload.db();
    let maker = Maker {
        db,
        now: db.now().await?.timestamp_micros(),
        finished,
        owners: owners(caseload).await?,
        admin: person(db, ADMIN).await?,
    };
    if count(db, "SELECT COUNT(*) FROM queued_task WHERE workflow_stopped_date IS NOT NULL").await? < finished {
        maker.past().await?;
    }
    maker.present(waiting).await?;
    maker.process(&caseload.queue().kinds().collect::<Vec<_>>()).await?;
    caseload.queue().count_throughput().await?;
    maker.charts().await?;
    maker.tidy().await
}

/// The one process that lives says so.
pub async fn beat(db: &Database) -> Result<()> {
    db.write("UPDATE process SET heartbeat_date = {now}", []).await?;
    Ok(())
}

/// A count.
pub async fn count(db: &Database, sql: &str) -> Result<u64> {
    let row = db.reader().query_one_raw(db.statement(sql, [])).await?.context("no row")?;
    Ok(row.try_get_by_index::<i64>(0)?.unsigned_abs())
}

async fn owners(caseload: &Caseload) -> Result<Vec<Uuid>> {
    let mut owners = Vec::new();
    for number in 0..=OWNERS {
        let (username, role) = match number {
            0 => (ADMIN.to_owned(), Role::Administrator),
            _ => (format!("owner{number:02}"), Role::Manager),
        };
        let account = NewAccount {
            username: username.clone(),
            role,
            name: Some(format!("Kim {username}")),
            school_id: None,
            password: NewPassword::Chosen("only for this benchmark".to_owned()),
        };
        // It is there already when the database was used before.
        let _ = caseload.by_command().add(account).await;
        if number > 0 {
            owners.push(person(caseload.db(), &username).await?);
        }
    }
    Ok(owners)
}

async fn person(db: &Database, username: &str) -> Result<Uuid> {
    let sql = "SELECT person_id FROM account WHERE username = $1";
    let row = db.reader().query_one_raw(db.statement(sql, [username.into()])).await?.context("no account")?;
    Ok(row.try_get("", "person_id")?)
}

impl Maker<'_> {
    /// Runs statements in one transaction, which may take as long as it likes.
    async fn run(&self, statements: &[String]) -> Result<()> {
        let txn = self.db.begin_write().await?;
        if self.db.is_postgres() {
            txn.execute_unprepared("SET LOCAL statement_timeout = 0").await?;
        }
        for sql in statements {
            txn.execute_unprepared(sql).await.with_context(|| sql.clone())?;
        }
        Ok(self.db.commit(txn).await?)
    }

    /// The account that owns the task with this number.
    fn owner(&self, number: &str) -> String {
        choice(number, self.owners.iter().map(|id| uuid(self.db, *id)))
    }

    /// The one process that lives.
    async fn process(&self, kinds: &[&str]) -> Result<()> {
        let (now, kinds) = (at(self.db, &self.now.to_string()), format!("[\"{}\"]", kinds.join("\",\"")));
        let live = format!(
            "INSERT INTO process (id, system_id, host, version, started_date, heartbeat_date, slots, busy, stopping, kinds)
             VALUES ('{id}', 'campus-1', 'campus-1', '0.1.0', {now}, {now}, {RUNNING}, {RUNNING}, FALSE, '{kinds}')",
            id = PROCESSES[0],
        );
        self.run(&["DELETE FROM process".to_owned(), live]).await
    }

    /// Hours and minutes of the charts that nobody counts any more.
    async fn charts(&self) -> Result<()> {
        let (db, seconds) = (self.db, self.now / SECOND);
        let each = self.finished / 720 / KINDS.len() as u64;
        let hours = format!(
            "WITH RECURSIVE {number}
             INSERT INTO throughput (step, start_date, kind, done, problems, failed, abandoned, people, waits, runs)
             SELECT 3600, {hour}, {kind}, {done}, {problems}, {failed}, {abandoned}, {people}, '{waits}', '{waits}'
             FROM number WHERE TRUE ON CONFLICT DO NOTHING",
            number = numbers("number", 0, 720 * KINDS.len() as u64),
            kind = kind("n"),
            hour = whole(db, &format!("{} - (n / 6 + 1) * 3600", seconds / 3_600 * 3_600)),
            done = each * 91 / 100,
            problems = each * 2 / 100,
            failed = each * 45 / 1_000,
            abandoned = each * 25 / 1_000,
            people = each * 100,
            waits = format!("[0,0,1,3,{},{},{},9,4,1]", each / 4, each / 4, each / 2),
        );
        let samples = [(60, 1_560), (3_600, 720)].map(|(step, count)| {
            format!(
                "WITH RECURSIVE {number}
                 INSERT INTO queue_sample (step, start_date, waiting, running, retrying, stalled, oldest_seconds)
                 SELECT {step}, {start}, 50 + n % 100, n % 9, n % 5, 0, n % 60 FROM number WHERE TRUE ON CONFLICT DO NOTHING",
                number = numbers("number", 1, count + 1),
                start = whole(db, &format!("{} - n * {step}", seconds / step * step)),
            )
        });
        self.run(&[hours]).await?;
        self.run(&samples).await
    }

    /// Lets the database know what it has.
    async fn tidy(&self) -> Result<()> {
        if !self.db.is_postgres() {
            self.run(&["ANALYZE".to_owned()]).await?;
            // What was written here is moved out of the log here.
            self.db.reader().execute_unprepared("PRAGMA wal_checkpoint(TRUNCATE)").await?;
            return Ok(());
        }
        self.db.reader().execute_unprepared("VACUUM ANALYZE").await?;
        Ok(())
    }
}
