//! How soon thousands of open pages hear of tasks that progress, what they cost the one process that tells them, and whether all
//! of them know in the end how it ended, over a restart, too.
//!
//! `streams BINARY [CLIENTS] [TASKS] [WATCHERS]`: starts the `docket` at BINARY in a temporary folder on SQLite and submits TASKS
//! self-tests of 40 chunks in about 20 seconds, and as many for later. CLIENTS clients with the tokens of 20 managers come before
//! the first begin: WATCHERS of them follow all tasks, as the list does, the others one each of either lot, as a task's own page
//! does. Three seconds into the second lot the server is restarted; clients come back within two seconds and fetch the list, as
//! pages do.
//! A latency is the time from the commit of a row to the moment at which a client reads it. Each client is a connection on
//! either side: let `ulimit -Hn` be more than twice their number.

use std::{
    collections::HashSet,
    env::Args,
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use bench::{
    crowd::{Counts, Crowd, LIST, rows},
    docket::Docket,
    goal::Goals,
    http,
};
use queue::Clock;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::time::sleep;
use uuid::Uuid;

const MANAGERS: usize = 20;
/// When the two lots begin, after they are submitted.
const FIRST: Duration = Duration::from_secs(20);
const SECOND: Duration = Duration::from_secs(60);
/// When the server is stopped, after the second lot has begun.
const RESTART: Duration = Duration::from_secs(3);
/// How long all clients may take to come, the tasks to end, and the clients to hear of it.
const COMING: Duration = Duration::from_secs(60);
const ENDING: Duration = Duration::from_secs(600);
const HEARING: Duration = Duration::from_secs(60);

pub async fn measure(mut arguments: Args) -> Result<()> {
    let binary: PathBuf = arguments.next().context("usage: streams BINARY [CLIENTS] [TASKS] [WATCHERS]")?.into();
    let clients: usize = arguments.next().map_or(Ok(2_000), |text| text.parse())?;
    let tasks: usize = arguments.next().map_or(Ok(100), |text| text.parse())?;
    let watchers: usize = arguments.next().map_or(Ok(20), |text| text.parse())?;
    ensure!((1..=200).contains(&tasks), "1 to 200 tasks: a client fetches no more after the restart");
    allow_files(2 * clients as u64 + 500)?;
    let settings = [
        ("DOCKET__QUEUE__SELF_TEST", "true".to_owned()),
        ("DOCKET__QUEUE__SLOTS", tasks.to_string()),
        ("DOCKET__QUEUE__PER_OWNER", "1000".to_owned()),
        // Those who come back may come before the server knows that they have gone.
        ("DOCKET__HTTP__CONNECTIONS", (2 * clients + 100).to_string()),
    ];
    let mut docket = Docket::new(&binary, &settings)?;
    let admin = docket.account("admin", "administrator")?;
    let managers = (1..=MANAGERS).map(|number| docket.account(&format!("manager{number}"), "manager"));
    let managers = managers.collect::<Result<Vec<_>>>()?;
    docket.start().await?;
    // The first request of all makes the server larger once.
    http::text(&docket.address, &admin, "GET", LIST, None).await?;
    let submitted = Clock::default().now();
    let lots = [
        submit(&docket, &admin, tasks, submitted + FIRST).await?,
        submit(&docket, &admin, tasks, submitted + SECOND).await?,
    ];
    let (before, _) = docket.memory();
    let follows = |client: usize| (client >= watchers).then(|| lots.iter().map(|lot| lot[client % tasks]).collect());
    let each = (0..clients).map(|client| (managers[client % MANAGERS].clone(), follows(client)));
    let crowd = Crowd::gather(&docket.address, each);
    let began = Instant::now();
    while crowd.count(|seen| seen.open) < clients {
        ensure!(began.elapsed() < COMING, "only {} of {clients} came", crowd.count(|seen| seen.open));
        sleep(Duration::from_millis(50)).await;
    }
    // What opening them took is given back.
    sleep(Duration::from_secs(1)).await;
    let (open, _) = docket.memory();
    let each = (open - before) * 1024.0 / clients as f64;
    println!("{clients} clients: {before:.0} MiB before them, {open:.0} MiB with all open, {each:.1} KiB each");
    let mut goals = Goals::default();
    goals.at_most("a listener, KiB", each, 40.0);
    crowd.counts();
    let mut bench = Bench { docket, crowd, admin, clients, tasks };
    let [first, second] = lots.map(|lot| lot.into_iter().collect());
    until(submitted + FIRST).await;
    let progress = bench.part("progress", &first, false).await?;
    until(submitted + SECOND).await;
    let restart = bench.part("with a restart", &second, true).await?;
    goals.at_most("from the commit of a change to 95 of 100 listeners, ms", progress.within, 250.0);
    goals.at_most("listeners that never knew how it ended", (progress.wrong + restart.wrong) as f64, 0.0);
    goals.kept()
}

/// Lets this process, and those that it starts, have so many files open.
fn allow_files(wanted: u64) -> Result<()> {
    let limit = getrlimit(Resource::Nofile);
    let allowed = limit.maximum.unwrap_or(u64::MAX);
    ensure!(allowed >= wanted, "{wanted} open files are needed, and `ulimit -Hn` is {allowed}");
    if limit.current.is_some_and(|current| current < wanted) {
        setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), ..limit })?;
    }
    Ok(())
}

struct Bench {
    docket: Docket,
    crowd: Crowd,
    admin: String,
    clients: usize,
    tasks: usize,
}

/// How a lot went.
struct Part {
    /// In so many milliseconds from the commit, 95 of 100 events had come.
    within: f64,
    /// Clients that do not know the end of every task.
    wrong: usize,
}

impl Bench {
    /// Waits until all clients know that they are completed, and prints how it went.
    async fn part(&mut self, name: &str, ids: &HashSet<Uuid>, restart: bool) -> Result<Part> {
        let (began, mut spent, mut peak) = (Instant::now(), -self.docket.processor()?, 0.0_f64);
        if restart {
            sleep(RESTART).await;
            spent += self.docket.processor()?;
            peak = self.docket.memory().1;
            let stopped = self.docket.stop().await?;
            let starting = Instant::now();
            self.docket.start().await?;
            println!("stopped in {:.1} s, started in {:.1} s", stopped.as_secs_f64(), starting.elapsed().as_secs_f64());
        }
        self.until_done(ids).await?;
        let (took, over) = (began.elapsed(), Instant::now());
        // What is still under way counts.
        while self.wrong(ids) > 0 && over.elapsed() < HEARING {
            sleep(Duration::from_millis(100)).await;
        }
        let late = over.elapsed();
        spent += self.docket.processor()?;
        peak = peak.max(self.docket.memory().1);
        println!(
            "{name}: {} tasks in {:.1} s; {} s of processors, {peak:.0} MiB at most, {:.0} MiB now",
            self.tasks,
            took.as_secs_f64(),
            spent.round(),
            self.docket.memory().0
        );
        let within = tell(self.crowd.counts(), took + late);
        let wrong = self.wrong(ids);
        match wrong {
            0 => println!("  every client knew the end of every task {:.1} s after the last", late.as_secs_f64()),
            wrong => println!("  {wrong} of {} clients have a WRONG final state", self.clients),
        }
        Ok(Part { within, wrong })
    }

    async fn until_done(&self, ids: &HashSet<Uuid>) -> Result<()> {
        let began = Instant::now();
        loop {
            let text = http::text(&self.docket.address, &self.admin, "GET", LIST, None).await?;
            let done = rows(&text).filter(|row| row.status == "COMPLETED");
            let done = done.filter(|row| Uuid::try_parse(row.id).is_ok_and(|id| ids.contains(&id))).count();
            if done == ids.len() {
                return Ok(());
            }
            ensure!(began.elapsed() < ENDING, "{done} of {} tasks are completed", ids.len());
            sleep(Duration::from_millis(500)).await;
        }
    }

    /// How many clients do not know the end of every task.
    fn wrong(&self, ids: &HashSet<Uuid>) -> usize {
        self.crowd.count(|seen| !seen.knows(ids))
    }
}

/// Submits so many tasks for an instant.
async fn submit(docket: &Docket, admin: &str, tasks: usize, at: model::Instant) -> Result<Vec<Uuid>> {
    let body = format!(r#"{{"count":{tasks},"sleepMs":500,"chunks":40,"triggerDate":"{}"}}"#, at.to_rfc3339());
    let text = http::text(&docket.address, admin, "POST", "/api/1/admin/self-test", Some(&body)).await?;
    let ids = text.split("\"id\":\"").skip(1).map(|rest| Uuid::try_parse(rest.get(..36).unwrap_or_default()));
    let ids = ids.collect::<Result<Vec<_>, _>>()?;
    ensure!(ids.len() == tasks, "{} tasks instead of {tasks}", ids.len());
    Ok(ids)
}

async fn until(at: model::Instant) {
    sleep((at - Clock::default().now()).to_std().unwrap_or_default()).await;
}

/// Prints what came, and gives the 95th percentile of how long it was on its way.
fn tell(mut counts: Counts, within: Duration) -> f64 {
    counts.latencies.sort_unstable();
    let last = counts.latencies.len().saturating_sub(1) as f64;
    let at = |part: f64| f64::from(counts.latencies.get((last * part) as usize).copied().unwrap_or_default()) / 1e3;
    println!(
        "  {} events, {:.0} a second; from the commit: median {:.1} ms, p95 {:.1} ms, p99 {:.1} ms, worst {:.1} ms",
        counts.events,
        counts.events as f64 / within.as_secs_f64(),
        at(0.5),
        at(0.95),
        at(0.99),
        at(1.0)
    );
    println!(
        "  told {} times to have missed something; {} lists fetched, {} streams opened, {} requests failed or broken off",
        counts.missed, counts.lists, counts.opened, counts.failed
    );
    at(0.95)
}
