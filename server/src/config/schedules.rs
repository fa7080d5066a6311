//! How often each recurring job of Docket runs, unless told otherwise, and what the settings say of it.

use std::{collections::BTreeMap, time::Duration};

use chrono_tz::Tz;
use model::admin::ScheduleName;
use queue::schedule::When;

/// How often it happens unless told otherwise. There is no setting for one whose time follows from another setting.
pub fn default_times(name: ScheduleName) -> Option<When> {
    Some(match name {
        // Somebody waits for them.
        ScheduleName::SendNotices => When::Every(Duration::from_secs(30)),
        // Charts are by the minute; and so is for how long somebody may stay whom a provider no longer lets in.
        ScheduleName::SumUp | ScheduleName::ConfirmSignIns => When::Every(Duration::from_secs(60)),
        ScheduleName::PruneFinished
        | ScheduleName::PruneProcesses
        | ScheduleName::PruneUnused
        | ScheduleName::PruneFiles
        | ScheduleName::PruneSessions
        | ScheduleName::PruneSignIns => When::Every(Duration::from_secs(3_600)),
        // That is the broker's `cleanup_interval`.
        ScheduleName::Clean => return None,
    })
}

/// What the settings say of them.
#[derive(Clone, Debug)]
pub struct ScheduleSettings {
    /// The time zone of expressions that speak of days and hours.
    pub zone: Tz,
    /// By name, as it was written: see [`When`].
    pub expressions: BTreeMap<ScheduleName, String>,
}
