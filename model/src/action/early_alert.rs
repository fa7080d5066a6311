//! What is chosen for an early alert.

use serde::{Deserialize, Serialize};

use super::words::ActionWords;
use crate::{FieldError, Problem, TaskKind, enum_words::words, writing::note::note};

words! {
    /// What was noticed.
    AlertReason {
        Attendance = "ATTENDANCE", "Attendance";
        Grades = "GRADES", "Low grades";
        MissingWork = "MISSING_WORK", "Missing work";
        Engagement = "ENGAGEMENT", "Not engaged";
        Finances = "FINANCES", "Finances";
        Wellbeing = "WELLBEING", "Wellbeing";
        /// Takes a comment.
        Other = "OTHER", "Other";
    }
}

/// Puts an early alert on record, for whoever looks after these people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct EarlyAlert {
    pub alert_reason: AlertReason,
    /// Shown with the alert.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

impl ActionWords for EarlyAlert {
    fn kind(&self) -> TaskKind {
        TaskKind::EarlyAlert
    }

    fn title(&self) -> String {
        format!("Early alert: {}", self.alert_reason.label())
    }

    fn button(&self, people: &str) -> String {
        format!("Raise an alert on {}", people)
    }

    fn will(&self) -> String {
        format!("will get an alert: {}", self.alert_reason.label())
    }

    fn did(&self, people: &str) -> String {
        format!("Alert raised on {people}")
    }

    fn pending_label(&self) -> String {
        "Alert".to_owned()
    }
}

impl EarlyAlert {
    /// An early alert from what somebody chose or sent; an empty comment counts as absent.
    pub fn chosen(reason: &str, comment: &str) -> Result<EarlyAlert, Problem> {
        let mut errors = Vec::new();
        let alert_reason = match reason.trim() {
            "" => {
                errors.push(FieldError::new("alertReason", "required", "Choose what was noticed."));
                None
            }
            text => match text.parse::<AlertReason>() {
                Ok(reason) => Some(reason),
                Err(why) => {
                    errors.push(FieldError::new("alertReason", "unknown", format!("What was noticed: {why}.")));
                    None
                }
            },
        };
        let comment = note("comment", comment, &mut errors);
        if alert_reason == Some(AlertReason::Other) && comment.is_none() {
            errors.push(FieldError::new("comment", "required", "Describe what was noticed."));
        }
        match alert_reason {
            Some(alert_reason) if errors.is_empty() => Ok(EarlyAlert { alert_reason, comment }),
            _ => Err(Problem::fields(errors)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Action;

    #[test]
    fn another_reason_is_said_in_words() {
        assert_eq!(Action::early_alert("OTHER", " ").unwrap_err().errors[0].field, "comment");
        assert!(Action::early_alert("OTHER", "moved to another town").is_ok());
        assert!(Action::early_alert("ATTENDANCE", "").is_ok());
    }

    #[test]
    fn every_wrong_field_is_named_at_once() {
        let problem = Action::early_alert("", &"x".repeat(501)).unwrap_err();
        let fields: Vec<_> = problem.errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["alertReason", "comment"]);
    }
}
