//! The registry of actions, one line each, and what every action has to say about itself. A new action is a file here, a
//! variant of [`Action`], a form and a route.

mod export;
mod program_status;
mod self_test;
mod undo;
mod watch;

pub use export::Exports;
pub use self_test::SelfTestRequest;

use model::{Action, SkipReason};
use queue::{Chunk, Registry};
use sea_orm::DbErr;

use crate::{Actor, binds::Binds, import::task::Import, ledger::Range, people_run::PeopleTask};

/// The executors of all kinds.
pub fn registry(exports: &Exports) -> Registry {
    Registry::default()
        .with(PeopleTask("program-status"))
        .with(PeopleTask("watch"))
        .with(PeopleTask("undo"))
        .with(export::Export(exports.clone()))
        .with(Import(exports.files.clone()))
        .with(queue::self_test::SelfTest)
}

/// The SQL expression that gives, for the person `p` (null when they are gone), the reason for which they are skipped, or
/// null when they will be changed. Previews and runs use the same one.
pub(crate) fn verdict(action: &Action, actor: &Actor, binds: &mut Binds) -> String {
    match action {
        Action::ProgramStatus { program_status, change_reason, .. } => {
            program_status::verdict(*program_status, *change_reason, actor, binds)
        }
        Action::Watch { operation } => watch::verdict(*operation, actor, binds),
        Action::Export { .. } => export::verdict(actor, binds),
        Action::Undo { task, of } => undo::verdict(*task, of, actor, binds),
    }
}

/// The reasons that [`verdict`] can give, in the order in which it tests them.
pub(crate) fn reasons(action: &Action) -> &'static [SkipReason] {
    use SkipReason::*;
    match action {
        Action::ProgramStatus { .. } => &[NotFound, OutOfReach, NotActivated, AlreadyThere],
        Action::Watch { operation: model::action::WatchOperation::Watch } => &[NotFound, OutOfReach],
        Action::Watch { operation: model::action::WatchOperation::Unwatch } => &[NotFound, NotWatched],
        Action::Export { .. } => &[NotFound, OutOfReach],
        Action::Undo { .. } => &[NotFound, OutOfReach, ChangedSince],
    }
}

/// What a line of the ledger says of the person `p`, as SQL expressions.
pub(crate) struct Line {
    /// What is there now, in words.
    pub before: String,
    /// What will be there.
    pub after: String,
    /// Since when what is there now has been; null when nothing is.
    pub former: String,
}

/// What the ledger will say of a person who is changed.
pub(crate) fn line(action: &Action, actor: &Actor, binds: &mut Binds) -> Line {
    match action {
        Action::ProgramStatus { program_status, change_reason, .. } => {
            program_status::line(*program_status, *change_reason, binds)
        }
        Action::Watch { operation } => watch::line(*operation, actor, binds),
        Action::Export { .. } => export::line(),
        Action::Undo { task, of } => undo::line(*task, of, actor, binds),
    }
}

/// Does it to the people of a range, all of them in a few statements.
pub(crate) async fn apply(chunk: &Chunk<'_>, action: &Action, actor: &Actor, range: &Range) -> Result<(), DbErr> {
    match action {
        Action::ProgramStatus { program_status, change_reason, comment } => {
            let change =
                program_status::Change { status: *program_status, reason: *change_reason, comment: comment.as_deref() };
            program_status::apply(chunk, action, &change, actor, range).await
        }
        Action::Watch { operation } => watch::apply(chunk, action, *operation, actor, range).await,
        // It has a run of its own and changes nobody.
        Action::Export { .. } => Ok(()),
        Action::Undo { task, of } => undo::apply(chunk, action, (*task, of), actor, range).await,
    }
}

/// A skip reason in the words of the action: `already Inactive`.
pub(crate) fn skip_label(action: Option<&Action>, reason: SkipReason) -> String {
    match (reason, action) {
        (SkipReason::AlreadyThere, Some(Action::ProgramStatus { program_status, .. })) => {
            format!("already {}", program_status.label())
        }
        _ => reason.label().to_owned(),
    }
}

/// What was chosen, for the details of a task.
pub(crate) fn facts(action: &Action) -> Vec<(String, String)> {
    let fact = |name: &str, value: String| (name.to_owned(), value);
    match action {
        Action::ProgramStatus { program_status, change_reason, comment } => {
            let mut facts = vec![fact("Change", format!("Program status to {}", program_status.label()))];
            facts.extend(change_reason.map(|reason| fact("Why", reason.label().to_owned())));
            facts.extend(comment.clone().map(|comment| fact("Comment", comment)));
            facts
        }
        Action::Watch { operation } => {
            vec![fact("Change", format!("Watch list: {}", operation.label().to_lowercase()))]
        }
        Action::Export { format, columns, sort } => export::facts(*format, columns, *sort),
        Action::Undo { of, .. } => vec![fact("Puts back", of.title())],
    }
}
