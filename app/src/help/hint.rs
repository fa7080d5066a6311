//! Help on the spot: what a word means, in two lines, where it stands.

use super::topic::Topic;

/// A word that is explained where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    Hold,
    Outcome,
    Uncertain,
    Status,
    EarlyAlert,
    Watch,
    Export,
    State,
    Stalled,
}

impl Hint {
    pub const ALL: [Hint; 9] = [
        Hint::Hold,
        Hint::Outcome,
        Hint::Uncertain,
        Hint::Status,
        Hint::EarlyAlert,
        Hint::Watch,
        Hint::Export,
        Hint::State,
        Hint::Stalled,
    ];

    /// The id of what opens, the question that the button asks, the word, and what it means.
    const fn entry(self) -> (&'static str, &'static str, &'static str, &'static str) {
        match self {
            Hint::Hold => (
                "tip-hold",
                "What is a hold?",
                "Hold",
                "An email waits before it is sent. Until then you can cancel it, and nobody is emailed.",
            ),
            Hint::Outcome => (
                "tip-outcome",
                "What do the outcomes mean?",
                "Outcomes",
                "What became of each person: done, skipped for a reason, failed, or uncertain. People who are “Not processed” are as they were.",
            ),
            Hint::Uncertain => (
                "tip-uncertain",
                "What does uncertain mean?",
                "Uncertain",
                "Docket sent something and got no answer. It may have arrived, so Docket does not repeat it.",
            ),
            Hint::Status => (
                "tip-status",
                "What does a program status mean?",
                "Program status",
                "Where a person stands in their program. It is changed by a task or an import, and each person’s page keeps its history.",
            ),
            Hint::EarlyAlert => (
                "tip-alert",
                "What is an early alert?",
                "Early alert",
                "A note that something was noticed, such as low grades. All staff who can open the person’s page see it there.",
            ),
            Hint::Watch => (
                "tip-watch",
                "What is the watch list?",
                "Watch list",
                "A list of your own. Watching changes nothing for the person, and does not make you their coach.",
            ),
            Hint::Export => (
                "tip-export",
                "What is an export?",
                "Export",
                "A file of the people you selected, sorted as the list is. It is made by a task, and you download it on the task’s page.",
            ),
            Hint::State => (
                "tip-state",
                "What do the states mean?",
                "States of a task",
                "How far a task is: it waits, runs, or has ended. “Done with problems” means that people failed or are uncertain.",
            ),
            Hint::Stalled => (
                "tip-stalled",
                "What does stalled mean?",
                "Stalled",
                "It has made no progress before its deadline. Docket returns it to the queue automatically; if not, put it back in the queue.",
            ),
        }
    }

    pub const fn id(self) -> &'static str {
        self.entry().0
    }

    pub const fn question(self) -> &'static str {
        self.entry().1
    }

    pub const fn title(self) -> &'static str {
        self.entry().2
    }

    pub const fn text(self) -> &'static str {
        self.entry().3
    }

    /// Where there is more about it.
    pub const fn topic(self) -> Topic {
        match self {
            Hint::Hold => Topic::Email,
            Hint::Outcome | Hint::Uncertain => Topic::Results,
            Hint::Status => Topic::ChangeStatus,
            Hint::EarlyAlert => Topic::EarlyAlert,
            Hint::Watch => Topic::Watch,
            Hint::Export => Topic::Export,
            Hint::State => Topic::States,
            Hint::Stalled => Topic::Queue,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn two_hints_can_stand_on_one_page() {
        let ids: BTreeSet<_> = Hint::ALL.iter().map(|hint| hint.id()).collect();
        assert_eq!(ids.len(), Hint::ALL.len());
    }

    #[test]
    fn a_hint_is_two_lines() {
        for hint in Hint::ALL {
            assert!(hint.text().chars().count() <= 140, "{hint:?}: {}", hint.text().chars().count());
        }
    }
}
