//! What staff can submit: one variant for each action, with its own fields. What can be chosen for each is in a file of its
//! own.

mod export;
mod program_status;
mod watch;

pub use export::{ColumnGroup, ExportFormat};
use serde::{Deserialize, Serialize};
use uuid::Uuid;
pub use watch::WatchOperation;

use crate::{ChangeReason, Permission, ProgramStatus, Sort};

/// A bulk action with everything that was chosen for it (valid when built by a constructor such as [`Action::watch`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "kind")]
pub enum Action {
    /// Sets the program status.
    #[serde(rename = "program-status")]
    // Said for every variant above, in words that the schema does not read.
    #[cfg_attr(feature = "openapi", schema(rename_all = "camelCase"))]
    ProgramStatus {
        program_status: ProgramStatus,
        /// Present exactly when the status needs one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        change_reason: Option<ChangeReason>,
        /// Shown in each person's history.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        comment: Option<String>,
    },
    /// Puts people on the submitter's watch list, or takes them off it.
    #[serde(rename = "watch")]
    Watch { operation: WatchOperation },
    /// Writes people to a file, in this order.
    #[serde(rename = "export")]
    Export { format: ExportFormat, columns: Vec<ColumnGroup>, sort: Sort },
    /// Puts back what a task changed, as far as it is still as that task left it.
    #[serde(rename = "undo")]
    Undo {
        task: Uuid,
        /// What that task did.
        #[cfg_attr(feature = "openapi", schema(no_recursion))]
        of: Box<Action>,
    },
}

impl Action {
    /// The name of the kind in URLs and in the queue.
    pub fn kind(&self) -> &'static str {
        match self {
            Action::ProgramStatus { .. } => "program-status",
            Action::Watch { .. } => "watch",
            Action::Export { .. } => "export",
            Action::Undo { .. } => "undo",
        }
    }

    /// The right it takes.
    pub fn permission(&self) -> Permission {
        match self {
            Action::ProgramStatus { .. } => Permission::ProgramStatus,
            Action::Watch { .. } => Permission::Watch,
            Action::Export { .. } => Permission::Export,
            Action::Undo { of, .. } => of.permission(),
        }
    }

    /// Whether it leaves people other than they were, and so climbs the risk ladder and keeps a ledger.
    pub fn changes_people(&self) -> bool {
        !matches!(self, Action::Export { .. })
    }

    /// Whether a task of its own can put back what it changed.
    pub fn can_be_undone(&self) -> bool {
        matches!(self, Action::ProgramStatus { .. } | Action::Watch { .. })
    }

    /// Whether it can be composed anew with the same choices.
    pub fn can_be_repeated(&self) -> bool {
        !matches!(self, Action::Undo { .. })
    }

    /// What it does, as a title: `Set status to Inactive`.
    pub fn title(&self) -> String {
        match self {
            Action::ProgramStatus { program_status, .. } => format!("Set status to {}", program_status.label()),
            Action::Watch { operation } => operation.label().to_owned(),
            Action::Export { format, .. } => format!("Export as {}", format.label()),
            Action::Undo { of, .. } => format!("Undo “{}”", of.title()),
        }
    }

    /// The button that does it: `Set 1,204 people to Inactive`.
    pub fn button(&self, count: u64) -> String {
        let people = crate::people(count);
        match self {
            Action::ProgramStatus { program_status, .. } => format!("Set {people} to {}", program_status.label()),
            Action::Watch { operation: WatchOperation::Watch } => format!("Watch {people}"),
            Action::Watch { operation: WatchOperation::Unwatch } => format!("Stop watching {people}"),
            Action::Export { .. } => format!("Export {people}"),
            Action::Undo { .. } => format!("Put back {people}"),
        }
    }

    /// What happens to those it is for, after their number: `will change to Inactive`.
    pub fn will(&self) -> String {
        match self {
            Action::ProgramStatus { program_status, .. } => format!("will change to {}", program_status.label()),
            Action::Watch { operation: WatchOperation::Watch } => "will be on your watch list".to_owned(),
            Action::Watch { operation: WatchOperation::Unwatch } => "will leave your watch list".to_owned(),
            Action::Export { .. } => "will be in the file".to_owned(),
            Action::Undo { .. } => "will be put back".to_owned(),
        }
    }

    /// What a person awaits while it is pending: `Inactive soon`.
    pub fn pending_label(&self) -> String {
        match self {
            Action::ProgramStatus { program_status, .. } => format!("{} soon", program_status.label()),
            Action::Watch { operation: WatchOperation::Watch } => "watched soon".to_owned(),
            Action::Watch { operation: WatchOperation::Unwatch } => "unwatched soon".to_owned(),
            Action::Export { .. } => "being exported".to_owned(),
            Action::Undo { .. } => "put back soon".to_owned(),
        }
    }
}
