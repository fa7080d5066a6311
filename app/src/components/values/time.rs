//! Moments and spans. Within a day a moment is relative, which needs no time zone; an older one is written by the server
//! in the zone that the reader chose, or else in that of their browser. One that has not been here yet gets UTC, which becomes
//! the device's own time once the page is alive.

use std::sync::Arc;

use crate::components::type_erasure::Erase;
use chrono::{Datelike, NaiveDateTime, Timelike};
use leptos::prelude::*;
use model::{
    Instant,
    preferences::{DateFormat, MONTHS, NumberFormat},
};
use wasm_bindgen::JsCast;

use super::reader_clock;

/// When and for whom a page was rendered. The browser has none: it takes over what was painted.
#[derive(Clone)]
pub struct RenderedAt {
    /// On the server's clock.
    pub now: Instant,
    /// In the zone that the reader chose, or else in that of their browser, where it has said so.
    pub wall: Option<Wall>,
    /// How the reader wants days to be written.
    pub dates: DateFormat,
    /// How they want numbers to be grouped.
    pub numbers: NumberFormat,
}

/// The clock on the wall in a time zone.
pub type Wall = Arc<dyn Fn(Instant) -> NaiveDateTime + Send + Sync>;

/// Milliseconds since 1970 on the browser's clock. Never called while the server renders.
pub fn now() -> f64 {
    js_sys::Date::now()
}

/// A moment.
#[component]
pub fn Time(
    at: Instant,
    /// Always the time of day with seconds, for entries that follow each other closely.
    #[prop(optional)]
    exact: bool,
    /// The day only, for what happened longer ago than a day.
    #[prop(optional)]
    date: bool,
    /// Never relative, for what is still to come.
    #[prop(optional)]
    ahead: bool,
) -> impl IntoView {
    let ms = at.timestamp_millis() as f64;
    let show = if exact {
        EXACT
    } else if date {
        DATE
    } else if ahead {
        AHEAD
    } else {
        ""
    };
    // What an island shows later is written here; what stands on the page already is turned into the reader's time where it is.
    let (text, title) = match cfg!(target_arch = "wasm32") {
        false => (rendered(at, show), written(at)),
        true => (own(ms, now(), show), local(ms, 0.0, true)),
    };
    view! { <time datetime=iso(at) data-show=show title=title>{text}</time> }.erase()
}

const EXACT: &str = "exact";
const DATE: &str = "date";
const AHEAD: &str = "ahead";
const CLOCK: &str = "clock";
const DAY: &str = "day";

/// A moment at the foot of a chart: the time of day, or over several days the day.
pub fn mark(at: Instant, days: bool) -> AnyView {
    let text = match (wall(at), days) {
        (Some(at), true) => day_and_month(at.day(), at.month0()),
        (None, true) => day_and_month(at.day(), at.month0()),
        (Some(at), false) => format!("{:02}:{:02}", at.hour(), at.minute()),
        (None, false) => format!("{:02}:{:02}", at.hour(), at.minute()),
    };
    view! { <time datetime=iso(at) data-show=if days { DAY } else { CLOCK }>{text}</time> }.erase()
}

fn day_and_month(day: u32, month: u32) -> String {
    format!("{day} {}", MONTHS[month as usize % 12])
}

/// What stands before a moment when somebody came to be what they are: `since 9 May`, `status set 9 h ago`.
pub fn status_since(at: Instant) -> &'static str {
    since(at).unwrap_or("status set")
}

/// What stands before a day, and not before “9 h ago”.
pub fn since(at: Instant) -> Option<&'static str> {
    let now = use_context::<RenderedAt>()?.now;
    relative((now - at).num_milliseconds() as f64).is_none().then_some("since")
}

/// A moment as it is first painted.
fn rendered(at: Instant, show: &str) -> String {
    let now = use_context::<RenderedAt>().filter(|_| show != EXACT && show != AHEAD);
    let near = now.and_then(|rendered| relative((rendered.now - at).num_milliseconds() as f64));
    near.unwrap_or_else(|| match wall(at) {
        Some(at) if show == DATE => day(at),
        None if show == DATE => day(at),
        _ => written(at),
    })
}

/// A moment as paper has it, where nothing comes to be the reader's own.
pub fn on_paper(at: Instant) -> String {
    written(at)
}

/// A moment with its day, in the reader's zone, or in UTC where that is not known.
fn written(at: Instant) -> String {
    match wall(at) {
        Some(at) => minutes(at),
        None => format!("{} UTC", minutes(at)),
    }
}

/// A moment as a field for one has it, in the reader's zone; nothing where that is not known.
pub fn in_field(at: Instant) -> Option<String> {
    wall(at).map(|at| format!("{}T{:02}:{:02}", at.date(), at.hour(), at.minute()))
}

fn wall(at: Instant) -> Option<NaiveDateTime> {
    use_context::<RenderedAt>()?.wall.map(|wall| wall(at))
}

/// A moment as the reader sees it.
fn own(at: f64, now: f64, show: &str) -> String {
    match show {
        EXACT => local(at, now, true),
        AHEAD => local(at, now, false),
        DATE => relative(now - at).unwrap_or_else(|| local_day(at)),
        CLOCK => time_of_day(at),
        DAY => {
            let at = reader_clock::read(at);
            day_and_month(at[2], at[1])
        }
        _ => relative(now - at).unwrap_or_else(|| local(at, now, false)),
    }
}

/// Turns the moments within an element that the server rendered into the reader's own time.
pub fn localize(within: &web_sys::Element) {
    let Ok(found) = within.query_selector_all("time[datetime]") else { return };
    let now = now();
    for time in (0..found.length()).filter_map(|i| found.item(i)?.dyn_into::<web_sys::Element>().ok()) {
        let at = js_sys::Date::parse(&time.get_attribute("datetime").unwrap_or_default());
        let show = time.get_attribute("data-show").unwrap_or_default();
        if let Some(text) = time.first_child().filter(|_| !at.is_nan()) {
            text.set_node_value(Some(&own(at, now, &show)));
            let _ = time.set_attribute("title", &local(at, 0.0, true));
        }
    }
}

/// `21 Nov 2026 14:05`.
fn minutes(at: impl Datelike + Timelike + Copy) -> String {
    format!("{} {:02}:{:02}", day(at), at.hour(), at.minute())
}

/// `21 Nov 2026`, or as the reader wants it.
pub fn day(at: impl Datelike) -> String {
    let dates = use_context::<RenderedAt>().map_or(DateFormat::Named, |rendered| rendered.dates);
    dates.day(at.year(), at.month(), at.day())
}

/// The form for machines, in whole seconds.
pub fn iso(at: Instant) -> String {
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
        at.year(),
        at.month(),
        at.day(),
        at.hour(),
        at.minute(),
        at.second()
    )
}

/// `just now`, `5 min ago`, `3 h ago`; nothing for the future and beyond a day.
fn relative(age: f64) -> Option<String> {
    match age / 60_000.0 {
        minutes if !(-1.0..1_440.0).contains(&minutes) => None,
        minutes if minutes < 1.0 => Some("just now".to_owned()),
        minutes if minutes < 60.0 => Some(format!("{} min ago", minutes as u32)),
        minutes => Some(format!("{} h ago", (minutes / 60.0) as u32)),
    }
}

/// The reader's own time: `14:05:09` on the day of `now`, else with its date.
fn local(at: f64, now: f64, seconds: bool) -> String {
    let (at, now) = (reader_clock::read(at), reader_clock::read(now));
    let mut time = format!("{:02}:{:02}", at[3], at[4]);
    if seconds {
        time.push_str(&format!(":{:02}", at[5]));
    }
    if at[..3] == now[..3] {
        return time;
    }
    format!("{} {time}", date_of(&at))
}

fn local_day(at: f64) -> String {
    date_of(&reader_clock::read(at))
}

fn date_of(at: &reader_clock::ClockReading) -> String {
    reader_clock::dates().day(at[0] as i32, at[1] + 1, at[2])
}

/// The reader's time of day: `14:05`.
pub fn time_of_day(at: f64) -> String {
    local(at, at, false)
}

/// A span in words, rounded to what matters: `45 s`, `5 min 51 s`, `3 h 2 min`.
pub fn span(seconds: u64) -> String {
    match (seconds / 3_600, seconds / 60 % 60, seconds % 60) {
        (0, 0, 0) => "under 1 s".to_owned(),
        (0, 0, s) => format!("{s} s"),
        (0, m, 0) => format!("{m} min"),
        (0, m, s) => format!("{m} min {s} s"),
        (h, 0, _) => format!("{h} h"),
        (h, m, _) => format!("{h} h {m} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_without_a_time_zone_to_guess() {
        let at: Instant = "2026-11-21T14:05:09.123456Z".parse().unwrap();
        assert_eq!((written(at).as_str(), iso(at).as_str()), ("21 Nov 2026 14:05 UTC", "2026-11-21T14:05:09Z"));
    }

    #[test]
    fn within_a_day_a_moment_is_relative() {
        assert_eq!(relative(20_000.0).as_deref(), Some("just now"));
        assert_eq!(relative(5.2 * 60_000.0).as_deref(), Some("5 min ago"));
        assert_eq!(relative(3.9 * 3_600_000.0).as_deref(), Some("3 h ago"));
        assert_eq!(relative(25.0 * 3_600_000.0), None);
        assert_eq!(relative(-3_600_000.0), None);
    }

    #[test]
    fn spans_are_rounded_to_what_matters() {
        assert_eq!([0, 45, 351, 120, 10_920].map(span), ["under 1 s", "45 s", "5 min 51 s", "2 min", "3 h 2 min"]);
    }
}
