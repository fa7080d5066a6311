//! How long the pages of administrators take over a queue with a long past: a million finished tasks of the last month and ten
//! thousand that wait.
//!
//! `admin URL [FINISHED] [WAITING] [ROUNDS]`: fills the database at URL, which should be there for this alone, with so many
//! tasks if they are not there yet. Each round asks for every page once through the whole router, without a network, and reads
//! it to its end. The overview is asked for when what it tells is too old to be told again, and once more right after that.
//! Nothing claims the waiting tasks meanwhile.

use std::{
    env::Args,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use bench::{
    goal::Goals,
    history::{self, ADMIN, OWNER, PROCESSES, fingerprint},
    site::Site,
    summary,
};
use caseload::{Caseload, Exports, files::Files, mail::Mail};
use queue::{Clock, Database, Queue, Settings};
use sea_orm::ConnectionTrait;
use uuid::Uuid;

/// As many connections as a server has for requests.
const CONNECTIONS: u32 = 16;
/// Rounds that are not counted.
const WARM_UP: usize = 3;
/// What was looked at is told again for as long.
const FRESH: Duration = Duration::from_secs(1);
/// How often the one process says that it lives.
const BEAT: Duration = Duration::from_secs(2);
/// A page should not take longer, in milliseconds.
const BOUND: f64 = 100.0;

pub async fn measure(mut arguments: Args) -> Result<()> {
    let url = arguments.next().context("usage: admin URL [FINISHED] [WAITING] [ROUNDS]")?;
    let finished: u64 = arguments.next().map_or(Ok(1_000_000), |text| text.parse())?;
    let waiting: u64 = arguments.next().map_or(Ok(10_000), |text| text.parse())?;
    let rounds: usize = arguments.next().map_or(Ok(40), |text| text.parse())?;
    ensure!(
        finished >= 10_000 && waiting > 0 && rounds > 0,
        "at least 10,000 finished tasks, a waiting one and a round"
    );
    migration::up(&url).await?;
    let db = Database::connect(&url, Clock::default(), CONNECTIONS).await?;
    let (exports, mail) = (Exports::with_defaults(Files::in_memory()), Mail::none());
    let queue = Queue::new(db.clone(), Caseload::registry(&exports, &mail), Settings::default());
    let caseload = Caseload::new(queue, exports, mail, true, caseload::Limits::default());
    let began = Instant::now();
    history::fill(&caseload, finished, waiting).await?;
    println!("filled in {:.0} s", began.elapsed().as_secs_f64());
    let token = Site::token(&caseload, ADMIN).await?;
    let site = Site::of(caseload).await?;

    let mut pages = pages(&db, finished).await?;
    let mut beaten = Instant::now();
    for round in 0..WARM_UP + rounds {
        for page in &mut pages {
            if beaten.elapsed() > BEAT {
                history::beat(&db).await?;
                beaten = Instant::now();
            }
            tokio::time::sleep(page.after).await;
            let (took, text) = site.get(&token, &page.path).await?;
            ensure!(text.contains(page.says), "{} does not say “{}”", page.path, page.says);
            page.bytes = text.len();
            if round >= WARM_UP {
                page.times.push(took);
            }
        }
    }
    println!("{:<46} {:>9} {:>9} {:>9} {:>9}", "page", "median ms", "p95 ms", "worst ms", "bytes");
    let (mut slowest, mut goals) = (0.0_f64, Goals::default());
    for page in &mut pages {
        let (median, p95, worst) = summary(&mut page.times);
        let mark = if p95 > BOUND { "  SLOW" } else { "" };
        slowest = slowest.max(p95);
        println!("{:<46} {median:>9.1} {p95:>9.1} {worst:>9.1} {:>9}{mark}", page.name, page.bytes);
    }
    let database = if db.is_postgres() { "PostgreSQL" } else { "SQLite" };
    let tasks = history::count(&db, "SELECT COUNT(*) FROM queued_task").await?;
    println!("{tasks} tasks, {rounds} rounds, {database}");
    goals.at_most(&format!("95 of 100 times the slowest page of an administrator on {database}, ms"), slowest, BOUND);
    goals.kept()
}

struct Page {
    name: String,
    path: String,
    /// What has to stand on it.
    says: &'static str,
    /// How long to wait before it is asked for.
    after: Duration,
    times: Vec<Duration>,
    bytes: usize,
}

impl Page {
    /// A page whose address is its name.
    fn at(path: impl Into<String>) -> Page {
        let path = path.into();
        Page { name: path.clone(), path, says: "", after: Duration::ZERO, times: Vec::new(), bytes: 0 }
    }

    fn named(self, name: &str) -> Page {
        Page { name: name.to_owned(), ..self }
    }

    fn saying(self, says: &'static str) -> Page {
        Page { says, ..self }
    }

    /// Waits until what was looked at before is too old.
    fn anew(self) -> Page {
        Page { after: FRESH, ..self }
    }
}

async fn pages(db: &Database, finished: u64) -> Result<Vec<Page>> {
    let ended = "workflow_stopped_date IS NOT NULL";
    let middle = id(db, &format!("{ended} ORDER BY id LIMIT 1 OFFSET {}", finished / 2)).await?;
    let failed = id(db, "workflow_status = 'FAILURE' ORDER BY id DESC LIMIT 1").await?;
    let done = id(db, &format!("{ended} AND workflow_status = 'COMPLETED' ORDER BY id DESC LIMIT 1")).await?;
    // The last one in line.
    let waits = "workflow_status = 'QUEUED' AND failures = 0 AND trigger_date <= {now} ORDER BY id DESC LIMIT 1";
    let waiting = id(db, waits).await?;
    let (process, cause) = (PROCESSES[0], fingerprint(1, 1));
    Ok(vec![
        Page::at("/admin").anew(),
        Page::at("/admin").named("/admin right after that"),
        Page::at("/admin?window=30d").anew(),
        Page::at("/admin/tasks").saying("Self-test"),
        Page::at("/admin/tasks?state=FAILED,COULD_NOT_START"),
        Page::at("/admin/tasks?state=WAITING").saying("Self-test"),
        Page::at("/admin/tasks?state=WAITING&order=oldest").saying("Self-test"),
        Page::at("/admin/tasks?state=DONE_WITH_PROBLEMS"),
        Page::at("/admin/tasks?kind=export").saying("Export as CSV"),
        Page::at("/admin/tasks?kind=export&state=FAILED").saying("Export as CSV"),
        Page::at(format!("/admin/tasks?owner={OWNER}&state=DONE")),
        Page::at(format!("/admin/tasks?process={process}")).named("/admin/tasks?process=…"),
        Page::at("/admin/tasks?error=refused&window=7d"),
        Page::at(format!("/admin/tasks?cause={cause}&state=FAILED")).saying("Export as CSV"),
        Page::at("/admin/tasks?ended=1h"),
        Page::at("/admin/tasks?stalled=yes"),
        Page::at(format!("/admin/tasks?after={middle}")).named("/admin/tasks?after=… (the middle)"),
        Page::at(format!("/admin/tasks/{failed}")).named("/admin/tasks/… (failed)"),
        Page::at(format!("/admin/tasks/{waiting}")).named("/admin/tasks/… (last of those that wait)"),
        Page::at(format!("/admin/tasks/{done}")).named("/admin/tasks/… (done)"),
        Page::at("/admin/failures"),
        Page::at("/admin/failures?window=30d"),
        Page::at("/admin/processes"),
        Page::at("/admin/users"),
        Page::at("/admin/audit"),
        Page::at("/admin/audit?action=task."),
        Page::at("/admin/audit?since=2026-01-01"),
    ])
}

/// The first task that this holds for.
async fn id(db: &Database, holds: &str) -> Result<Uuid> {
    let sql = format!("SELECT id FROM queued_task WHERE {holds}");
    let row = db.reader().query_one_raw(db.test_statement(&sql, [])).await?.context("no such task")?;
    Ok(row.try_get("", "id")?)
}
