//! What Docket does by the calendar, one line each.

use std::sync::Arc;

use caseload::{
    Caseload,
    notices::SendNotices,
    prune::{PruneFiles, PruneFinished, PruneUnused},
    throttle::PruneFailures,
};
use queue::{
    Clean, Runtime,
    prune::PruneProcesses,
    schedule::{Schedule, Scheduler, When, Work},
    statistics::SumUp,
};

use crate::{
    config::calendar::{
        CLEAN, PRUNE_FILES, PRUNE_FINISHED, PRUNE_PROCESSES, PRUNE_SESSIONS, PRUNE_SIGN_INS, PRUNE_UNUSED,
        SEND_NOTICES, SUM_UP, ScheduleSettings, usual,
    },
    door::session,
};

/// The schedules of every process that runs tasks; under a lock, one of them fires each.
pub fn scheduler(
    caseload: &Caseload,
    sessions: session::Store,
    wishes: &ScheduleSettings,
    runtime: &Runtime,
) -> Scheduler {
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
    Scheduler::new(runtime, queue.locks(runtime.process()), schedules)
}
