//! The actions that are offered for the people of a selection.

use model::{Permission, SelectionToken, TaskKind, account::Right};

/// An action as it is offered.
pub struct Offered {
    pub kind: TaskKind,
    pub icon: &'static str,
    /// The link to composing it.
    pub words: &'static str,
}

/// All of them, those that most want first.
const OFFERED: [Offered; 6] = [
    offered(TaskKind::ProgramStatus, "swap", "Set program status…"),
    offered(TaskKind::Email, "mail", "Email…"),
    offered(TaskKind::Watch, "watch", "Watch list…"),
    offered(TaskKind::Export, "export", "Export…"),
    offered(TaskKind::EarlyAlert, "problems", "Early alert…"),
    offered(TaskKind::ReassignCoach, "people", "Reassign coach…"),
];

/// How many are in sight; the others are in a menu.
pub const IN_SIGHT: usize = 4;

const fn offered(kind: TaskKind, icon: &'static str, words: &'static str) -> Offered {
    Offered { kind, icon, words }
}

/// Those that somebody with these rights is offered.
pub fn offered_to(permissions: &[Permission]) -> Vec<&'static Offered> {
    let may = |offered: &&Offered| matches!(offered.kind.right(), Right::Permission(it) if permissions.contains(&it));
    OFFERED.iter().filter(may).collect()
}

/// Whether an action is offered, to those who may.
pub fn is_offered(kind: TaskKind) -> bool {
    OFFERED.iter().any(|offered| offered.kind == kind)
}

/// Where an action on the people of a selection is composed.
pub fn compose(kind: TaskKind, selection: SelectionToken) -> String {
    format!("/actions/new/{kind}?sel={selection}")
}
