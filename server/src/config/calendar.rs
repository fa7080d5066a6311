//! What happens by the calendar, how often unless somebody wishes otherwise, and what the settings say of it.

use std::{collections::BTreeMap, time::Duration};

use chrono_tz::Tz;
use queue::schedule::When;

pub const PRUNE_FINISHED: &str = "prune-finished";
pub const PRUNE_PROCESSES: &str = "prune-processes";
pub const PRUNE_UNUSED: &str = "prune-unused";
pub const PRUNE_FILES: &str = "prune-files";
pub const PRUNE_SESSIONS: &str = "prune-sessions";
pub const PRUNE_SIGN_INS: &str = "prune-sign-ins";
pub const SEND_NOTICES: &str = "send-notices";
pub const SUM_UP: &str = "sum-up";
/// Has no setting of its own here: how often it fires is the broker's `cleanup_interval`.
pub const CLEAN: &str = "clean";

/// Every schedule, for the settings.
pub const NAMES: [&str; 8] =
    [PRUNE_FINISHED, PRUNE_PROCESSES, PRUNE_UNUSED, PRUNE_FILES, PRUNE_SESSIONS, PRUNE_SIGN_INS, SEND_NOTICES, SUM_UP];

/// How often one of them fires unless somebody wishes otherwise.
pub fn usual(name: &str) -> When {
    match name {
        // Somebody waits for them.
        SEND_NOTICES => When::Every(Duration::from_secs(30)),
        // Charts are by the minute.
        SUM_UP => When::Every(Duration::from_secs(60)),
        _ => When::Every(Duration::from_secs(3_600)),
    }
}

/// What the settings say of them.
#[derive(Clone, Debug)]
pub struct ScheduleSettings {
    /// The time zone of expressions that speak of days and hours.
    pub zone: Tz,
    /// By name, as it was written: see [`When`].
    pub expressions: BTreeMap<&'static str, String>,
}
