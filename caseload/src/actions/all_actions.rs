//! Where the definition of each action is, one line each. A new action is a file here, a variant of [`Action`], a form and a route.

use model::Action;

use super::definition::Definition;

use crate::{Caseload, Result};

/// The definition of an action.
pub(crate) fn definition(action: &Action) -> &dyn Definition {
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

/// An action with what is known of its choices.
pub(crate) async fn resolve(caseload: &Caseload, action: &Action) -> Result<Action> {
    Ok(definition(action).resolve(caseload).await?.unwrap_or_else(|| action.clone()))
}
