//! What the benchmarks share: a database full of generated people, a manager who asks, and how numbers are summed up.

#![allow(clippy::print_stdout, reason = "benchmarks print")]

pub mod crowd;
pub mod docket;
pub mod explain;
pub mod goal;
pub mod history;
pub mod http;
pub mod site;

use std::{
    fmt,
    time::{Duration, Instant},
};

use anyhow::Result;
use caseload::{Actor, Caseload, Exports, NewAccount, NewPassword, generate::generate, mail::Mail};
use model::{PersonId, Role};
use queue::{Clock, Database, Queue, Settings};
use sea_orm::ConnectionTrait;

/// Docket on a database, with nobody else at work.
pub struct Bench {
    pub db: Database,
    pub caseload: Caseload,
    pub manager: Actor,
}

impl Bench {
    /// Opens the database at `url` and fills it with so many people if they are not there yet.
    pub async fn open(url: &str, people: u64, exports: Exports) -> Result<Bench> {
        Bench::with_mail(url, people, exports, Mail::none()).await
    }

    /// The same with a mail server.
    pub async fn with_mail(url: &str, people: u64, exports: Exports, mail: Mail) -> Result<Bench> {
        let bench = Bench::without_people(url, exports, mail).await?;
        bench.fill(people, &[bench.manager.person_id.person()]).await?;
        Ok(bench)
    }

    /// Opens the database at `url` with whoever is there.
    pub async fn without_people(url: &str, exports: Exports, mail: Mail) -> Result<Bench> {
        migration::up(url).await?;
        let db = Database::connect(url, Clock::default(), 8).await?;
        let queue = Queue::new(db.clone(), Caseload::registry(&exports, &mail), Settings::default());
        let caseload = Caseload::new(queue, exports, mail, true, caseload::Limits::default());
        let manager = account(&caseload, "bench", Role::Manager).await?;
        Ok(Bench { db, caseload, manager })
    }

    /// Makes so many people, spread over these coaches, if they are not there yet.
    pub async fn fill(&self, people: u64, coaches: &[PersonId]) -> Result<()> {
        let began = Instant::now();
        let made = generate(&self.db, people, 1, self.db.now().await?, coaches).await?;
        if made > 0 {
            println!("generated {made} people in {:.0} s", began.elapsed().as_secs_f64());
            let txn = self.db.begin_write().await?;
            txn.execute_unprepared("ANALYZE").await?;
            self.db.commit(txn).await?;
        }
        Ok(())
    }

    /// The name of the database.
    pub fn database(&self) -> &'static str {
        if self.db.is_postgres() { "PostgreSQL" } else { "SQLite" }
    }
}

/// An account of its own, which may be there already from when the database was used before.
pub async fn account(caseload: &Caseload, username: &str, role: Role) -> Result<Actor> {
    let password = "only for this benchmark";
    let new = NewAccount {
        username: username.to_owned(),
        role,
        name: None,
        school_id: None,
        password: NewPassword::Chosen(password.to_owned()),
    };
    let _ = caseload.by_command().add(new).await;
    Ok(caseload.accounts().sign_in(username, password, None).await?)
}

/// Median, 95th percentile and worst, in milliseconds.
pub fn summary(times: &mut [Duration]) -> (f64, f64, f64) {
    (within(times, 0.5), within(times, 0.95), within(times, 1.0))
}

/// In which time so large a part of them ended, in milliseconds.
pub fn within(times: &mut [Duration], part: f64) -> f64 {
    times.sort();
    times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e3
}

/// What one is to the other, over several rounds.
pub struct Ratio {
    pub median: f64,
    pub least: f64,
    pub most: f64,
}

impl Ratio {
    pub fn of(ours: &[f64], theirs: &[f64]) -> Ratio {
        let mut ratios: Vec<f64> = ours.iter().zip(theirs).map(|(ours, theirs)| ours / theirs).collect();
        ratios.sort_by(f64::total_cmp);
        Ratio { median: ratios[ratios.len() / 2], least: ratios[0], most: ratios[ratios.len() - 1] }
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{:.2} ({:.2} to {:.2})", self.median, self.least, self.most)
    }
}

/// Memory of this process that is in use, and the most since the last call of [`forget_peak`], in MiB.
pub fn memory() -> (f64, f64) {
    memory_of("self")
}

/// The same of the process of this number, since it began.
pub fn memory_of(process: &str) -> (f64, f64) {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let of = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.trim().trim_end_matches(" kB").parse::<f64>().unwrap_or_default() / 1024.0
    };
    (of("VmRSS:"), of("VmHWM:"))
}

/// Lets the peak begin anew from what is in use.
pub fn forget_peak() {
    // Elsewhere than on Linux there is none.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}
