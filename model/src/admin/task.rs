//! Tasks as administrators see them: which, with what only they see, and verbs on many at once.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    Instant, Problem, TaskRow, TaskState, Total, filter,
    task::{Event, TaskLink},
    text::words,
};

words! {
    /// How far back a list goes.
    Window {
        Hour = "1h", "Last hour";
        Day = "24h", "Last 24 hours";
        Week = "7d", "Last 7 days";
        Month = "30d", "Last 30 days";
    }
}

impl Window {
    /// How long it is, in seconds.
    pub fn seconds(self) -> i64 {
        match self {
            Window::Hour => 3_600,
            Window::Day => 86_400,
            Window::Week => 7 * 86_400,
            Window::Month => 30 * 86_400,
        }
    }

    /// The parts that a chart of it has, in seconds each.
    pub fn step(self) -> i64 {
        match self {
            Window::Hour => 60,
            Window::Day => 900,
            Window::Week => 2 * 3_600,
            Window::Month => 12 * 3_600,
        }
    }
}

words! {
    /// How long ago tasks ended at most.
    Ended {
        Minute = "1m", "Last minute";
        Hour = "1h", "Last hour";
        Day = "24h", "Last 24 hours";
        Week = "7d", "Last 7 days";
        Month = "30d", "Last 30 days";
    }
}

impl Ended {
    /// How long it is, in seconds.
    pub fn seconds(self) -> i64 {
        match self {
            Ended::Minute => 60,
            Ended::Hour => 3_600,
            Ended::Day => 86_400,
            Ended::Week => 7 * 86_400,
            Ended::Month => 30 * 86_400,
        }
    }
}

words! {
    /// The order of a list of tasks, by when they were submitted.
    #[derive(Default)]
    TaskOrder {
        #[default]
        Newest = "newest", "Newest first";
        Oldest = "oldest", "Oldest first";
    }
}

/// Which tasks, and in which order. The default is all of them, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AdminTaskQuery {
    /// Empty means every state.
    pub states: Vec<TaskState>,
    pub kind: Option<String>,
    /// A username.
    pub owner: Option<String>,
    /// Some attempt was made by this process; a running one it has now.
    pub process: Option<String>,
    pub stalled: bool,
    /// The last attempt failed of this cause.
    pub cause: Option<String>,
    /// Some attempt failed with these words in its error.
    pub error: Option<String>,
    /// Submitted within this time.
    pub window: Option<Window>,
    /// Ended within this time.
    pub ended: Option<Ended>,
    pub since: Option<Instant>,
    pub until: Option<Instant>,
    pub order: TaskOrder,
    pub limit: Option<u32>,
    /// The last task of the page before.
    pub after: Option<Uuid>,
    /// Up to this task: what has come since is counted and not shown.
    pub newest: Option<Uuid>,
    /// These and no others.
    pub only: Option<Vec<Uuid>>,
}

/// The longest text of a filter, in characters.
const LONGEST: usize = 200;
/// The most tasks that can be named one by one.
const NAMED: usize = 200;

impl AdminTaskQuery {
    /// Reads the pairs of an address; what is not there is refused.
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<AdminTaskQuery, Problem> {
        let mut query = AdminTaskQuery::default();
        for (key, value) in pairs {
            let value = value.trim();
            if value.is_empty() {
                continue;
            }
            let text = || Some(value.to_owned());
            match key {
                "state" => {
                    for word in value.split(',') {
                        query.states.push(filter::parse(key, word)?);
                    }
                }
                "kind" => query.kind = text(),
                "owner" => query.owner = text(),
                "process" => query.process = text(),
                "stalled" => query.stalled = matches!(value, "yes" | "true" | "on"),
                "cause" => query.cause = text(),
                "error" => query.error = text(),
                "window" => query.window = Some(filter::parse(key, value)?),
                "ended" => query.ended = Some(filter::parse(key, value)?),
                "since" => query.since = Some(instant(key, value, false)?),
                "until" => query.until = Some(instant(key, value, true)?),
                "order" => query.order = filter::parse(key, value)?,
                "limit" => query.limit = Some(filter::limit(value)?),
                "after" => query.after = Some(id(key, value)?),
                "newest" => query.newest = Some(id(key, value)?),
                "only" => {
                    let ids: Result<Vec<Uuid>, Problem> = value.split(',').map(|word| id(key, word)).collect();
                    let ids = ids?;
                    // A form names each of them anew.
                    let named = query.only.get_or_insert_default();
                    named.extend(ids);
                }
                other => {
                    let message = format!("There is no filter called “{other}” here.");
                    return Err(Problem::field(other, "unknown", message));
                }
            }
        }
        query.checked()
    }

    /// The pairs of an address that asks for the same, without the place within the list.
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs = Vec::new();
        if !self.states.is_empty() {
            let states: Vec<_> = self.states.iter().map(|state| state.name()).collect();
            pairs.push(("state", states.join(",")));
        }
        let texts = [
            ("kind", &self.kind),
            ("owner", &self.owner),
            ("process", &self.process),
            ("cause", &self.cause),
            ("error", &self.error),
        ];
        pairs.extend(texts.into_iter().filter_map(|(key, value)| Some((key, value.clone()?))));
        pairs.extend(self.stalled.then(|| ("stalled", "yes".to_owned())));
        pairs.extend(self.window.map(|window| ("window", window.name().to_owned())));
        pairs.extend(self.ended.map(|window| ("ended", window.name().to_owned())));
        // As JSON writes it: the browser has no other way.
        let written = |at: Instant| serde_json::json!(at).as_str().unwrap_or_default().to_owned();
        pairs.extend(self.since.map(|since| ("since", written(since))));
        pairs.extend(self.until.map(|until| ("until", written(until))));
        pairs.extend((self.order == TaskOrder::Oldest).then(|| ("order", self.order.name().to_owned())));
        if let Some(only) = &self.only {
            let ids: Vec<_> = only.iter().map(Uuid::to_string).collect();
            pairs.push(("only", ids.join(",")));
        }
        pairs
    }

    /// The same, unless a text is too long or too many tasks are named.
    pub fn checked(self) -> Result<AdminTaskQuery, Problem> {
        let texts = [
            ("kind", &self.kind),
            ("owner", &self.owner),
            ("process", &self.process),
            ("cause", &self.cause),
            ("error", &self.error),
        ];
        for (field, text) in texts {
            if text.as_ref().is_some_and(|text| text.chars().count() > LONGEST) {
                return Err(Problem::field(field, "too_long", format!("Use at most {LONGEST} characters.")));
            }
        }
        match &self.only {
            Some(only) if only.len() > NAMED => {
                Err(Problem::field("only", "too_many", format!("Name at most {NAMED} tasks.")))
            }
            _ => Ok(self),
        }
    }

    /// Whether it narrows the list at all.
    pub fn is_everything(&self) -> bool {
        AdminTaskQuery { order: TaskOrder::Newest, ..self.clone() }.pairs().is_empty()
    }
}

fn id(key: &str, value: &str) -> Result<Uuid, Problem> {
    value.trim().parse().map_err(|_| Problem::field(key, "invalid", format!("“{value}” is not the id of a task.")))
}

/// An instant of an address: RFC 3339, or a day, whose end is meant if `end`.
pub fn instant(key: &str, value: &str, end: bool) -> Result<Instant, Problem> {
    if let Ok(at) = chrono::DateTime::parse_from_rfc3339(value) {
        return Ok(at.to_utc());
    }
    let day: Option<chrono::NaiveDate> = value.parse().ok();
    let day = if end { day.and_then(|day| day.succ_opt()) } else { day };
    let at = day.and_then(|day| day.and_hms_opt(0, 0, 0)).map(|at| at.and_utc());
    at.ok_or_else(|| Problem::field(key, "invalid", format!("“{value}” is not a day like 2026-11-21.")))
}

/// A task in the list of administrators.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AdminTaskRow {
    #[serde(flatten)]
    pub row: TaskRow,
    /// With which process it is.
    pub process: Option<String>,
    /// Running, with a process that is silent or past the deadline.
    pub stalled: bool,
    /// The last error, without addresses.
    pub workflow_status_desc: Option<String>,
}

/// One task with all that administrators see of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AdminTask {
    #[serde(flatten)]
    pub task: AdminTaskRow,
    /// What was asked for; people's data is hidden unless it was asked for.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub execution_spec: Option<serde_json::Value>,
    /// Whether something in it is hidden.
    pub redacted: bool,
    /// The bookmark.
    #[cfg_attr(feature = "openapi", schema(value_type = Object))]
    pub execution_state: serde_json::Value,
    pub run_as_name: String,
    pub priority: i32,
    pub crashes: u32,
    pub rescued: bool,
    /// Latest first.
    pub attempts: Vec<AttemptInfo>,
    /// Of a task that waits: what keeps it, and what does not.
    pub standing: Vec<Check>,
    pub lease: Lease,
    /// The cause of its last failure, and how many tasks have ended of it within a week and wait for somebody.
    pub cause: Option<String>,
    pub same_cause: u64,
    pub parent: Option<TaskLink>,
    pub children: Vec<TaskLink>,
    /// What happened, latest first.
    pub timeline: Vec<Event>,
    /// Whether its kind is paused.
    pub kind_paused: bool,
    /// Whether it can be tried again now: a failed one, or one that waits to be tried again.
    pub can_retry: bool,
    pub can_abandon: bool,
    /// Whether it is stalled, and can be put back into the queue at once.
    pub can_put_back: bool,
}

/// One attempt at a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct AttemptInfo {
    pub attempt: u32,
    pub process: String,
    #[cfg_attr(feature = "openapi", schema(value_type = DateTime))]
    pub started_date: Instant,
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub stopped_date: Option<Instant>,
    /// `COMPLETED`, `RETRY`, `FAILED`, …; absent while it runs.
    pub outcome: Option<String>,
    /// The same in words.
    pub label: String,
    pub error_code: Option<String>,
    /// The whole error, without addresses.
    pub detail: Option<String>,
}

/// One thing that decides whether a task may run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// Whether it keeps the task from running.
    pub blocks: bool,
    /// For programs: `not_due`, `kind_paused`, …
    pub code: String,
    pub text: String,
    /// An instant that the text speaks of and the page writes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub at: Option<Instant>,
}

/// Who has a task, and until when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Lease {
    /// The process that has it.
    pub holder: Option<String>,
    /// Whether that process is up.
    pub holder_lives: bool,
    /// How long ago it last said that it lives, in milliseconds.
    pub heartbeat_age_ms: Option<u64>,
    /// The process of the last attempt.
    pub last_holder: Option<String>,
    /// When the running attempt is taken away unless it commits something.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<DateTime>))]
    pub deadline: Option<Instant>,
    /// How long an attempt may go without committing anything, in seconds.
    pub deadline_seconds: u64,
    /// The number of the attempt: what writes with another one is turned away.
    pub fence: u32,
}

words! {
    /// What can be done to many tasks at once.
    BulkVerb {
        Retry = "retry", "Retry";
        Abandon = "abandon", "Abandon";
    }
}

/// What a verb on many tasks would do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct BulkPreview {
    pub verb: BulkVerb,
    /// Tasks that it would reach.
    pub will_change: u64,
    /// To be given back with the operation within half an hour: it reaches these tasks and no others.
    pub preview_token: Uuid,
    /// Tasks that match and that it leaves alone, by their state.
    pub left: Vec<StateCount>,
    /// Whether more match than one operation takes; the oldest are taken first.
    pub more: bool,
    /// People, or steps, of those tasks without an outcome.
    pub open: u64,
    /// Some of the tasks that it would reach.
    pub sample: Vec<TaskRow>,
}

/// What somebody said yes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirmed {
    pub preview_token: Uuid,
    /// All tasks there are may be meant.
    pub everything: bool,
}

/// What a verb on many tasks has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct BulkDone {
    /// Tasks that it changed.
    pub changed: u64,
    /// Tasks that the preview counted and that others, or the queue, had changed since: they are left as they are.
    pub left: u64,
}

/// How many tasks are in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StateCount {
    pub state: TaskState,
    pub count: Total,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_survives_its_address() {
        let text = [
            ("state", "FAILED,COULD_NOT_START"),
            ("kind", "email"),
            ("owner", "ann"),
            ("cause", "f377ac"),
            ("error", "550 refused"),
            ("stalled", "yes"),
            ("window", "7d"),
            ("ended", "1m"),
            ("order", "oldest"),
            ("since", "2026-11-21T00:00:00Z"),
        ];
        let query = AdminTaskQuery::from_pairs(text).unwrap();
        let mut pairs = query.pairs();
        pairs.sort();
        let mut wanted: Vec<_> = text.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
        wanted.sort();
        assert_eq!(pairs, wanted);
        assert!(!query.is_everything());
        assert!(AdminTaskQuery::from_pairs([("order", "oldest")]).unwrap().is_everything());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = [("state", "ASLEEP"), ("window", "2y"), ("since", "soon"), ("after", "7"), ("colour", "red")];
        for (key, value) in wrong {
            assert_eq!(AdminTaskQuery::from_pairs([(key, value)]).unwrap_err().errors[0].field, key);
        }
    }

    #[test]
    fn the_end_of_a_day_is_the_next_midnight() {
        assert_eq!(instant("until", "2026-11-21", true).unwrap().to_rfc3339(), "2026-11-22T00:00:00+00:00");
        assert_eq!(instant("since", "2026-11-21", false).unwrap().to_rfc3339(), "2026-11-21T00:00:00+00:00");
    }
}
