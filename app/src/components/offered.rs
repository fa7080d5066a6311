//! The actions that are offered for the people of a selection.

use model::{Permission, SelectionToken};

/// An action as it is offered.
pub struct Offered {
    pub kind: &'static str,
    /// The right it takes.
    pub permission: Permission,
    pub icon: &'static str,
    /// The link to composing it.
    pub words: &'static str,
    /// What lists call its kind.
    pub noun: &'static str,
}

/// All of them, those that most want first.
pub const OFFERED: [Offered; 6] = [
    offered(("program-status", "Program status"), Permission::ProgramStatus, "swap", "Set program status…"),
    offered(("email", "Email"), Permission::Email, "mail", "Email…"),
    offered(("watch", "Watch list"), Permission::Watch, "watch", "Watch list…"),
    offered(("export", "Export"), Permission::Export, "export", "Export…"),
    offered(("early-alert", "Early alert"), Permission::EarlyAlert, "problems", "Early alert…"),
    offered(("reassign-coach", "Reassign coach"), Permission::ReassignCoach, "people", "Reassign coach…"),
];

/// How many are in sight; the others are in a menu.
pub const IN_SIGHT: usize = 3;

const fn offered(
    (kind, noun): (&'static str, &'static str),
    permission: Permission,
    icon: &'static str,
    words: &'static str,
) -> Offered {
    Offered { kind, permission, icon, words, noun }
}

/// Those that somebody with these rights is offered.
pub fn offered_to(permissions: &[Permission]) -> Vec<&'static Offered> {
    OFFERED.iter().filter(|offered| permissions.contains(&offered.permission)).collect()
}

/// Where an action on the people of a selection is composed.
pub fn compose(kind: &str, selection: SelectionToken) -> String {
    format!("/actions/new/{kind}?sel={selection}")
}
