//! The work of Docket's recurring jobs, one line each.

use std::sync::Arc;

use caseload::{
    notices::SendNotices,
    prune::{PruneFiles, PruneFinished, PruneUnused},
    throttle::PruneFailures,
};
use model::admin::ScheduleName;
use queue::{
    Clean, Runtime,
    prune::PruneProcesses,
    schedule::{Schedule, Scheduler, When, Work},
    statistics::SumUp,
};

use crate::{
    auth::provider::confirm::ConfirmSignIns,
    config::schedules::{ScheduleSettings, default_times},
};

/// The schedules of every process that runs tasks; under a lock, one of them fires each.
pub fn scheduler(confirm: ConfirmSignIns, settings: &ScheduleSettings, runtime: &Runtime) -> Scheduler {
    let (queue, confirm) = (runtime.queue(), Arc::new(confirm));
    let schedule = |name: &ScheduleName| Schedule {
        name: name.name(),
        default: default_times(*name).unwrap_or(When::Every(queue.settings().cleaning.interval)),
        configured: settings.expressions.get(name).cloned(),
        zone: settings.zone,
        work: work(*name, &confirm, runtime),
    };
    Scheduler::new(runtime, queue.locks(runtime.process()), ScheduleName::ALL.iter().map(schedule).collect())
}

fn work(name: ScheduleName, confirm: &Arc<ConfirmSignIns>, runtime: &Runtime) -> Arc<dyn Work> {
    let (caseload, sessions) = (&confirm.caseload, &confirm.sessions);
    let (queue, db) = (runtime.queue().clone(), runtime.queue().db().clone());
    match name {
        ScheduleName::PruneFinished => Arc::new(PruneFinished::new(db, queue.settings().retention)),
        ScheduleName::PruneProcesses => Arc::new(PruneProcesses::new(db)),
        ScheduleName::PruneUnused => Arc::new(PruneUnused::new(db)),
        ScheduleName::PruneFiles => Arc::new(PruneFiles::new(db, caseload.files().clone())),
        ScheduleName::PruneSessions => Arc::new(sessions.clone()),
        ScheduleName::ConfirmSignIns => confirm.clone(),
        ScheduleName::PruneSignIns => Arc::new(PruneFailures(db)),
        ScheduleName::SumUp => Arc::new(SumUp(queue)),
        ScheduleName::Clean => Arc::new(Clean(runtime.clone())),
        ScheduleName::SendNotices => {
            Arc::new(SendNotices { queue, mail: caseload.mail().clone(), presence: Arc::new(sessions.clone()) })
        }
    }
}
