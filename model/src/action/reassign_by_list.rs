//! What is chosen when people get another coach by a list.

use serde::{Deserialize, Serialize};

use super::words::ActionWords;
use crate::{SchoolId, TaskKind};

/// Gives each person of a list the coach that stands beside them there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReassignByList {
    /// The file, as it was called.
    pub file: String,
}

impl ActionWords for ReassignByList {
    fn kind(&self) -> TaskKind {
        TaskKind::ReassignByList
    }

    fn title(&self) -> String {
        format!("Reassign by {}", self.file)
    }

    fn button(&self, people: &str) -> String {
        format!("Reassign {}", people)
    }

    fn will(&self) -> String {
        "will move to the coach in the list".to_owned()
    }

    fn did(&self, people: &str) -> String {
        format!("{people} moved to the coach in the list")
    }

    fn pending_label(&self) -> String {
        "new coach".to_owned()
    }
}

/// A line of a list: who, and to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoachRequest {
    pub school_id: SchoolId,
    /// The user name, school id or name of somebody with an account.
    pub coach: String,
}
