//! How the queue is, and what to do about it.

use serde::{Deserialize, Serialize};

use crate::{
    Instant, Total,
    enum_words::{counted, words},
};

words! {
    /// How much something matters.
    Level {
        /// Work does not get done.
        Bad = "BAD", "Bad";
        /// It may become bad.
        Warn = "WARN", "Warning";
        /// Worth knowing.
        Note = "NOTE", "Note";
    }
}

/// What sort of thing an administrator should look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AttentionCode {
    NoProcess,
    Stalled,
    SilentProcess,
    Failing,
    UnknownKind,
    KindPaused,
    OwnerStopped,
    LateSchedule,
    FailedSchedule,
    LockOverdue,
    LongWait,
    LongStep,
    BrokerAway,
    DiskLow,
    MailNotConfigured,
}

/// Something that an administrator should look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Attention {
    pub level: Level,
    pub code: AttentionCode,
    /// The one thing that it is about, if it is one: the name of a process, kind, schedule, lock or disk, the id of a task, the
    /// fingerprint of a cause, the id of an account.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub about: Option<String>,
    /// In plain words, with what it is about.
    pub text: String,
    /// Since when, where that is known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub since: Option<Instant>,
}

/// The state of the queue, computed at most once a second for all who look.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct QueueHealth {
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub at: Instant,
    /// Due, and with nobody yet.
    pub waiting: Total,
    /// For how long the oldest of them has been due, in seconds.
    pub oldest_seconds: Option<u64>,
    pub running: u64,
    /// Of the processes that are up.
    pub slots: u64,
    /// Running, with a process that is silent or past the deadline.
    pub stalled: u64,
    /// To be tried again by themselves.
    pub retrying: Total,
    /// Scheduled or held back.
    pub scheduled: Total,
    /// Ended of a failure within the last hour.
    pub failed_hour: Total,
    /// Completed within the last minute.
    pub done_minute: Total,
    pub processes_up: u64,
    pub processes_silent: u64,
    /// What needs a look, the worst first. Empty: all is well.
    pub attention: Vec<Attention>,
}

impl Level {
    /// `1 problem`, `2 warnings`.
    fn counted(self, number: u64) -> String {
        match self {
            Level::Bad => counted(number, "problem", "problems"),
            Level::Warn => counted(number, "warning", "warnings"),
            Level::Note => counted(number, "note", "notes"),
        }
    }
}

impl QueueHealth {
    /// The worst of what is said to need a look; none when there is nothing to say.
    pub fn worst(&self) -> Option<Level> {
        self.attention.iter().map(|item| item.level).min()
    }

    /// What is listed, in a few words: `1 problem, 2 warnings`.
    pub fn headline(&self) -> String {
        let number = |level: Level| self.attention.iter().filter(|item| item.level == level).count() as u64;
        let counts = Level::ALL.iter().map(|&level| (level, number(level))).filter(|(_, number)| *number > 0);
        let told: Vec<String> = counts.map(|(level, number)| level.counted(number)).collect();
        if told.is_empty() { "All is well".to_owned() } else { told.join(", ") }
    }

    /// How many need a look.
    pub fn troubles(&self) -> usize {
        self.attention.iter().filter(|item| item.level != Level::Note).count()
    }
}

/// The history of a span of time, in equal parts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct QueueHistory {
    /// When the first part begins.
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub start: Instant,
    /// How long each part is, in seconds.
    pub step: u64,
    /// Oldest first; the last may be under way.
    pub parts: Vec<HistoryPart>,
    /// The queue at each part, as far as it was looked at.
    pub samples: Vec<Sample>,
    /// Who failed in tasks that were done within it.
    pub failed_people: FailedPeople,
}

/// People, lines of files, or steps that failed in tasks that are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct FailedPeople {
    pub people: Total,
    /// Of these, lines of files.
    pub lines: Total,
    pub tasks: Total,
}

/// What ended in a part of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct HistoryPart {
    /// Completed, with or without people who failed.
    pub done: u64,
    /// Of these the ones with people who failed.
    pub problems: u64,
    pub failed: u64,
    pub abandoned: u64,
    pub people: u64,
    /// In seconds, from when a task was due until it began: the median and the 95th percentile.
    pub wait_p50: Option<f64>,
    pub wait_p95: Option<f64>,
    /// In seconds, how long they ran.
    pub run_p50: Option<f64>,
    pub run_p95: Option<f64>,
}

/// The queue at an instant; the worst of a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Sample {
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub date: Instant,
    pub waiting: u64,
    pub running: u64,
    pub retrying: u64,
    pub stalled: u64,
    pub oldest_seconds: u64,
}
