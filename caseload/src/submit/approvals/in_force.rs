//! The rule in force in this process, and why it has an action wait.

use model::Action;

use super::rule::ApprovalRule;
use crate::{Caseload, actions::all_actions::definition};

/// Why a task waits for a second person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhyAsked {
    Kind,
    Above(u64),
}

impl WhyAsked {
    pub fn above(self) -> Option<u64> {
        match self {
            WhyAsked::Kind => None,
            WhyAsked::Above(number) => Some(number),
        }
    }
}

impl Caseload {
    /// Has tasks wait for a second person in this process. The first word counts.
    pub fn with_approvals(&self, rule: ApprovalRule) {
        let _ = self.inner.approvals.set(rule);
    }

    pub(crate) fn approval_rule(&self) -> &ApprovalRule {
        self.inner.approvals.get_or_init(ApprovalRule::default)
    }
}

/// Why an action on so many people waits, if it does. What changes a list of the submitter's own waits only where its kind does.
pub(super) fn why_asked(caseload: &Caseload, action: &Action, total: u64) -> Option<WhyAsked> {
    let rule = caseload.approval_rule();
    if rule.kinds.contains(&action.kind()) {
        return Some(WhyAsked::Kind);
    }
    let counts = action.changes_people() && !definition(action).is_personal();
    rule.above.filter(|above| counts && total > *above).map(WhyAsked::Above)
}
