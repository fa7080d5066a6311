//! What is chosen for a program status change.

use serde::{Deserialize, Serialize};

use super::words::ActionWords;
use crate::{ChangeReason, FieldError, Problem, ProgramStatus, TaskKind, writing::note::note};

/// Sets the program status.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct StatusChange {
    pub program_status: ProgramStatus,
    /// Present exactly when the status needs one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change_reason: Option<ChangeReason>,
    /// Shown in each person's history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

impl ActionWords for StatusChange {
    fn kind(&self) -> TaskKind {
        TaskKind::ProgramStatus
    }

    fn title(&self) -> String {
        format!("Set status to {}", self.program_status.label())
    }

    fn button(&self, people: &str) -> String {
        format!("Set {} to {}", people, self.program_status.label())
    }

    fn will(&self) -> String {
        format!("will change to {}", self.program_status.label())
    }

    fn did(&self, people: &str) -> String {
        format!("{people} changed to {}", self.program_status.label())
    }

    fn pending_label(&self) -> String {
        self.program_status.label().to_owned()
    }
}

impl StatusChange {
    /// A program status change from what somebody typed or sent; empty texts count as absent.
    pub fn chosen(status: &str, change_reason: &str, comment: &str) -> Result<StatusChange, Problem> {
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
                    format!("Choose a reason for {}.", status.label()),
                )),
                (false, Some(_)) => errors.push(FieldError::new(
                    "changeReason",
                    "not_allowed",
                    format!("Only {} takes a reason. Leave the reason empty.", ProgramStatus::NonParticipating.label()),
                )),
                _ => {}
            }
        }
        let comment = note("comment", comment, &mut errors);
        match program_status {
            Some(program_status) if errors.is_empty() => Ok(StatusChange { program_status, change_reason, comment }),
            _ => Err(Problem::fields(errors)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Action;

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
