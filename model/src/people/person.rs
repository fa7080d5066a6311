//! A person as lists show them.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};

use crate::{AccountId, ChangeReason, Instant, PersonId, ProgramStatus, TaskId, ViewId, enum_words::words};

/// One line of a people list. Of somebody whom the viewer does not reach it has the name and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PersonRow {
    pub id: PersonId,
    /// Present of everybody within reach.
    pub school_id: Option<String>,
    /// `Last, First Middle`.
    pub name: String,
    pub primary_email: Option<String>,
    /// Present of everybody within reach.
    pub program_status: Option<ProgramStatus>,
    /// When the open status began.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub status_since: Option<Instant>,
    pub student_type: Option<String>,
    pub home_campus: Option<String>,
    pub declared_major: Option<String>,
    pub start_term: Option<String>,
    pub coach_name: Option<String>,
    /// Present of everybody within reach.
    pub activated: Option<bool>,
    /// False for somebody on the watch list whom the viewer does not reach: shown as no longer theirs, never changed.
    pub reached: bool,
    /// Whether they are on the viewer's watch list.
    pub watched: bool,
    /// A task of the viewer's reach that will still come to this person.
    pub pending: Option<PendingChange>,
}

impl PersonRow {
    /// Somebody whom the viewer knows by name, and does not reach any more.
    pub fn beyond_reach(id: PersonId, name: String) -> PersonRow {
        PersonRow {
            id,
            name,
            school_id: None,
            primary_email: None,
            program_status: None,
            status_since: None,
            student_type: None,
            home_campus: None,
            declared_major: None,
            start_term: None,
            coach_name: None,
            activated: None,
            reached: false,
            watched: true,
            pending: None,
        }
    }
}

/// A change that is waiting or running for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PendingChange {
    pub task_id: TaskId,
    /// What it will do, in a few words: `Inactive soon`, of one that a second person has to approve `Inactive if approved`, and of one
    /// that starts later `Inactive`.
    pub label: String,
    /// When it starts, unless that is within a day.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub start_date: Option<Instant>,
}

const SOON: &str = "soon";
const IF_APPROVED: &str = "if approved";

impl PendingChange {
    /// Whether this is all that it will do, such as to give somebody the status of this name.
    pub fn is_to(&self, what: &str) -> bool {
        self.what() == what
    }

    /// What it will do, without when: `Inactive`.
    pub fn what(&self) -> &str {
        self.words().0
    }

    /// When, unless that is a day: `soon`, `if approved`.
    pub fn when(&self) -> Option<&'static str> {
        self.words().1
    }

    fn words(&self) -> (&str, Option<&'static str>) {
        let ends_in = |when: &&str| self.label.strip_suffix(*when)?.strip_suffix(' ');
        let found = [SOON, IF_APPROVED].into_iter().find_map(|when| Some((ends_in(&when)?, Some(when))));
        found.unwrap_or((&self.label, None))
    }

    /// A change to `what` by a task that starts at this moment.
    pub fn new(task_id: TaskId, what: String, start: Instant, now: Instant) -> PendingChange {
        match start - now > TimeDelta::days(1) {
            true => PendingChange { task_id, label: what, start_date: Some(start) },
            false => PendingChange { task_id, label: format!("{what} {SOON}"), start_date: None },
        }
    }

    /// The same by a task that a second person has to approve first: nobody knows when that will be, or whether.
    pub fn if_approved(task_id: TaskId, what: &str) -> PendingChange {
        PendingChange { task_id, label: format!("{what} {IF_APPROVED}"), start_date: None }
    }
}

/// The page of the people list that somebody has before them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPeople {
    /// Who is shown, in the order in which they were at first; nothing of those who cannot be seen any more.
    pub lines: Vec<(PersonId, Option<PersonRow>)>,
    /// How many would stand among them on a page asked for now.
    pub newer: u64,
    /// How many of them do not match any more.
    pub left: u64,
    pub total: crate::Total,
    /// Where a page asked for now would end.
    pub next: Option<crate::Cursor>,
}

/// Values that a filter of the people page can be set to, as found in the data.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choices {
    pub found: Vec<Choice>,
    /// Whether there are others, which are found by typing more of them.
    pub more: bool,
}

/// One value of a filter, and what it is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    pub value: String,
    pub label: String,
}

/// A coach one can choose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoachChoice {
    pub id: PersonId,
    pub name: String,
}

/// How many people are in each scope, for the tabs of the people page. Counted up to a bound like every list total.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScopeCounts {
    pub caseload: crate::Total,
    pub watchlist: crate::Total,
    /// `None` for those who reach only their caseload.
    pub all: Option<crate::Total>,
}

/// One person with what only their own page shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PersonDetail {
    #[serde(flatten)]
    pub row: PersonRow,
    /// As prose has it, `First Middle Last`; for their page.
    #[serde(skip)]
    pub full_name: String,
    /// The same of their coach.
    #[serde(skip)]
    pub coach: Option<String>,
    /// Since when the viewer watches them.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub watched_date: Option<Instant>,
    /// Absent for somebody on the watch list whom the viewer does not reach.
    pub details: Option<PersonFacts>,
}

/// What is known of a person beside their line in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PersonFacts {
    pub secondary_email: Option<String>,
    pub email_opt_out: bool,
    pub birth_date: Option<chrono::NaiveDate>,
    pub change_reason: Option<ChangeReason>,
    pub coach_id: Option<PersonId>,
    /// Further fields from imports, by name.
    pub extra: std::collections::BTreeMap<String, String>,
    pub watchers: Vec<Watcher>,
}

/// Somebody who watches a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Watcher {
    pub id: AccountId,
    pub name: String,
    /// Since when.
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub date: Instant,
}

words! {
    /// What became of a message, as far as Docket knows.
    MessageState {
        Sending = "SENDING", "Sending";
        /// Taken by the mail server.
        Sent = "SENT", "Sent";
        /// Put off by the mail server, and tried again.
        Deferred = "DEFERRED", "Delayed";
        Rejected = "REJECTED", "Refused";
        Uncertain = "UNCERTAIN", "Uncertain";
        NotSent = "NOT_SENT", "Not sent";
    }
}

impl MessageState {
    /// How it stands with its task: nothing tries it again once that has ended.
    pub fn once(self, ended: bool) -> MessageState {
        match self {
            MessageState::Deferred if ended => MessageState::NotSent,
            state => state,
        }
    }
}

/// A message that a person was sent, or was to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// The task that it belongs to.
    pub task_id: TaskId,
    /// As it read for this person.
    pub subject: String,
    pub address: Option<String>,
    pub state: MessageState,
    /// Since when it is in that state.
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub date: Instant,
    pub sender_name: String,
    /// What the mail server said.
    pub reply: Option<String>,
    /// The note that it came back.
    pub bounce_note: Option<String>,
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub bounce_date: Option<Instant>,
    pub bounce_by_name: Option<String>,
}

/// A short record on a person that an action left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct JournalEntry {
    pub entry: String,
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub created_date: Instant,
    pub created_by_name: String,
    /// The task that left it, if the viewer may see it.
    pub task_id: Option<TaskId>,
}

/// An early alert on a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Alert {
    pub alert_reason: crate::action::AlertReason,
    pub comment: Option<String>,
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub created_date: Instant,
    pub created_by_name: String,
    /// The task that put it there, for those who may see it.
    pub task_id: Option<TaskId>,
}

/// One entry of a person's history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct StatusPeriod {
    pub program_status: ProgramStatus,
    pub change_reason: Option<ChangeReason>,
    pub comment: Option<String>,
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub effective_date: Instant,
    /// Absent for the one that holds.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub expiration_date: Option<Instant>,
    pub created_by_name: String,
    /// The task that wrote it, if the viewer may see it.
    pub task_id: Option<TaskId>,
}

/// A task that treated a person, or will.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct PersonTask {
    pub task: crate::tasks::task::TaskLink,
    pub owner_name: String,
    /// Absent while it has not come to the person.
    pub outcome: Option<crate::Outcome>,
    pub reason_label: Option<String>,
    pub before: Option<String>,
    pub after: Option<String>,
    /// Of the outcome, or of the submit.
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub date: Instant,
    /// When it starts, of a task that is scheduled.
    #[serde(skip)]
    pub start_date: Option<Instant>,
}

/// A search that somebody keeps under a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedView {
    pub id: ViewId,
    pub name: String,
    /// The query string of the people page.
    pub query: String,
    /// Whether colleagues find it, too.
    pub shared: bool,
    /// Whose it is, if it is a colleague's.
    pub owner_name: Option<String>,
}
