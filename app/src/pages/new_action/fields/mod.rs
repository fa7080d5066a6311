//! What there is to choose for each kind of action: one file each.

mod early_alert;
pub mod email;
mod export;
pub mod form;
mod program_status;
mod reassign_by_list;
mod reassign_coach;
mod watch;

use crate::components::values::numbers::people;
use form::Fields;
use model::{Action, TaskKind};

use super::draft::Draft;

impl Fields {
    /// Those of a kind; nothing where there is nothing to choose.
    pub fn of(kind: TaskKind) -> Option<&'static Fields> {
        match kind {
            TaskKind::ProgramStatus => Some(&program_status::FIELDS),
            TaskKind::Watch => Some(&watch::FIELDS),
            TaskKind::Export => Some(&export::FIELDS),
            TaskKind::EarlyAlert => Some(&early_alert::FIELDS),
            TaskKind::ReassignCoach => Some(&reassign_coach::FIELDS),
            TaskKind::Email => Some(&email::FIELDS),
            TaskKind::ReassignByList => Some(&reassign_by_list::FIELDS),
            TaskKind::Undo | TaskKind::Import | TaskKind::SelfTest => None,
        }
    }
}

/// The button of a draft: what it will do, as far as that is chosen.
pub fn button(draft: &Draft, fields: &Fields, count: u64) -> String {
    (fields.action)(draft).map_or_else(|_| (fields.button)(count), |action| action.button(&people(count)))
}

/// What was chosen for an action, as fields of its form.
pub fn pairs(action: &Action) -> Vec<(&'static str, String)> {
    match action {
        Action::ProgramStatus(change) => program_status::pairs(change),
        Action::Watch(watch) => watch::pairs(watch),
        Action::Export(export) => export::pairs(export),
        Action::EarlyAlert(alert) => early_alert::pairs(alert),
        Action::ReassignCoach(reassign) => reassign_coach::pairs(reassign),
        // It cannot be repeated.
        Action::ReassignByList(_) => Vec::new(),
        // Its text is kept as a draft.
        Action::Email(_) => Vec::new(),
        Action::Undo(undo) => vec![("task", undo.task.to_string())],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::components::offered_actions::is_offered;

    #[test]
    fn whatever_has_a_form_is_offered() {
        // A list of coaches is no selection: it has a page of its own.
        let with_a_form = |kind: &TaskKind| Fields::of(*kind).is_some() && *kind != TaskKind::ReassignByList;
        for kind in TaskKind::ALL {
            assert_eq!(is_offered(*kind), with_a_form(kind), "{kind}");
        }
    }
}
