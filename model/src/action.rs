//! What staff can submit: one variant for each kind, and one file with what is chosen for it and how it is called.

mod early_alert;
pub mod email;
mod export;
mod program_status;
mod reassign_by_list;
mod reassign_coach;
mod undo;
mod watch;

pub use early_alert::{AlertReason, EarlyAlert};
pub use email::{Email, Recipients};
pub use export::{ColumnGroup, Export, ExportFormat};
pub use program_status::StatusChange;
pub use reassign_by_list::{ReassignByList, Wish};
pub use reassign_coach::ReassignCoach;
use serde::{Deserialize, Serialize};
pub use undo::Undo;
pub use watch::{Watch, WatchOperation};

use crate::Permission;

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

/// What every kind of action says of itself.
pub trait Kind {
    /// Its name in URLs and in the queue.
    fn kind(&self) -> &'static str;

    /// The right it takes.
    fn permission(&self) -> Permission;

    /// Whether it leaves people other than they were, and so climbs the risk ladder and keeps a ledger.
    fn changes_people(&self) -> bool {
        true
    }

    /// Whether nothing can put it back: then it is confirmed by its number, however few they are, and held for a while.
    fn cannot_be_taken_back(&self) -> bool {
        false
    }

    /// Whether it can be composed anew with the same choices.
    fn can_be_repeated(&self) -> bool {
        true
    }

    /// What it does, as a title: `Set status to Inactive`.
    fn title(&self) -> String;

    /// The button that does it: `Set 1,204 people to Inactive`.
    fn button(&self, count: u64) -> String;

    /// What happens to those it is for, after their number: `will change to Inactive`.
    fn will(&self) -> String;

    /// What a person awaits while it is pending, without the time: `Inactive`.
    fn pending_label(&self) -> String;
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
