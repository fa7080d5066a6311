//! What runs each kind of task that Docket knows, one line each.

use std::sync::Arc;

use queue::{Registry, notice::Notices};

use super::{email, export};
use crate::Exports;
use crate::{Caseload, import::task::Import, mail::Mail, notices, tasks::people_run::PeopleTask};

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
    Registry::default()
        .with(PeopleTask("program-status"))
        .with(PeopleTask("watch"))
        .with(PeopleTask("early-alert"))
        .with(PeopleTask("reassign-coach"))
        .with(PeopleTask("reassign-list"))
        .with(PeopleTask("undo"))
        .with(email::EmailTask(mail.clone()))
        .with(export::ExportTask(exports.clone()))
        .with(Import(exports.files.clone()))
        .with(queue::self_test::SelfTest)
}
