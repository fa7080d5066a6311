//! Where the rules of each action are, one line each. A new action is a file here, a variant of [`Action`], a form and a route.

use model::Action;

use super::rules::Rules;

/// The rules of an action.
pub(crate) fn rules(action: &Action) -> &dyn Rules {
    match action {
        Action::ProgramStatus(change) => change,
        Action::Watch(watch) => watch,
        Action::Export(export) => export,
        Action::EarlyAlert(alert) => alert,
        Action::ReassignCoach(reassign) => reassign,
        Action::ReassignByList(list) => list,
        Action::Email(email) => email,
        Action::Undo(undo) => undo,
    }
}
