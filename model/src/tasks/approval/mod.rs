//! A task that waits for a second person's approval, as pages and programs see it. Its numbers are those that its owner was shown, and
//! beside them those of now.

mod deciders;

use serde::{Deserialize, Serialize};

pub use deciders::{ApprovalNeeded, Deciders};

use crate::{AccountId, Instant, SkipReason, TaskId, enum_words::words, preview::SampleRow};

words! {
    /// Where the asking for an approval stands.
    ApprovalState {
        Waiting = "WAITING", "Waiting for approval";
        Approved = "APPROVED", "Approved";
        Declined = "DECLINED", "Declined";
        /// Nobody decided in time.
        Expired = "EXPIRED", "Expired";
        /// Its owner cancelled the task, or an administrator closed it.
        Cancelled = "CANCELLED", "Cancelled";
    }
}

/// A task that waits, or waited, for a second person, as lists show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// That of the task.
    pub id: TaskId,
    pub kind: String,
    /// What the task does: `Set status to Inactive`.
    pub title: String,
    pub state: ApprovalState,
    pub asked_by: AccountId,
    pub asked_by_name: String,
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub asked_date: Instant,
    /// Until then somebody can decide.
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub expiry_date: Instant,
    /// How many people the task is about. Nobody joins them.
    pub total: u64,
    /// How many of them were to be acted on when it was asked for.
    pub will_change: u64,
    /// Who approved or declined it.
    pub decided_by_name: Option<String>,
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub decided_date: Option<Instant>,
    /// What they said of it.
    pub note: Option<String>,
    /// Whether the viewer can decide now.
    pub can_decide: bool,
}

/// The same with what only its own page shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ApprovalDetail {
    #[serde(flatten)]
    pub approval: Approval,
    /// Above how many people a task needs a second person; absent where all tasks of its kind do.
    pub above: Option<u64>,
    /// When it is to start, if not as soon as it is approved.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub start_date: Option<Instant>,
    /// Why it was submitted.
    pub reason: Option<String>,
    /// When `willChangeNow` and `lines` were counted.
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub counted_date: Instant,
    /// How many would be acted on now; while it waits.
    pub will_change_now: Option<u64>,
    /// By what is done with them, those who will change first. Both numbers of all lines add up to `total`.
    pub lines: Vec<ApprovalLine>,
    /// Up to ten of those who will change.
    pub sample: Vec<SampleRow>,
    /// By how many `willChangeNow` may differ from what was seen when it is approved.
    pub drift_allowed: u64,
    pub deciders: Deciders,
    /// What was chosen, as name and value.
    pub facts: Vec<(String, String)>,
}

/// How many people of a task have something done with them, as it was asked for and now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ApprovalLine {
    /// Why they are skipped; absent of those who will change.
    pub reason: Option<SkipReason>,
    /// In words, within the action: `already Inactive`.
    pub label: String,
    pub asked: u64,
    /// While it waits.
    pub now: Option<u64>,
}
