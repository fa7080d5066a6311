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
        format!("Reassign coaches by {}", self.file)
    }

    fn button(&self, people: &str) -> String {
        format!("Reassign {}", people)
    }

    fn will(&self) -> String {
        "will move to the coach in the list".to_owned()
    }

    fn did(&self, people: &str) -> String {
        let coaches = if people == crate::people(1) { "the coach" } else { "the coaches" };
        format!("{people} moved to {coaches} in the list")
    }

    fn pending_label(&self) -> String {
        "New coach".to_owned()
    }
}

/// What a refusal of a list says beside its mistakes: how many lines cannot be read, of which only the first are named.
pub const UNREADABLE_LINES: &str = "lines";

/// A line of a list: who, and to whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoachRequest {
    /// Where it stands in what was sent, from 1.
    pub line: u64,
    pub school_id: SchoolId,
    /// The user name, school id or name of somebody with an account, also by their initial as in `K. Lund`.
    pub coach: String,
}

/// What is to be corrected in a list that says `written` there: `no active account goes by “A. Nobody”`.
pub fn wrong_in_list(reason: SkipReason, written: &str) -> Option<String> {
    Some(match reason {
        SkipReason::NotFound => format!("no person with the school ID “{written}”"),
        SkipReason::UnknownCoach => format!("no active account goes by “{written}”"),
        SkipReason::AmbiguousCoach => format!("several accounts go by “{written}”"),
        _ => return None,
    })
}

/// Why a line was not followed, whose `label` says it in the words of its action; of a line of a list with which it is, and whom
/// it names as coach in vain: `line 12: no active account goes by “A. Nobody”`.
pub fn line_label(reason: Option<SkipReason>, label: String, line: Option<i64>, wanted: Option<&str>) -> String {
    let of_coach = reason.filter(|why| matches!(why, SkipReason::UnknownCoach | SkipReason::AmbiguousCoach));
    let said = of_coach.zip(wanted).and_then(|(why, wanted)| wrong_in_list(why, wanted)).unwrap_or(label);
    match line {
        Some(line) => format!("line {}: {said}", grouped(line.unsigned_abs())),
        None => said,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_which_coach_it_wanted_in_vain() {
        let said = |reason, wanted| line_label(Some(reason), "in other words".to_owned(), Some(1_204), wanted);
        assert_eq!(
            said(SkipReason::UnknownCoach, Some("A. Nobody")),
            "line 1,204: no active account goes by “A. Nobody”"
        );
        assert_eq!(said(SkipReason::AmbiguousCoach, Some("Ann Lee")), "line 1,204: several accounts go by “Ann Lee”");
        for (reason, wanted) in [
            (SkipReason::NotFound, Some("A. Nobody")),
            (SkipReason::AlreadyThere, None),
            (SkipReason::UnknownCoach, None),
        ] {
            assert_eq!(said(reason, wanted), "line 1,204: in other words", "{reason:?}");
        }
        assert_eq!(line_label(None, "could not be saved".to_owned(), None, None), "could not be saved", "of no list");
    }

    #[test]
    fn it_is_people_who_move() {
        let list = ReassignByList { file: "spring.csv".to_owned() };
        assert_eq!(list.did("4 people"), "4 people moved to the coaches in the list");
        assert_eq!(list.did("1 person"), "1 person moved to the coach in the list");
    }
}
