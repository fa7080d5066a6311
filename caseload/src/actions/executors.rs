//! What runs each kind of task that Docket knows.

use std::sync::Arc;

use model::TaskKind;
use queue::{Registry, dead_task_notice::Notices};

use super::{email, export};
use crate::Exports;
use crate::{Caseload, import::task::Import, mail::Mail, notices, tasks::people_executor::PeopleTask};

impl Caseload {
    /// The executors of every kind of task that Docket knows.
    pub fn registry(exports: &Exports, mail: &Mail) -> Registry {
        registry(exports, mail)
    }

    /// Who hears of tasks that ended without being done.
    pub fn notices(mail: &Mail) -> Arc<dyn Notices> {
        Arc::new(notices::DeadTasks(mail.clone()))
    }
}

/// The executors of all kinds.
fn registry(exports: &Exports, mail: &Mail) -> Registry {
    TaskKind::ALL.iter().fold(Registry::default(), |registry, kind| match kind {
        TaskKind::ProgramStatus
        | TaskKind::Watch
        | TaskKind::EarlyAlert
        | TaskKind::ReassignCoach
        | TaskKind::ReassignByList
        | TaskKind::Undo => registry.with(PeopleTask(*kind)),
        TaskKind::Email => registry.with(email::EmailTask(mail.clone())),
        TaskKind::Export => registry.with(export::ExportTask(exports.clone())),
        TaskKind::Import => registry.with(Import(exports.files.clone())),
        TaskKind::SelfTest => registry.with(queue::self_test::SelfTest),
    })
}
