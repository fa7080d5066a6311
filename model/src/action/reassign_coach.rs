//! What is chosen for another coach.

use serde::{Deserialize, Serialize};

use super::words::ActionWords;
use crate::{PersonId, Problem, TaskKind};

/// Gives people another coach.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ReassignCoach {
    /// A person with an account.
    pub coach_id: PersonId,
    /// Their name, `Last, First`, as the server knows it; empty while nobody has asked.
    #[serde(default)]
    pub coach_name: String,
}

impl ReassignCoach {
    fn to(&self) -> &str {
        if self.coach_name.is_empty() { "another coach" } else { &self.coach_name }
    }
}

impl ActionWords for ReassignCoach {
    fn kind(&self) -> TaskKind {
        TaskKind::ReassignCoach
    }

    fn title(&self) -> String {
        format!("Reassign to {}", self.to())
    }

    fn button(&self, people: &str) -> String {
        format!("Reassign {} to {}", people, self.to())
    }

    fn will(&self) -> String {
        format!("will move to {}", self.to())
    }

    fn did(&self, people: &str) -> String {
        // Within a sentence a comma would part the name.
        match self.coach_name.split_once(", ") {
            Some((last, first)) => format!("{people} moved to {first} {last}"),
            None => format!("{people} moved to {}", self.to()),
        }
    }

    fn pending_label(&self) -> String {
        "New coach".to_owned()
    }
}

impl ReassignCoach {
    /// Another coach from what somebody chose or sent: the id of a person with an account.
    pub fn chosen(coach_id: &str) -> Result<ReassignCoach, Problem> {
        let unknown = "There is no such coach. Choose another one.";
        match coach_id.trim() {
            "" => Err(Problem::field("coachId", "required", "Choose the new coach.")),
            text => match text.parse() {
                Ok(coach_id) => Ok(ReassignCoach { coach_id, coach_name: String::new() }),
                Err(_) => Err(Problem::field("coachId", "unknown", unknown)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Action;

    #[test]
    fn a_sentence_names_the_coach_as_people_do() {
        let words =
            r#"{"kind":"reassign-coach","coachId":"00000000-0000-0000-0000-000000000007","coachName":"Roth, Katrin"}"#;
        let action: Action = serde_json::from_str(words).unwrap();
        assert_eq!(crate::action::did(&action, "3 of 5 people"), "3 of 5 people moved to Katrin Roth");
    }

    #[test]
    fn a_coach_is_somebody() {
        assert_eq!(Action::reassign_coach(" ").unwrap_err().errors[0].code, "required");
        assert_eq!(Action::reassign_coach("Paul").unwrap_err().errors[0].field, "coachId");
        assert!(Action::reassign_coach("00000000-0000-0000-0000-000000000007").is_ok());
    }
}
