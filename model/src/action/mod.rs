//! What staff can submit: one variant for each kind, and one file with what is chosen for it and how it is called.

mod early_alert;
pub mod email;
mod export;
mod kind;
mod program_status;
mod reassign_by_list;
mod reassign_coach;
mod watch;

pub use early_alert::{AlertReason, EarlyAlert};
pub use email::{Email, Recipients};
pub use export::{ColumnGroup, Export, ExportFormat};
pub use kind::Kind;
pub use program_status::StatusChange;
pub use reassign_by_list::{CoachRequest, ReassignByList};
pub use reassign_coach::ReassignCoach;
use serde::{Deserialize, Serialize};
pub use watch::{Watch, WatchOperation};

use crate::{Permission, Problem, Sort, TaskId, people};

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
    fn choices(&self) -> &dyn Kind {
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

    /// See [`Kind::kind`].
    pub fn kind(&self) -> &'static str {
        self.choices().kind()
    }

    /// See [`Kind::permission`].
    pub fn permission(&self) -> Permission {
        self.choices().permission()
    }

    /// See [`Kind::changes_people`].
    pub fn changes_people(&self) -> bool {
        self.choices().changes_people()
    }

    /// See [`Kind::cannot_be_taken_back`].
    pub fn cannot_be_taken_back(&self) -> bool {
        self.choices().cannot_be_taken_back()
    }

    /// See [`Kind::can_be_repeated`].
    pub fn can_be_repeated(&self) -> bool {
        self.choices().can_be_repeated()
    }

    /// See [`Kind::title`].
    pub fn title(&self) -> String {
        self.choices().title()
    }

    /// See [`Kind::button`].
    pub fn button(&self, count: u64) -> String {
        self.choices().button(count)
    }

    /// See [`Kind::will`].
    pub fn will(&self) -> String {
        self.choices().will()
    }

    /// See [`Kind::pending_label`].
    pub fn pending_label(&self) -> String {
        self.choices().pending_label()
    }
}

/// From what somebody chose, typed or sent; the refusal names every field that is wrong.
impl Action {
    /// See [`EarlyAlert::chosen`].
    pub fn early_alert(reason: &str, comment: &str) -> Result<Action, Problem> {
        EarlyAlert::chosen(reason, comment).map(Action::EarlyAlert)
    }

    /// See [`Email::written`].
    pub fn email(written: email::Written<'_>) -> Result<Action, Problem> {
        Email::written(written).map(Action::Email)
    }

    /// See [`Export::chosen`].
    pub fn export<'a>(
        format: &str,
        columns: Option<impl IntoIterator<Item = &'a str>>,
        sort: Option<Sort>,
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

impl Undo {
    pub const KIND: &str = "undo";
}

impl Kind for Undo {
    fn kind(&self) -> &'static str {
        Undo::KIND
    }

    fn permission(&self) -> Permission {
        self.of.permission()
    }

    fn can_be_repeated(&self) -> bool {
        false
    }

    fn title(&self) -> String {
        format!("Undo “{}”", self.of.title())
    }

    fn button(&self, count: u64) -> String {
        format!("Put back {}", people(count))
    }

    fn will(&self) -> String {
        "will be put back".to_owned()
    }

    fn pending_label(&self) -> String {
        "put back".to_owned()
    }
}
