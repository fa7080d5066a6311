//! The actions that are offered for the people of a selection.

use uuid::Uuid;

/// An action as it is offered.
pub struct Offered {
    pub kind: &'static str,
    pub icon: &'static str,
    /// The link to composing it.
    pub words: &'static str,
    /// What lists call its kind.
    pub noun: &'static str,
}

/// All of them, those that most want first.
pub const OFFERED: [Offered; 4] = [
    Offered { kind: "program-status", icon: "swap", words: "Set program status…", noun: "Program status" },
    Offered { kind: "watch", icon: "watch", words: "Watch list…", noun: "Watch list" },
    Offered { kind: "export", icon: "export", words: "Export…", noun: "Export" },
    Offered { kind: "early-alert", icon: "problems", words: "Early alert…", noun: "Early alert" },
];

/// Where an action on the people of a selection is composed.
pub fn compose(kind: &str, selection: Uuid) -> String {
    format!("/actions/new/{kind}?sel={selection}")
}
