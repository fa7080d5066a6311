//! The bounds of the queue. Every wait, batch and budget has its name here.

use std::{collections::BTreeMap, time::Duration};

/// How the queue behaves; the settings `queue.*` of contract.md.
#[derive(Clone, Debug)]
pub struct Settings {
    /// First part of the process identity.
    pub system_id: String,
    /// The machine's name, as the list of processes shows it.
    pub host: String,
    /// The longest time between two looks at the table.
    pub poll_interval: Duration,
    /// Tasks that run at once in this process.
    pub slots: u32,
    /// Tasks claimed by one statement at most.
    pub max_per_tick: u32,
    /// Tasks of one owner that run at once, over all processes; self-tests and the like do not count.
    pub per_owner: u32,
    /// Tasks of a kind that run at once, over all processes; no limit for the others.
    pub per_kind: BTreeMap<String, u32>,
    /// How often a process says that it is alive, on PostgreSQL.
    pub heartbeat: Duration,
    /// Silence after which a process counts as dead. After half of it the process itself stops.
    pub lease: Duration,
    /// How often dead, silent and overdue tasks are looked for.
    pub sweep: Duration,
    /// Failures after which a task is given up.
    pub max_failures: u32,
    /// The wait after the first failure; doubled by each further one.
    pub backoff: Duration,
    pub backoff_max: Duration,
    /// How long an attempt may go without committing anything.
    pub deadline: Duration,
    pub deadline_per_kind: BTreeMap<String, Duration>,
    /// How long finished tasks are kept; for ever when absent.
    pub retention: Option<Duration>,
    /// How long a stop waits for the chunks that are under way.
    pub drain: Duration,
    pub chunk: ChunkSize,
}

/// How large chunks are: as many people as take about `target`, within bounds.
#[derive(Clone, Copy, Debug)]
pub struct ChunkSize {
    /// `None`: 25 ms on SQLite, where a chunk keeps every other writer waiting; 100 ms on PostgreSQL.
    pub target: Option<Duration>,
    pub min: u64,
    pub max: u64,
}

impl Settings {
    /// How long an attempt at a task of this kind may go without committing anything.
    pub fn deadline_of(&self, kind: &str) -> Duration {
        self.deadline_per_kind.get(kind).copied().unwrap_or(self.deadline)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            system_id: "docket".to_owned(),
            host: "localhost".to_owned(),
            poll_interval: Duration::from_secs(15),
            slots: 8,
            max_per_tick: 100,
            per_owner: 4,
            per_kind: BTreeMap::new(),
            heartbeat: Duration::from_secs(2),
            lease: Duration::from_secs(10),
            sweep: Duration::from_millis(500),
            max_failures: 5,
            backoff: Duration::from_secs(10),
            backoff_max: Duration::from_secs(3600),
            deadline: Duration::from_secs(900),
            deadline_per_kind: BTreeMap::new(),
            retention: Some(Duration::from_secs(90 * 86_400)),
            drain: Duration::from_secs(20),
            chunk: ChunkSize { target: None, min: 100, max: 5_000 },
        }
    }
}
