//! What Docket does by the calendar, one line each.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use caseload::{
    Caseload,
    notices::SendNotices,
    prune::{PruneFiles, PruneFinished, PruneUnused},
    throttle::PruneFailures,
};
use chrono_tz::Tz;
use queue::{
    Clean, Runtime,
    prune::PruneProcesses,
    schedule::{Schedule, Scheduler, When, Work},
    statistics::SumUp,
};

use crate::session;

const PRUNE_FINISHED: &str = "prune-finished";
const PRUNE_PROCESSES: &str = "prune-processes";
const PRUNE_UNUSED: &str = "prune-unused";
const PRUNE_FILES: &str = "prune-files";
const PRUNE_SESSIONS: &str = "prune-sessions";
const PRUNE_SIGN_INS: &str = "prune-sign-ins";
const SEND_NOTICES: &str = "send-notices";
const SUM_UP: &str = "sum-up";
/// Has no setting of its own here: how often it fires is the broker's `cleanup_interval`.
const CLEAN: &str = "clean";

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
pub struct Wishes {
    /// The time zone of expressions that speak of days and hours.
    pub zone: Tz,
    /// By name, as it was written: see [`When`].
    pub expressions: BTreeMap<&'static str, String>,
}

/// The schedules of every process that runs tasks; under a lock, one of them fires each.
pub fn scheduler(caseload: &Caseload, sessions: session::Store, wishes: &Wishes, runtime: &Runtime) -> Scheduler {
    let (queue, db) = (runtime.queue(), runtime.queue().db());
    let retention = queue.settings().retention;
    let schedule = |name: &'static str, work: Arc<dyn Work>| {
        let wished = wishes.expressions.get(name).cloned();
        Schedule { name, usual: usual(name), wished, zone: wishes.zone, work }
    };
    let schedules = vec![
        schedule(PRUNE_FINISHED, Arc::new(PruneFinished::new(db.clone(), retention))),
        schedule(PRUNE_PROCESSES, Arc::new(PruneProcesses::new(db.clone()))),
        schedule(PRUNE_UNUSED, Arc::new(PruneUnused::new(db.clone()))),
        schedule(PRUNE_FILES, Arc::new(PruneFiles::new(db.clone(), caseload.files().clone()))),
        schedule(PRUNE_SESSIONS, Arc::new(sessions.clone())),
        schedule(PRUNE_SIGN_INS, Arc::new(PruneFailures(db.clone()))),
        schedule(SUM_UP, Arc::new(SumUp(queue.clone()))),
        Schedule {
            name: CLEAN,
            usual: When::Every(queue.settings().cleaning.interval),
            wished: None,
            zone: wishes.zone,
            work: Arc::new(Clean(runtime.clone())),
        },
        schedule(
            SEND_NOTICES,
            Arc::new(SendNotices { queue: queue.clone(), mail: caseload.mail().clone(), presence: Arc::new(sessions) }),
        ),
    ];
    let process = runtime.process();
    Scheduler::new(db.clone(), queue.locks(process), process, schedules).beside(runtime)
}
