//! Which tasks wait for a second person, as whoever runs Docket has set it.

use std::time::Duration;

use model::TaskKind;

/// Which tasks wait for a second person. None unless told otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApprovalRule {
    /// Those that change more people than this.
    pub above: Option<u64>,
    /// All of these kinds.
    pub kinds: Vec<TaskKind>,
    /// For how long somebody can decide.
    pub expire: Duration,
    /// By how many people the number of those who will change may differ from what whoever approves has seen.
    pub drift: u64,
}

impl Default for ApprovalRule {
    fn default() -> ApprovalRule {
        ApprovalRule { above: None, kinds: Vec::new(), expire: Duration::from_secs(3 * 86_400), drift: 20 }
    }
}

impl ApprovalRule {
    /// The kinds that can be asked for: what is submitted about people. An undo is asked for by its number alone.
    pub const KINDS: &[TaskKind] = &[
        TaskKind::ProgramStatus,
        TaskKind::Email,
        TaskKind::Watch,
        TaskKind::Export,
        TaskKind::EarlyAlert,
        TaskKind::ReassignCoach,
        TaskKind::ReassignByList,
    ];

    /// Whether any task has to wait.
    pub fn is_on(&self) -> bool {
        self.above.is_some() || !self.kinds.is_empty()
    }
}
