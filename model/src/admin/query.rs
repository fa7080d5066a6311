//! Which tasks administrators ask for, and how an address says so.

use serde::{Deserialize, Serialize};

use crate::{
    Cursor, Instant, Problem, TaskId, TaskState,
    enum_words::{self, Reader, words},
    parameters,
};

words! {
    /// How far back something goes.
    Window {
        Minute = "1m", "Last minute";
        Hour = "1h", "Last hour";
        Day = "24h", "Last 24 hours";
        Week = "7d", "Last 7 days";
        Month = "30d", "Last 30 days";
    }
}

impl Window {
    /// Those that are long enough to be drawn.
    pub const CHARTED: [Window; 4] = [Window::Hour, Window::Day, Window::Week, Window::Month];

    /// How long it is, in seconds.
    pub fn seconds(self) -> i64 {
        match self {
            Window::Minute => 60,
            Window::Hour => 3_600,
            Window::Day => 86_400,
            Window::Week => 7 * 86_400,
            Window::Month => 30 * 86_400,
        }
    }

    /// The parts that a chart of it has, in seconds each.
    pub fn step(self) -> i64 {
        match self {
            Window::Minute | Window::Hour => 60,
            Window::Day => 900,
            Window::Week => 2 * 3_600,
            Window::Month => 12 * 3_600,
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
    pub ended: Option<Window>,
    pub since: Option<Instant>,
    pub until: Option<Instant>,
    pub order: TaskOrder,
    pub limit: Option<u32>,
    /// The last task of the page before.
    pub after: Option<Cursor>,
    /// Up to this task: what has come since is counted and not shown.
    pub newest: Option<TaskId>,
    /// These and no others.
    pub only: Option<Vec<TaskId>>,
}

/// The longest text of a filter, in characters.
const LONGEST: usize = 200;
/// The most tasks that can be named one by one.
const NAMED: usize = 200;

impl AdminTaskQuery {
    /// Reads the pairs of an address; what is not there is refused.
    pub fn from_pairs<'a>(
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
        reader: Reader,
    ) -> Result<AdminTaskQuery, Problem> {
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
                        query.states.push(parameters::parse(key, word, reader)?);
                    }
                }
                "kind" => query.kind = text(),
                "owner" => query.owner = text(),
                "process" => query.process = text(),
                "stalled" => {
                    query.stalled = match value {
                        "yes" | "true" | "on" => true,
                        "no" | "false" => false,
                        _ => return Err(Problem::field(key, "invalid", "stalled: choose yes or no.")),
                    }
                }
                "cause" => query.cause = text(),
                "error" => query.error = text(),
                "window" => query.window = Some(parameters::parse(key, value, reader)?),
                "ended" => query.ended = Some(parameters::parse(key, value, reader)?),
                "since" => query.since = Some(instant(key, value, false)?),
                "until" => query.until = Some(instant(key, value, true)?),
                "order" => query.order = parameters::parse(key, value, reader)?,
                "limit" => query.limit = Some(parameters::limit(value)?),
                "after" => query.after = Some(Cursor::read(value)?),
                "newest" => query.newest = Some(id(key, value)?),
                "only" => {
                    let ids: Result<Vec<TaskId>, Problem> = value.split(',').map(|word| id(key, word)).collect();
                    let ids = ids?;
                    // A form names each of them anew.
                    let named = query.only.get_or_insert_default();
                    named.extend(ids);
                }
                other => {
                    let message = format!("There is no filter called {} here.", enum_words::quoted(other));
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
            let ids: Vec<_> = only.iter().map(TaskId::to_string).collect();
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
                return Err(Problem::field(
                    field,
                    "too_long",
                    format!("“{field}” takes at most {LONGEST} characters."),
                ));
            }
        }
        in_order(self.since, self.until)?;
        match &self.only {
            Some(only) if only.len() > NAMED => {
                Err(Problem::field("only", "too_many", format!("Select at most {NAMED} tasks.")))
            }
            _ => Ok(self),
        }
    }

    /// Whether it narrows the list at all.
    pub fn is_everything(&self) -> bool {
        AdminTaskQuery { order: TaskOrder::Newest, ..self.clone() }.pairs().is_empty()
    }
}

fn id(key: &str, value: &str) -> Result<TaskId, Problem> {
    value
        .trim()
        .parse()
        .map_err(|_| Problem::field(key, "invalid", format!("{} is not the ID of a task.", enum_words::quoted(value))))
}

/// An instant of an address: RFC 3339, or a day, whose end is meant if `end`.
pub fn instant(key: &str, value: &str, end: bool) -> Result<Instant, Problem> {
    if let Ok(at) = chrono::DateTime::parse_from_rfc3339(value) {
        return Ok(at.to_utc());
    }
    let day: Option<chrono::NaiveDate> = value.parse().ok();
    let day = if end { day.and_then(|day| day.succ_opt()) } else { day };
    let at = day.and_then(|day| day.and_hms_opt(0, 0, 0)).map(|at| at.and_utc());
    at.ok_or_else(|| {
        Problem::field(
            key,
            "invalid",
            format!("{} is not a date. Write it like 2026-11-21.", enum_words::quoted(value)),
        )
    })
}

/// Refuses a stretch of time that ends before it begins.
pub fn in_order(since: Option<Instant>, until: Option<Instant>) -> Result<(), Problem> {
    match (since, until) {
        (Some(since), Some(until)) if until <= since => {
            Err(Problem::field("until", "before_since", "The end date is before the start date."))
        }
        _ => Ok(()),
    }
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
        let query = AdminTaskQuery::from_pairs(text, Reader::Program).unwrap();
        let mut pairs = query.pairs();
        pairs.sort();
        let mut wanted: Vec<_> = text.iter().map(|(key, value)| (*key, (*value).to_owned())).collect();
        wanted.sort();
        assert_eq!(pairs, wanted);
        assert!(!query.is_everything());
        let oldest = AdminTaskQuery::from_pairs([("order", "oldest")], Reader::Program).unwrap();
        assert!(oldest.is_everything());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = [("state", "ASLEEP"), ("window", "2y"), ("since", "soon"), ("stalled", "maybe"), ("colour", "red")];
        for (key, value) in wrong {
            for reader in [Reader::Person, Reader::Program] {
                let problem = AdminTaskQuery::from_pairs([(key, value)], reader).unwrap_err();
                assert_eq!(problem.errors[0].field, key);
            }
        }
        let span = |since, until| AdminTaskQuery::from_pairs([("since", since), ("until", until)], Reader::Program);
        assert_eq!(span("2026-11-21", "2026-11-20").unwrap_err().errors[0].field, "until");
        assert!(span("2026-11-21", "2026-11-21").is_ok());
    }

    #[test]
    fn the_end_of_a_day_is_the_next_midnight() {
        assert_eq!(instant("until", "2026-11-21", true).unwrap().to_string(), "2026-11-22 00:00:00 UTC");
        assert_eq!(instant("since", "2026-11-21", false).unwrap().to_string(), "2026-11-21 00:00:00 UTC");
    }
}
