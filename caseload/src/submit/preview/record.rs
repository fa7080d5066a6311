//! What is kept of a preview.

use std::collections::BTreeMap;

use model::{Action, Code, Problem, SkipReason};
use serde::{Deserialize, Serialize};

use crate::{Caseload, actions::all_actions::definition, people::targeted_people::TargetedPeople};

/// What is kept of a preview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewRecord {
    pub action: Action,
    #[serde(rename = "members")]
    pub targeted: TargetedPeople,
    pub total: u64,
    pub will_change: u64,
    /// How many of them are there and within reach.
    pub reached: u64,
    /// Whether its people stand in `task_person` under its token.
    pub frozen: bool,
}

impl PreviewRecord {
    /// Takes over how many there are of each verdict.
    pub(crate) fn count(&mut self, counts: &BTreeMap<String, u64>) {
        let of = |verdict: &str| counts.get(verdict).copied().unwrap_or_default();
        self.total = counts.values().sum();
        self.will_change = of("");
        self.reached = self.total - of(SkipReason::NotFound.name());
    }

    /// How many may join or leave before a submit is refused: one in a hundred, and at least one.
    pub fn drift_allowed(&self) -> u64 {
        (self.total / 100).max(1)
    }

    /// Refuses what is too large to be done.
    pub fn check_bounds(&self, caseload: &Caseload) -> Result<(), Problem> {
        match definition(&self.action).most(caseload) {
            Some((most, advice)) if self.will_change > most => {
                let (these, most) = (model::people(self.will_change), model::grouped(most));
                let detail = format!("This includes {these}. One task can include at most {most}. {advice}");
                Err(Problem::refused(Code::TOO_MANY_PEOPLE, "Too many people for one task", detail))
            }
            _ => Ok(()),
        }
    }
}
