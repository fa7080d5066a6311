//! The topics: a page of help for each job, by the address that it has. A link names a topic, so that none leads nowhere.

use std::str::FromStr;

/// A job that there is help for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    FindPeople,
    SelectPeople,
    SaveView,
    OnePerson,
    ChangeStatus,
    Email,
    Export,
    Watch,
    ReassignCoach,
    ReassignByList,
    EarlyAlert,
    FollowTask,
    UndoTask,
    Results,
    States,
    Shortcuts,
    Settings,
    Queue,
    RetryOrClose,
    PauseKind,
    Import,
    Users,
    Erase,
    AuditTrail,
}

/// Topics that stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HelpGroup {
    People,
    Actions,
    Tasks,
    You,
    Administration,
}

impl HelpGroup {
    pub const ALL: [HelpGroup; 5] =
        [HelpGroup::People, HelpGroup::Actions, HelpGroup::Tasks, HelpGroup::You, HelpGroup::Administration];

    pub const fn title(self) -> &'static str {
        match self {
            HelpGroup::People => "People",
            HelpGroup::Actions => "Actions",
            HelpGroup::Tasks => "Tasks",
            HelpGroup::You => "You",
            HelpGroup::Administration => "Administration",
        }
    }

    /// Those that this reader is shown.
    pub fn shown(administrator: bool) -> impl Iterator<Item = HelpGroup> {
        HelpGroup::ALL.into_iter().filter(move |group| administrator || *group != HelpGroup::Administration)
    }

    /// Its topics.
    pub fn topics(self) -> impl Iterator<Item = Topic> {
        Topic::ALL.into_iter().filter(move |topic| topic.group() == self)
    }
}

impl Topic {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Topic; 24] = [
        Topic::FindPeople,
        Topic::SelectPeople,
        Topic::SaveView,
        Topic::OnePerson,
        Topic::ChangeStatus,
        Topic::Email,
        Topic::Export,
        Topic::Watch,
        Topic::ReassignCoach,
        Topic::ReassignByList,
        Topic::EarlyAlert,
        Topic::FollowTask,
        Topic::UndoTask,
        Topic::Results,
        Topic::States,
        Topic::Shortcuts,
        Topic::Settings,
        Topic::Queue,
        Topic::RetryOrClose,
        Topic::PauseKind,
        Topic::Import,
        Topic::Users,
        Topic::Erase,
        Topic::AuditTrail,
    ];

    /// Its name in the address, its title and where it stands.
    const fn entry(self) -> (&'static str, &'static str, HelpGroup) {
        use HelpGroup::{Actions, Administration, People, Tasks, You};
        match self {
            Topic::FindPeople => ("find-people", "Find people", People),
            Topic::SelectPeople => ("select-people", "Select people", People),
            Topic::SaveView => ("save-a-view", "Save and share a view", People),
            Topic::OnePerson => ("one-person", "Read a person’s page", People),
            Topic::ChangeStatus => ("change-status", "Change the status of many people", Actions),
            Topic::Email => ("email", "Email many people", Actions),
            Topic::Export => ("export", "Export people to a file", Actions),
            Topic::Watch => ("watch", "Watch people", Actions),
            Topic::ReassignCoach => ("reassign-coach", "Reassign people to another coach", Actions),
            Topic::ReassignByList => ("reassign-by-list", "Reassign coaches by a list", Actions),
            Topic::EarlyAlert => ("early-alert", "Raise or remove an early alert", Actions),
            Topic::FollowTask => ("follow-a-task", "Follow a task", Tasks),
            Topic::UndoTask => ("undo-a-task", "Undo a task", Tasks),
            Topic::Results => ("results", "Read the results of a task", Tasks),
            Topic::States => ("states", "What the states of a task mean", Tasks),
            Topic::Shortcuts => ("shortcuts", "Keyboard shortcuts", You),
            Topic::Settings => ("settings", "Change your settings", You),
            Topic::Queue => ("queue", "See whether the queue is well", Administration),
            Topic::RetryOrClose => ("retry-or-close", "Retry or close tasks", Administration),
            Topic::PauseKind => ("pause-a-kind", "Pause a kind of task", Administration),
            Topic::Import => ("import-people", "Import people", Administration),
            Topic::Users => ("users-and-roles", "Manage accounts and roles", Administration),
            Topic::Erase => ("erase-a-person", "Erase a person", Administration),
            Topic::AuditTrail => ("audit-trail", "Read the audit trail", Administration),
        }
    }

    pub const fn slug(self) -> &'static str {
        self.entry().0
    }

    pub const fn title(self) -> &'static str {
        self.entry().1
    }

    pub const fn group(self) -> HelpGroup {
        self.entry().2
    }

    /// The address of its page.
    pub fn path(self) -> String {
        format!("/help/{}", self.slug())
    }
}

impl FromStr for Topic {
    type Err = ();

    fn from_str(slug: &str) -> Result<Topic, ()> {
        Topic::ALL.into_iter().find(|topic| topic.slug() == slug).ok_or(())
    }
}
