//! What an action would do, counted before it is submitted.

use serde::{Deserialize, Serialize};

use crate::{Action, Instant, PersonId, PersonRow, PreviewToken, SkipReason, TaskId, approval::ApprovalNeeded};

/// The answer to "what would happen?". Its numbers add up: `total` is those who will change plus everybody skipped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Preview {
    /// Submitting with it treats exactly the people counted here (see [`crate::tasks::submission::FROZEN_AT_PREVIEW`]).
    pub preview_token: PreviewToken,
    pub action: Action,
    pub total: u64,
    pub will_change: u64,
    /// A number for each reason, in the order of [`SkipReason`], zeros included.
    pub skipped: Vec<Skipped>,
    /// Up to ten of those who will change.
    pub sample: Vec<SampleRow>,
    /// People of this selection for whom another task is waiting or running; 0 of an action that changes nobody.
    pub pending_elsewhere: u64,
    /// Whether these very people are treated, or whoever matches when the task starts.
    pub frozen: bool,
    /// How many may join or leave before a submit is refused.
    pub drift_allowed: u64,
    /// Whether the number must be typed before it is submitted from a page.
    pub needs_number: bool,
    /// The most people of one such task, if there is such a bound.
    pub limit: Option<u64>,
    /// Why a submit would be refused however it is confirmed: more people would change than `limit`.
    pub refusal: Option<String>,
    /// Who has to approve it before it runs; absent where nobody has to.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(not(feature = "openapi"), serde(skip_deserializing))]
    pub approval: Option<ApprovalNeeded>,
    /// Whether it is everyone, without any filter, so that an extra tick is asked for.
    pub everyone: bool,
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub counted_date: Instant,
}

/// How many are skipped for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Skipped {
    pub reason: SkipReason,
    /// In words, within the action: `already Inactive`.
    pub label: String,
    pub count: u64,
}

/// One person of the sample: now and then.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct SampleRow {
    pub person_id: PersonId,
    /// Present of everybody within reach.
    pub school_id: Option<String>,
    pub name: String,
    pub coach_name: Option<String>,
    pub now: String,
    pub then: String,
}

/// The people of a preview behind one of its numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewPeople {
    pub title: String,
    pub action: Action,
    pub page: crate::Page<CountedLine>,
}

/// What is to be corrected in a list of coaches, each line of it once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrongLines {
    pub told: Vec<WrongLine>,
    /// How many lines are wrong beside those that are told.
    pub more: u64,
}

/// A school ID or a coach in a list that no line can be followed by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongLine {
    pub reason: SkipReason,
    /// As it stands in the file.
    pub written: String,
    /// The first line with it, in the file.
    pub line: Option<u64>,
    /// How many lines have it.
    pub lines: u64,
    /// Of a coach whom it does not tell from others: their names, each once.
    pub could_be: Vec<String>,
}

/// Another task that changes the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingTask {
    pub id: TaskId,
    pub title: String,
    pub owner_name: String,
    /// When it starts, unless it could have begun already.
    pub start_date: Option<Instant>,
}

/// A line of the people of a preview.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CountedLine {
    pub who: Counted,
    /// Of a line of a list that names nobody by itself: who another line of it says that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What is there now, in words, of what the action is about.
    pub now: Option<String>,
    /// What will be there, of whoever will change.
    pub then: Option<String>,
    /// What stands in an uploaded list: `line 12: no active account goes by “A. Nobody”`.
    pub in_list: Option<String>,
}

/// Whom a number of a preview counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Counted {
    Person(Box<PersonRow>),
    /// Nobody who can be named: the id as it was given. Nothing of somebody who was erased meanwhile.
    Given(Option<String>),
}
