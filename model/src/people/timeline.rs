//! What happened to a person, as one list.

use crate::{
    Cursor, Instant, Outcome, Problem, ProgramStatus, TaskId, action::AlertReason, enum_words::words,
    person::MessageState,
};

words! {
    /// The sorts of entries that a timeline can be narrowed to.
    TimelineKind {
        Status = "status", "Status";
        Email = "email", "Emails";
        Alert = "alert", "Early alerts";
        Journal = "journal", "Journal";
        Coach = "coach", "Coach";
        Watch = "watch", "Watch lists";
        Task = "task", "Tasks";
    }
}

/// Which part of a timeline is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimelineQuery {
    pub only: Option<TimelineKind>,
    pub after: Option<Cursor>,
}

impl TimelineQuery {
    /// As an address has it.
    pub fn read(only: Option<&str>, after: Option<Cursor>) -> Result<TimelineQuery, Problem> {
        let only = only.map(str::parse).transpose().map_err(|why| Problem::field("only", "invalid", why))?;
        Ok(TimelineQuery { only, after })
    }
}

/// A part of a timeline, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    pub entries: Vec<TimelineEntry>,
    pub next: Option<Cursor>,
}

/// One thing that happened to a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimelineEntry {
    /// The same whenever it is read.
    pub key: String,
    pub date: Instant,
    pub what: Happened,
    pub by_name: Option<String>,
    /// The task that did it, if the viewer may see it.
    pub task_id: Option<TaskId>,
    /// Whether it put back what an earlier task had done.
    pub is_undo: bool,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happened {
    /// A period of a program status began.
    Status {
        before: Option<ProgramStatus>,
        after: ProgramStatus,
        why: Vec<String>,
    },
    Email {
        subject: String,
        state: MessageState,
        address: Option<String>,
        reply: Option<String>,
    },
    Bounced {
        subject: String,
        note: Option<String>,
    },
    Alert {
        reason: AlertReason,
        comment: Option<String>,
    },
    Journal(String),
    /// From one coach to another, by their names.
    Coach {
        former: Option<String>,
        now: Option<String>,
    },
    /// Somebody watches them since then.
    Watched,
    /// A task came to them and left nothing else in the list.
    Task {
        title: String,
        outcome: Outcome,
        reason: Option<String>,
        before: Option<String>,
        after: Option<String>,
    },
    /// They came into Docket.
    Added,
}
