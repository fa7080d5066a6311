//! The kinds of tasks that Docket knows, and all that is so of every task of one. What depends on what was chosen stands with
//! the action ([`crate::action`]).

use crate::{Permission, account::Right, enum_words::words};

words! {
    /// What a task does. Its label is what lists call it; those that most want are first.
    TaskKind {
        ProgramStatus = "program-status", "Program status";
        Email = "email", "Email";
        Watch = "watch", "Watch list";
        Export = "export", "Export";
        EarlyAlert = "early-alert", "Early alert";
        ReassignCoach = "reassign-coach", "Reassign coach";
        Undo = "undo", "Undo";
        Import = "import", "Import";
        ReassignByList = "reassign-list", "Reassign coaches by list";
        SelfTest = "self-test", "Self-test";
    }
}

/// What a task is to people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It leaves them other than they were, and keeps a line of the ledger for each.
    Changes,
    /// It reads them.
    Reads,
    /// It is about nobody.
    None,
}

/// What is so of every task of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    /// What it takes; of what puts something back the action says it, since it takes what doing that takes.
    pub right: Right,
    pub effect: Effect,
    /// What its numbers count: one of them, and several.
    pub unit: (&'static str, &'static str),
    /// What became of those who are done, where the action itself is not at hand: `12 people changed`.
    pub done: &'static str,
    /// What those are called who are not done, and should be: `2 failed`.
    pub failed: &'static str,
    /// Whether nothing can put it back: then it is confirmed by its number, however few they are, and held for a while.
    pub cannot_be_taken_back: bool,
    /// Whether it can be composed anew with the same choices.
    pub can_be_repeated: bool,
    /// Whether its people are written down before any of them is treated. Others have none, or write each down as they come to them.
    pub freezes_people: bool,
}

/// Most kinds, and those that only another version of Docket knows.
const DEFAULT: Description = Description {
    right: Right::Administrator,
    effect: Effect::Changes,
    unit: ("person", "people"),
    done: "changed",
    failed: "failed",
    cannot_be_taken_back: false,
    can_be_repeated: true,
    freezes_people: true,
};

impl TaskKind {
    /// See [`Description::right`].
    pub const fn right(self) -> Right {
        self.description().right
    }

    /// As which kind it changes people: one of several that change the same stands for all. Of what puts something back the action says it.
    pub const fn changes_as(self) -> TaskKind {
        match self {
            TaskKind::ReassignByList => TaskKind::ReassignCoach,
            kind => kind,
        }
    }

    /// Of two tasks that change the same of people, what the other one is.
    pub fn another(self) -> &'static str {
        match self.changes_as() {
            TaskKind::ProgramStatus => "another change of status",
            TaskKind::ReassignCoach => "another change of coach",
            TaskKind::Watch => "another change of your watch list",
            TaskKind::Email => "another email",
            TaskKind::EarlyAlert => "another early alert",
            _ => "another task",
        }
    }

    /// Whether a task of the kind may change people as one of the other does.
    pub fn may_change_as(self, other: TaskKind) -> bool {
        match self {
            TaskKind::Undo => !other.description().cannot_be_taken_back,
            kind => kind.changes_as() == other,
        }
    }

    /// What is so of every task of the kind.
    pub const fn description(self) -> Description {
        match self {
            TaskKind::ProgramStatus => of(Permission::ProgramStatus),
            TaskKind::Email => Description { done: "emailed", cannot_be_taken_back: true, ..of(Permission::Email) },
            TaskKind::Watch => Description { done: "processed", ..of(Permission::Watch) },
            TaskKind::Export => {
                Description { effect: Effect::Reads, done: "exported", freezes_people: false, ..of(Permission::Export) }
            }
            TaskKind::EarlyAlert => Description { done: "given the alert", ..of(Permission::EarlyAlert) },
            TaskKind::ReassignCoach => of(Permission::ReassignCoach),
            // Its list is kept with its one task only.
            TaskKind::ReassignByList => {
                Description { unit: ("line", "lines"), can_be_repeated: false, ..of(Permission::ReassignCoach) }
            }
            TaskKind::Undo => Description { done: "restored", can_be_repeated: false, ..DEFAULT },
            TaskKind::Import => Description {
                unit: ("line", "lines"),
                done: "imported",
                failed: "unreadable",
                can_be_repeated: false,
                freezes_people: false,
                ..DEFAULT
            },
            TaskKind::SelfTest => Description {
                effect: Effect::None,
                unit: ("step", "steps"),
                done: "done",
                can_be_repeated: false,
                freezes_people: false,
                ..DEFAULT
            },
        }
    }
}

/// A kind as people call it: `Program status`. One of another version of Docket goes by its name.
pub fn label_of(kind: &str) -> &str {
    match kind.parse::<TaskKind>() {
        Ok(known) => known.label(),
        Err(_) => kind,
    }
}

/// Most kinds that take a permission.
const fn of(permission: Permission) -> Description {
    Description { right: Right::Permission(permission), ..DEFAULT }
}

impl Description {
    /// That of the kind with this name.
    pub fn of(kind: &str) -> Description {
        kind.parse().map_or(DEFAULT, TaskKind::description)
    }

    /// Whether there is a line of the ledger for each person.
    pub fn has_ledger(&self) -> bool {
        self.effect == Effect::Changes
    }

    /// Whether it is about people.
    pub fn has_people(&self) -> bool {
        self.effect != Effect::None
    }
}
