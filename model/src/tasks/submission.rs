//! A submit: an action, the people it is aimed at, and what was confirmed about it. Both doors, pages and API, build one.

use serde::Serialize;

use crate::{
    Action, Instant, PeopleFilter, PersonId, PreviewToken, SchoolId, SelectionToken, TaskId,
    tasks::ledger::LedgerFilter,
};

/// Up to this many people a reversible action needs no preview page.
pub const WITHOUT_PREVIEW: u64 = 50;
/// Above this many people the number has to be confirmed.
pub const WITHOUT_NUMBER: u64 = 1_000;
/// Up to this many people a preview stores who they are; above, the task freezes them as its first step.
pub const FROZEN_AT_PREVIEW: u64 = 10_000;

/// At whom an action is aimed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub enum Target {
    /// People by their ids; those that do not exist or are out of reach are counted, unnamed.
    People(Vec<PersonId>),
    /// People by their school ids; unknown ones are counted, and listed in the ledger as they were given.
    SchoolIds(Vec<SchoolId>),
    /// Everybody who matches, but not these.
    Query { filter: PeopleFilter, exclude: Vec<PersonId> },
    /// Everybody within reach, asked for in so many words.
    Everyone,
    /// A selection kept on the server, by its token.
    Selection(SelectionToken),
    /// Those of an earlier task whose lines have one of these outcomes.
    Ledger { task: TaskId, outcomes: Vec<LedgerFilter> },
}

/// An action aimed at a target, with what was confirmed about it. Both doors, pages and API, build this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Submission {
    /// `None` only together with `preview`, which knows its own action; if both are there they must agree.
    pub action: Option<Action>,
    /// The same for the target.
    pub target: Option<Target>,
    /// The token of the preview that was looked at.
    pub preview: Option<PreviewToken>,
    /// The number that was confirmed: at a page how many people will change, from a program how many there are.
    pub confirm_total: Option<u64>,
    /// When to start; at once when absent.
    pub trigger_date: Option<Instant>,
    /// Why, for the task and its history.
    pub reason: Option<String>,
    pub idempotency_key: Option<String>,
    /// Whether "everyone, with no filter" was ticked on the page, or asked for in so many words.
    pub everyone_confirmed: bool,
    pub source: SubmitSource,
}

impl Submission {
    /// One with nothing in it yet.
    pub fn from_source(source: SubmitSource) -> Submission {
        Submission {
            action: None,
            target: None,
            preview: None,
            confirm_total: None,
            trigger_date: None,
            reason: None,
            idempotency_key: None,
            everyone_confirmed: false,
            source,
        }
    }
}

/// From where a submission came; the risk ladder is stricter for people at a page than for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubmitSource {
    /// More than [`WITHOUT_PREVIEW`] people need a preview, and more than [`WITHOUT_NUMBER`] the number as well.
    Page,
    /// More than [`WITHOUT_NUMBER`] people need either.
    Program,
}
