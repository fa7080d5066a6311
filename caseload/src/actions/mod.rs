//! The registry of actions, one line each, and what every action has to say about itself. A new action is a file here, a
//! variant of [`Action`], a form and a route.

mod program_status;
mod self_test;

pub use self_test::SelfTestRequest;

use model::{Action, SkipReason};
use queue::Registry;

use crate::{Actor, binds::Binds};

/// The executors of all kinds.
pub fn registry() -> Registry {
    Registry::default().with(program_status::ProgramStatusChange).with(queue::self_test::SelfTest)
}

/// The SQL expression that gives, for the person `p` (null when they are gone), the reason for which they are skipped, or
/// null when they will be changed. Previews and runs use the same one.
pub(crate) fn verdict(action: &Action, actor: &Actor, binds: &mut Binds) -> String {
    match action {
        Action::ProgramStatus { program_status, change_reason, .. } => {
            program_status::verdict(*program_status, *change_reason, actor, binds)
        }
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

/// What a person of the sample becomes.
pub(crate) fn then_label(action: &Action) -> String {
    match action {
        Action::ProgramStatus { program_status, .. } => program_status.label().to_owned(),
    }
}

/// What was chosen, for the details of a task.
pub(crate) fn facts(action: &Action) -> Vec<(String, String)> {
    match action {
        Action::ProgramStatus { program_status, change_reason, comment } => {
            let mut facts = vec![("Change".to_owned(), format!("Program status to {}", program_status.label()))];
            facts.extend(change_reason.map(|reason| ("Why".to_owned(), reason.label().to_owned())));
            facts.extend(comment.clone().map(|comment| ("Comment".to_owned(), comment)));
            facts
        }
    }
}
