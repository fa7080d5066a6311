//! What staff can submit: one variant for each kind, and one file with what is chosen for it and how it is called.

mod early_alert;
pub mod email;
mod export;
mod program_status;
mod reassign_by_list;
mod reassign_coach;
mod watch;
mod words;

pub use early_alert::{AlertReason, EarlyAlert};
pub use email::{Email, Recipients};
pub use export::{ColumnGroup, Export, ExportFormat, ExportSort};
pub use program_status::StatusChange;
pub use reassign_by_list::{CoachRequest, ReassignByList, UNREADABLE_LINES, line_label, wrong_in_list};
pub use reassign_coach::ReassignCoach;
use serde::{Deserialize, Serialize};
pub use watch::{Watch, WatchOperation};
pub use words::ActionWords;

use crate::{Problem, TaskId, TaskKind, account::Right};

/// A bulk action with everything that was chosen for it (valid when built by a constructor such as [`Action::watch`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "kind")]
pub enum Action {
    #[serde(rename = "program-status")]
    ProgramStatus(StatusChange),
    #[serde(rename = "watch")]
    Watch(Watch),
    #[serde(rename = "export")]
    Export(Export),
    #[serde(rename = "early-alert")]
    EarlyAlert(EarlyAlert),
    #[serde(rename = "reassign-coach")]
    ReassignCoach(ReassignCoach),
    #[serde(rename = "reassign-list")]
    ReassignByList(ReassignByList),
    #[serde(rename = "email")]
    Email(Email),
    #[serde(rename = "undo")]
    Undo(Undo),
}

impl Action {
    fn words(&self) -> &dyn ActionWords {
        match self {
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

    /// The same for some of the people once more: a copy of the whole action is not made again.
    pub fn again(self) -> Action {
        match self {
            Action::Email(email) => Action::Email(Email { cc: Vec::new(), ..email }),
            action => action,
        }
    }

    /// See [`ActionWords::kind`].
    pub fn kind(&self) -> TaskKind {
        self.words().kind()
    }

    /// What it takes.
    pub fn right(&self) -> Right {
        match self {
            Action::Undo(undo) => undo.of.right(),
            action => action.kind().right(),
        }
    }

    /// Whether it leaves people other than they were, and so climbs the risk ladder and keeps a ledger.
    pub fn changes_people(&self) -> bool {
        self.kind().description().has_ledger()
    }

    /// See [`Description::cannot_be_taken_back`](crate::kind::Description).
    pub fn cannot_be_taken_back(&self) -> bool {
        self.kind().description().cannot_be_taken_back
    }

    /// See [`Description::can_be_repeated`](crate::kind::Description).
    pub fn can_be_repeated(&self) -> bool {
        self.kind().description().can_be_repeated
    }

    /// See [`ActionWords::title`].
    pub fn title(&self) -> String {
        self.words().title()
    }

    /// See [`ActionWords::button`].
    pub fn button(&self, people: &str) -> String {
        self.words().button(people)
    }

    /// See [`ActionWords::will`].
    pub fn will(&self) -> String {
        self.words().will()
    }

    /// See [`ActionWords::pending_label`].
    pub fn pending_label(&self) -> String {
        self.words().pending_label()
    }
}

/// As which kind an action changes people; an undo as what it undoes.
pub fn changes_as(action: &Action) -> TaskKind {
    match action {
        Action::Undo(undo) => changes_as(&undo.of),
        action => action.kind().changes_as(),
    }
}

/// See [`ActionWords::did`].
pub fn did(action: &Action, people: &str) -> String {
    action.words().did(people)
}

/// From what somebody chose, typed or sent; the refusal names every field that is wrong.
impl Action {
    /// See [`EarlyAlert::chosen`].
    pub fn early_alert(reason: &str, comment: &str) -> Result<Action, Problem> {
        EarlyAlert::chosen(reason, comment).map(Action::EarlyAlert)
    }

    /// See [`Email::written`].
    pub fn email(written: email::WrittenEmail<'_>) -> Result<Action, Problem> {
        Email::written(written).map(Action::Email)
    }

    /// See [`Export::chosen`].
    pub fn export<'a>(
        format: &str,
        columns: Option<impl IntoIterator<Item = &'a str>>,
        sort: Option<ExportSort>,
    ) -> Result<Action, Problem> {
        Export::chosen(format, columns, sort).map(Action::Export)
    }

    /// See [`StatusChange::chosen`].
    pub fn program_status(status: &str, change_reason: &str, comment: &str) -> Result<Action, Problem> {
        StatusChange::chosen(status, change_reason, comment).map(Action::ProgramStatus)
    }

    /// See [`ReassignCoach::chosen`].
    pub fn reassign_coach(coach_id: &str) -> Result<Action, Problem> {
        ReassignCoach::chosen(coach_id).map(Action::ReassignCoach)
    }

    /// See [`Watch::chosen`].
    pub fn watch(operation: &str) -> Result<Action, Problem> {
        Watch::chosen(operation).map(Action::Watch)
    }
}

/// Puts back what a task changed, as far as it is still as that task left it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Undo {
    pub task: TaskId,
    /// What that task did.
    #[cfg_attr(feature = "openapi", schema(no_recursion))]
    pub of: Box<Action>,
}

impl ActionWords for Undo {
    fn kind(&self) -> TaskKind {
        TaskKind::Undo
    }

    fn title(&self) -> String {
        format!("Undo “{}”", self.of.title())
    }

    fn button(&self, people: &str) -> String {
        format!("Restore {}", people)
    }

    fn will(&self) -> String {
        "will be restored".to_owned()
    }

    fn did(&self, people: &str) -> String {
        format!("{people} restored")
    }

    fn pending_label(&self) -> String {
        "Undo".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_goes_by_the_names_of_the_kinds() {
        let names = serde_json::from_str::<Action>(r#"{"kind":"?"}"#).unwrap_err().to_string();
        for kind in TaskKind::ALL {
            let is_action = !matches!(kind, TaskKind::Import | TaskKind::SelfTest);
            assert_eq!(names.contains(&format!("`{kind}`")), is_action, "{names}");
        }
    }
}
