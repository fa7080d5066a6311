//! Processes, kinds of task, locks and schedules.

use serde::{Deserialize, Serialize};

use crate::{Instant, Total, enum_words::words};

words! {
    /// How a process is.
    ProcessState {
        Up = "UP", "Running";
        /// Takes nothing more, and finishes what it has.
        Stopping = "STOPPING", "Stopping";
        /// Not heard of for a lease: others take its tasks.
        Silent = "SILENT", "Silent";
    }
}

words! {
    /// What Docket does by the calendar. The label says what it is for.
    ScheduleName {
        PruneFinished = "prune-finished", "Deletes old tasks and their results";
        PruneProcesses = "prune-processes", "Removes processes that stopped without notice";
        PruneUnused = "prune-unused", "Deletes expired selections and previews";
        PruneFiles = "prune-files", "Deletes exported files that have expired";
        PruneSessions = "prune-sessions", "Deletes sessions that have ended";
        PruneSignIns = "prune-sign-ins", "Deletes failed sign-ins after a day";
        ConfirmSignIns = "confirm-sign-ins", "Asks providers whether people who are signed in still may be";
        SendNotices = "send-notices", "Sends Docket’s own notices";
        SumUp = "sum-up", "Counts what was done, for the charts";
        Clean = "clean", "Finds tasks that no process has taken, or whose process has stopped";
    }
}

words! {
    /// How a fire of a schedule ended.
    FireOutcome {
        Done = "DONE", "Done";
        Failed = "FAILED", "Failed";
    }
}

/// One running server that works on tasks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ProcessInfo {
    pub id: String,
    pub system_id: String,
    pub host: String,
    pub version: String,
    pub state: ProcessState,
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub started_date: Instant,
    /// How long ago it last said that it lives, in milliseconds; absent on SQLite, whose one process need not.
    pub heartbeat_age_ms: Option<u64>,
    pub slots: u64,
    pub busy: u64,
    /// The kinds of task it can run.
    pub kinds: Vec<String>,
}

/// One kind of task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct KindInfo {
    pub kind: String,
    pub paused: bool,
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub paused_date: Option<Instant>,
    pub paused_by: Option<String>,
    pub pause_reason: Option<String>,
    /// Processes that are up and can run it.
    pub known_by: u64,
    pub waiting: Total,
    /// To be tried again by themselves.
    pub retrying: Total,
    /// Scheduled or held back.
    pub scheduled: Total,
    pub running: u64,
    /// The most that run at once; absent without a limit.
    pub limit: Option<u32>,
    /// How long one may go without committing anything, in seconds.
    pub deadline_seconds: u64,
}

/// One scheduler lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LockInfo {
    pub name: String,
    pub held: bool,
    /// Who has it, or had it last.
    pub holder: String,
    /// Whether the holder is a process that is up; absent where nobody knows, such as of a command.
    pub holder_lives: Option<bool>,
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub locked_date: Instant,
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub renewed_date: Option<Instant>,
    pub renewals: u32,
    /// Free from then on.
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub lock_until: Instant,
    /// Held, and should have been renewed by now.
    pub overdue: bool,
}

/// One schedule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ScheduleInfo {
    pub name: String,
    /// What it does, in plain words.
    pub purpose: String,
    /// When it fires, in plain words.
    pub words: String,
    /// The same as it is stored.
    pub expression: String,
    pub time_zone: String,
    pub paused: bool,
    /// Absent when it is disabled.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub next_date: Option<Instant>,
    /// It should have fired by now and has not.
    pub late: bool,
    pub last: Option<LastFire>,
}

/// The latest fire of a schedule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LastFire {
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub fired_date: Instant,
    /// How long it took; absent while it is under way.
    pub took_ms: Option<u64>,
    /// Absent while it is under way.
    pub failed: Option<bool>,
    pub detail: Option<String>,
    pub process: String,
}
