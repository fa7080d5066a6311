//! What staff can submit: one variant for each action, with its own fields, and the target it is aimed at.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{ChangeReason, FieldError, Instant, PeopleFilter, Permission, Problem, ProgramStatus};

/// The longest comment or reason, in characters.
pub const MAX_NOTE: usize = 500;
/// Up to this many people a reversible action needs no preview page (product.md, Preview before submit).
pub const WITHOUT_PREVIEW: u64 = 50;
/// Above this many people the number has to be confirmed.
pub const WITHOUT_NUMBER: u64 = 1_000;
/// Up to this many people a preview stores who they are; above, the task freezes them as its first step.
pub const FROZEN_AT_PREVIEW: u64 = 10_000;

/// A bulk action with everything that was chosen for it. Valid when built by a constructor here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "kind")]
pub enum Action {
    /// Sets the program status.
    #[serde(rename = "program-status")]
    ProgramStatus {
        program_status: ProgramStatus,
        /// Present exactly when the status needs one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        change_reason: Option<ChangeReason>,
        /// Shown in each person's history.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        comment: Option<String>,
    },
}

impl Action {
    /// A program status change from what somebody typed or sent; empty texts count as absent.
    pub fn program_status(status: &str, change_reason: &str, comment: &str) -> Result<Action, Problem> {
        let mut errors = Vec::new();
        let program_status = match status.trim() {
            "" => {
                errors.push(FieldError::new("programStatus", "required", "Choose the new program status."));
                None
            }
            text => match text.parse::<ProgramStatus>() {
                Ok(status) => Some(status),
                Err(why) => {
                    errors.push(FieldError::new(
                        "programStatus",
                        "unknown",
                        format!("Choose a program status: {why}."),
                    ));
                    None
                }
            },
        };
        let change_reason = match change_reason.trim() {
            "" => None,
            text => match text.parse::<ChangeReason>() {
                Ok(reason) => Some(reason),
                Err(why) => {
                    errors.push(FieldError::new("changeReason", "unknown", format!("Choose a reason: {why}.")));
                    None
                }
            },
        };
        if let Some(status) = program_status
            && errors.is_empty()
        {
            match (status.needs_reason(), change_reason) {
                (true, None) => errors.push(FieldError::new(
                    "changeReason",
                    "required",
                    format!("Choose why these people become {}.", status.label()),
                )),
                (false, Some(_)) => errors.push(FieldError::new(
                    "changeReason",
                    "not_allowed",
                    format!("A reason goes with {} only.", ProgramStatus::NonParticipating.label()),
                )),
                _ => {}
            }
        }
        let comment = note("comment", comment, &mut errors);
        match program_status {
            Some(program_status) if errors.is_empty() => {
                Ok(Action::ProgramStatus { program_status, change_reason, comment })
            }
            _ => Err(Problem::fields(errors)),
        }
    }

    /// The name of the kind in URLs and in the queue.
    pub fn kind(&self) -> &'static str {
        match self {
            Action::ProgramStatus { .. } => "program-status",
        }
    }

    /// The right it takes.
    pub fn permission(&self) -> Permission {
        match self {
            Action::ProgramStatus { .. } => Permission::ProgramStatus,
        }
    }

    /// What it does, as a title: `Set status to Inactive`.
    pub fn title(&self) -> String {
        match self {
            Action::ProgramStatus { program_status, .. } => format!("Set status to {}", program_status.label()),
        }
    }

    /// The button that does it: `Set 1,204 people to Inactive`.
    pub fn button(&self, count: u64) -> String {
        match self {
            Action::ProgramStatus { program_status, .. } => {
                format!("Set {} to {}", crate::people(count), program_status.label())
            }
        }
    }

    /// What a person awaits while it is pending: `Inactive soon`.
    pub fn pending_label(&self) -> String {
        match self {
            Action::ProgramStatus { program_status, .. } => format!("{} soon", program_status.label()),
        }
    }
}

/// A free text of at most [`MAX_NOTE`] characters, without control characters but line breaks and tabs; blank counts as
/// absent.
pub fn note(field: &str, text: &str, errors: &mut Vec<FieldError>) -> Option<String> {
    let text = text.trim();
    let length = text.chars().count();
    if length > MAX_NOTE {
        errors.push(FieldError::new(
            field,
            "too_long",
            format!("Use at most {MAX_NOTE} characters; this has {length}."),
        ));
    }
    if crate::text::has_control(text) {
        errors.push(FieldError::new(
            field,
            "invalid",
            "Use letters, digits and signs only; this has characters that cannot be shown.",
        ));
    }
    (!text.is_empty()).then(|| text.to_owned())
}

/// The same for a text that stands alone.
pub fn checked_note(field: &str, text: Option<&str>) -> Result<Option<String>, Problem> {
    let mut errors = Vec::new();
    let text = note(field, text.unwrap_or_default(), &mut errors);
    if errors.is_empty() { Ok(text) } else { Err(Problem::fields(errors)) }
}

/// At whom an action is aimed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Target {
    /// People by their ids; those that do not exist or are out of reach are counted, unnamed.
    People(Vec<Uuid>),
    /// People by their school ids; unknown ones are counted, and listed in the ledger as they were given.
    SchoolIds(Vec<String>),
    /// Everybody who matches, but not these.
    Query { filter: PeopleFilter, exclude: Vec<Uuid> },
    /// Everybody within reach, asked for in so many words.
    Everyone,
    /// A selection kept on the server, by its token.
    Selection(Uuid),
}

/// An action aimed at a target, with what was confirmed about it. Both doors, pages and API, build this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// `None` only together with `preview`, which knows its own action; if both are there they must agree.
    pub action: Option<Action>,
    /// The same for the target.
    pub target: Option<Target>,
    /// The token of the preview that was looked at.
    pub preview: Option<Uuid>,
    /// The number that was confirmed: at a page how many people will change, from a program how many there are.
    pub confirm_total: Option<u64>,
    /// When to start; at once when absent.
    pub trigger_date: Option<Instant>,
    /// Why, for the task and its history.
    pub reason: Option<String>,
    pub idempotency_key: Option<String>,
    /// Whether "everyone, with no filter" was ticked on the page, or asked for in so many words.
    pub everyone_confirmed: bool,
    pub door: Door,
}

/// Through which door a submission came; the risk ladder is stricter for people at a page than for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// More than [`WITHOUT_PREVIEW`] people need a preview, and more than [`WITHOUT_NUMBER`] the number as well.
    Page,
    /// More than [`WITHOUT_NUMBER`] people need either.
    Program,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_goes_with_non_participating_only() {
        let missing = Action::program_status("NON_PARTICIPATING", "", "").unwrap_err();
        assert_eq!(missing.errors[0].field, "changeReason");
        let superfluous = Action::program_status("ACTIVE", "HEALTH", "").unwrap_err();
        assert_eq!(superfluous.errors[0].code, "not_allowed");
        assert!(Action::program_status("NON_PARTICIPATING", "HEALTH", " ").is_ok());
    }

    #[test]
    fn every_wrong_field_is_named_at_once() {
        let problem = Action::program_status("", "NOPE", &"x".repeat(501)).unwrap_err();
        let fields: Vec<_> = problem.errors.iter().map(|e| e.field.as_str()).collect();
        assert_eq!(fields, ["programStatus", "changeReason", "comment"]);
    }

    #[test]
    fn an_action_survives_its_stored_form() {
        let action = Action::program_status("NON_PARTICIPATING", "HEALTH", "told us in May").unwrap();
        let stored = serde_json::to_value(&action).unwrap();
        assert_eq!(stored["kind"], "program-status");
        assert_eq!(serde_json::from_value::<Action>(stored).unwrap(), action);
    }
}
