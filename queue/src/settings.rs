//! The bounds of the queue. Every wait, batch and budget has its name here.

use std::{collections::BTreeMap, time::Duration};

/// How the queue behaves; the settings `queue.*` in `docs/settings.md`.
#[derive(Clone, Debug)]
pub struct Settings {
    /// First part of the process identity.
    pub system_id: String,
    /// The machine's name, as the list of processes shows it.
    pub host: String,
    /// The longest time between two looks at the table.
    pub poll_interval: Duration,
    /// How processes tell each other that something may be due.
    pub hints: Hints,
    pub cleaning: Cleaning,
    /// Tasks that run at once in this process, to begin with.
    pub slots: u32,
    /// Between how many and how many these move; they stay as they are when absent.
    pub scaling: Option<Scaling>,
    /// Tasks claimed by one statement at most.
    pub max_per_tick: u32,
    /// How long a task that was just put into the queue is left to the process that the broker tells of it. Otherwise a process
    /// that ends one short task after the other takes each new one before its message has arrived elsewhere, and others idle.
    pub broker_head_start: Duration,
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
    /// How long an attempt can go without making progress.
    pub deadline: Duration,
    pub deadline_per_kind: BTreeMap<String, Duration>,
    /// How long finished tasks are kept; for ever when absent.
    pub retention: Option<Duration>,
    /// How long a stop waits for the chunks that are under way.
    pub drain: Duration,
    pub chunk: ChunkSize,
}

/// How processes tell each other that something may be due. What has changed is told through PostgreSQL in any case, where
/// there is one: pages depend on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hints {
    /// Not at all: the others poll.
    None,
    /// By LISTEN and NOTIFY. On SQLite there is one process, so nothing.
    Postgres,
    /// One message for each task; without the broker, as above.
    Rabbit(Broker),
}

/// A RabbitMQ broker, and how long its messages are believed.
#[derive(Clone, PartialEq, Eq)]
pub struct Broker {
    /// `amqp://…` or `amqps://…`, with its password.
    pub url: String,
    /// Put before every name, so that several installations can share a virtual host.
    pub prefix: String,
    /// How long until a task that is not there is looked up again.
    pub retry_time: Duration,
    /// How long a task that is not there is looked up at all.
    pub give_up_time: Duration,
}

impl Broker {
    /// Whether the broker's client can read this URL; the error says why not.
    #[cfg(feature = "rabbitmq")]
    pub fn check_url(url: &str) -> Result<(), String> {
        url.parse::<lapin::uri::AMQPUri>().map(drop).map_err(|why| format!("it cannot be read: {why}"))
    }

    #[cfg(not(feature = "rabbitmq"))]
    pub fn check_url(_: &str) -> Result<(), String> {
        Err("this build has no RabbitMQ in it".to_owned())
    }
}

impl std::fmt::Debug for Broker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Broker").field("prefix", &self.prefix).finish_non_exhaustive()
    }
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
            hints: Hints::Postgres,
            cleaning: Cleaning::default(),
            slots: 8,
            scaling: None,
            max_per_tick: 100,
            broker_head_start: Duration::from_millis(100),
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

/// When the cleaner acts; the settings `rabbitmq.*` in `docs/settings.md`.
#[derive(Clone, Debug)]
pub struct Cleaning {
    /// Between two rounds.
    pub interval: Duration,
    /// How long a task has been due before it is said again.
    pub resend_after: Duration,
    /// How long a task whose process is gone has committed nothing before the cleaner takes it back.
    pub crash_interval: Duration,
    pub crash_interval_per_kind: BTreeMap<String, Duration>,
}

impl Cleaning {
    pub fn crash_interval_of(&self, kind: &str) -> Duration {
        self.crash_interval_per_kind.get(kind).copied().unwrap_or(self.crash_interval)
    }
}

impl Default for Cleaning {
    fn default() -> Self {
        let interval = Duration::from_secs(60);
        Cleaning {
            interval,
            resend_after: interval * 2,
            crash_interval: Duration::from_secs(3_600),
            crash_interval_per_kind: Default::default(),
        }
    }
}

/// The bounds of the slots of a process; the settings `scaler.*` in `docs/settings.md`.
#[derive(Clone, Copy, Debug)]
pub struct Scaling {
    pub min: u32,
    pub max: u32,
    /// Between two looks.
    pub interval: Duration,
}
