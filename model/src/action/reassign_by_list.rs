//! What is chosen when people get another coach by a list.

use serde::{Deserialize, Serialize};

use super::words::ActionWords;
use crate::{SchoolId, SkipReason, TaskKind, grouped};

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
        format!("{people} moved to the coaches in the list")
    }

    fn pending_label(&self) -> String {
        "new coach".to_owned()
    }
}

/// A line of a list: who, and to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoachRequest {
    /// Where it stands in what was sent, from 1.
    pub line: u64,
    pub school_id: SchoolId,
    /// The user name, school id or name of somebody with an account.
    pub coach: String,
}

/// What a line of a list says of its coach, where that is why it is skipped: `line 12: “A. Nobody” has no active account`.
pub fn line_label(reason: SkipReason, line: Option<i64>, wanted: Option<&str>) -> Option<String> {
    let said = match (reason, wanted) {
        (SkipReason::UnknownCoach, Some(wanted)) => format!("“{wanted}” has no active account"),
        (SkipReason::AmbiguousCoach, Some(wanted)) => format!("several accounts go by “{wanted}”"),
        (SkipReason::UnknownCoach | SkipReason::AmbiguousCoach, None) => reason.label().to_owned(),
        // Nobody is named on it, so that it says itself which it is.
        (SkipReason::AnotherRow | SkipReason::NotFound, _) if line.is_some() => reason.label().to_owned(),
        _ => return None,
    };
    Some(match line {
        Some(line) => format!("line {}: {said}", grouped(line.unsigned_abs())),
        None => said,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_which_coach_it_wanted_in_vain() {
        let said = |reason, wanted| line_label(reason, Some(1_204), wanted);
        let unknown = said(SkipReason::UnknownCoach, Some("A. Nobody"));
        assert_eq!(unknown.unwrap(), "line 1,204: “A. Nobody” has no active account");
        let several = said(SkipReason::AmbiguousCoach, Some("Ann Lee"));
        assert_eq!(several.unwrap(), "line 1,204: several accounts go by “Ann Lee”");
        assert_eq!(said(SkipReason::NotFound, None).unwrap(), format!("line 1,204: {}", SkipReason::NotFound.label()));
        assert_eq!(line_label(SkipReason::NotFound, None, None), None, "it stood in no list");
    }
}
