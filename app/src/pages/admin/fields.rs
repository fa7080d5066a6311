//! Fields of filters that several pages have.

use chrono::{NaiveTime, TimeDelta};
use leptos::prelude::*;
use model::Instant;

use crate::components::{icon::Icon, type_erasure::Erase, values::time::iso};

/// One of several, or none of them.
pub fn select(name: &'static str, none: &'static str, choices: Vec<(String, String)>, chosen: Option<&str>) -> AnyView {
    // What is asked for and not among them is kept, so that applying another filter does not drop it.
    let other = chosen.filter(|chosen| !choices.iter().any(|(value, _)| value == chosen));
    let other = other.map(|other| view! { <option value=other.to_owned() selected=true>{other.to_owned()}</option> });
    let options = choices.into_iter().map(|(value, label)| {
        let selected = chosen == Some(value.as_str());
        view! { <option value=value selected=selected>{label}</option> }
    });
    view! {
        <span class="select">
            <select name=name aria-label=none>
                <option value="">{none}</option>
                {other}
                {options.collect_view()}
            </select>
            <Icon name="down"/>
        </span>
    }
    .erase()
}

/// From one day to another, both of them with it. An instant within a day is kept beside them until a day is chosen.
pub fn days(since: Option<Instant>, until: Option<Instant>) -> AnyView {
    let day = |at: Option<Instant>, end| at.and_then(|at| day_of(at, end));
    // Before the fields: of two values the last one counts, and an empty one does not.
    let kept =
        instants(since, until).into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value/> });
    view! {
        {kept.collect_view()}
        <span class="span">
            <label><span>"Since"</span><input class="input" type="date" name="since" value=day(since, false)/></label>
            <label><span>"Until"</span><input class="input" type="date" name="until" value=day(until, true)/></label>
        </span>
    }
    .erase()
}

/// The ends of a span that no field of days can show, as an address says them.
pub fn instants(since: Option<Instant>, until: Option<Instant>) -> Vec<(&'static str, String)> {
    // As JSON writes it: the browser has no other way.
    let written = |at: Instant| serde_json::json!(at).as_str().unwrap_or_default().to_owned();
    let since = since.filter(|at| day_of(*at, false).is_none()).map(|at| ("since", written(at)));
    let until = until.filter(|at| day_of(*at, true).is_none()).map(|at| ("until", written(at)));
    since.into_iter().chain(until).collect()
}

/// One end of [`instants`] in words.
pub fn end_of_span(key: &str, value: &str) -> String {
    let at = value.get(..16).unwrap_or(value).replace('T', " ");
    if key == "since" { format!("Since {at} UTC") } else { format!("Before {at} UTC") }
}

/// An end of a span in words: its day, or the moment where it is within one.
pub fn end_of_day(at: Instant, end: bool) -> String {
    day_of(at, end).unwrap_or_else(|| format!("{} UTC", iso(at).get(..16).unwrap_or_default().replace('T', " ")))
}

/// What narrows a list and has no field, with a way to drop it.
pub fn chip(label: String, href: String) -> AnyView {
    let says = format!("Remove filter {label}");
    view! {
        <span class="chip"><span>{label}</span><a href=href aria-label=says data-noscroll><Icon name="close"/></a></span>
    }
    .erase()
}

/// The day that an instant stands for as the beginning or the end of a span, as `2026-11-21`; none if it is within a day.
pub fn day_of(at: Instant, end: bool) -> Option<String> {
    let day = at.date_naive() - TimeDelta::days(end.into());
    (at.time() == NaiveTime::MIN).then(|| day.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_span_shows_the_day_that_ends_then() {
        let midnight: Instant = "2026-11-22T00:00:00Z".parse().unwrap();
        assert_eq!(day_of(midnight, false).as_deref(), Some("2026-11-22"));
        assert_eq!(day_of(midnight, true).as_deref(), Some("2026-11-21"));
        assert_eq!(day_of(midnight + TimeDelta::seconds(1), true), None);
    }
}
