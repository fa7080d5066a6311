//! Fields of filters that several pages have.

use chrono::{NaiveTime, TimeDelta};
use leptos::prelude::*;
use model::{
    Instant, Problem,
    admin::{in_order, instant, source_address},
};

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

/// The ends of a span, by their keys in an address.
pub const DAYS: [&str; 2] = ["since", "until"];

/// The key of the address that something came from.
pub const SOURCE: &str = "source";

/// What was typed into the fields of a filter, as it stands there again, and all that is wrong with it.
pub struct TypedFilter {
    given: Vec<(String, String)>,
    wrong: Option<Problem>,
}

impl TypedFilter {
    /// The pairs of an address without those of `fields` that are wrong, which narrow nothing: the others do all the same.
    pub fn sound(mut pairs: Vec<(String, String)>, fields: &[&str]) -> (Vec<(String, String)>, TypedFilter) {
        let is_typed = |key: &str| fields.contains(&key);
        pairs.retain(|(key, value)| !is_typed(key) || !value.trim().is_empty());
        let given: Vec<_> = pairs.iter().filter(|(key, _)| is_typed(key)).cloned().collect();
        let (mut since, mut until, mut wrong) = (None, None, None);
        for (key, value) in &given {
            let refused = match key.as_str() {
                "since" => instant(key, value, false).map(|at| since = Some(at)).err(),
                "until" => instant(key, value, true).map(|at| until = Some(at)).err(),
                SOURCE => source_address(value.trim()).err(),
                _ => None,
            };
            wrong = Problem::both(wrong, refused);
        }
        let turned = in_order(since, until).err();
        let are_turned = turned.is_some();
        let typed = TypedFilter { given, wrong: Problem::both(wrong, turned) };
        // Of days the wrong way round nobody knows which one was meant.
        let is_out = |key: &str| typed.has_wrong(key) || are_turned && DAYS.contains(&key);
        pairs.retain(|(key, _)| !is_out(key));
        (pairs, typed)
    }

    /// Whether anything of it is wrong.
    pub fn is_wrong(&self) -> bool {
        self.wrong.is_some()
    }

    /// Whether the days are.
    pub fn has_wrong_days(&self) -> bool {
        DAYS.iter().any(|key| self.has_wrong(key))
    }

    /// Whether what stands in a field is.
    pub fn has_wrong(&self, key: &str) -> bool {
        self.wrong(key).is_some()
    }

    /// What is wrong with a field.
    fn wrong(&self, key: &str) -> Option<String> {
        self.wrong.as_ref().and_then(|wrong| wrong.message_for(key)).map(str::to_owned)
    }

    /// What was typed into a field.
    fn given(&self, key: &str) -> Option<String> {
        self.given.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone())
    }

    /// The end of a span that was typed, if it is one.
    fn end(&self, key: &str) -> Option<Instant> {
        instant(key, &self.given(key)?, key == "until").ok()
    }
}

/// What is wrong with a field, below it, and the id that the field names it by.
fn problem(key: &str, typed: &TypedFilter) -> (Option<String>, Option<AnyView>) {
    let Some(message) = typed.wrong(key) else { return (None, None) };
    let id = format!("{key}-wrong");
    (Some(id.clone()), Some(view! { <span class="problem" id=id>{message}</span> }.erase()))
}

/// From one day to another, both of them with it. An instant within a day is kept beside them until a day is chosen.
pub fn days(since: Option<Instant>, until: Option<Instant>, typed: &TypedFilter) -> AnyView {
    let (since, until) = (since.or_else(|| typed.end("since")), until.or_else(|| typed.end("until")));
    // Before the fields: of two values the last one counts, and an empty one does not.
    let kept =
        instants(since, until).into_iter().map(|(name, value)| view! { <input type="hidden" name=name value=value/> });
    let day = |key: &'static str, label: &'static str, at: Option<Instant>| {
        let value = match at {
            Some(at) => day_of(at, key == "until"),
            None => typed.given(key),
        };
        let (says, problem) = problem(key, typed);
        let is_wrong = says.is_some().then_some("true");
        view! {
            <span class="typed">
                <label>
                    <span>{label}</span>
                    <input class="input" type="date" name=key value=value aria-invalid=is_wrong aria-describedby=says/>
                </label>
                {problem}
            </span>
        }
    };
    view! {
        {kept.collect_view()}
        <span class="span">{day("since", "Since", since)}{day("until", "Until", until)}</span>
        {typed.has_wrong_days().then(|| view! { <span class="meta soft">"The list is shown without these dates."</span> })}
    }
    .erase()
}

/// The address that something came from.
pub fn source(value: Option<String>, typed: &TypedFilter) -> AnyView {
    let value = value.or_else(|| typed.given(SOURCE));
    let (says, problem) = problem(SOURCE, typed);
    let is_wrong = says.is_some().then_some("true");
    view! {
        <span class="typed">
            <input
                class="input"
                name=SOURCE
                aria-label="IP address"
                placeholder="IP address"
                autocomplete="off"
                value=value
                aria-invalid=is_wrong
                aria-describedby=says
            />
            {problem}
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

    fn sound(search: &str) -> (String, Vec<String>) {
        let (pairs, typed) = TypedFilter::sound(crate::url::pairs(search), &["since", "until", SOURCE]);
        let errors = typed.wrong.map(|wrong| wrong.errors).unwrap_or_default();
        (crate::url::query(&pairs), errors.into_iter().map(|error| error.field).collect())
    }

    /// A page without any filter was answered: “Check what you entered … Start over”.
    #[test]
    fn what_is_wrong_narrows_nothing_and_all_of_it_is_said() {
        let told = |search: &str, kept: &str, wrong: &[&str]| {
            let wrong: Vec<String> = wrong.iter().map(|key| (*key).to_owned()).collect();
            assert_eq!(sound(search), (kept.to_owned(), wrong), "{search}");
        };
        told("kind=email&since=2026-11-21&until=2026-11-20", "kind=email", &["until"]);
        told("kind=email&since=2026-11-21&until=2026-11-21", "kind=email&since=2026-11-21&until=2026-11-21", &[]);
        told("since=soon&until=2026-11-21&kind=email", "until=2026-11-21&kind=email", &["since"]);
        told("since=soon&until=late&source=nowhere", "", &["since", "until", "source"]);
        told("source=nowhere&since=2026-11-21&until=2026-11-20", "", &["source", "until"]);
        told("source=198.51.100.7", "source=198.51.100.7", &[]);
    }

    #[test]
    fn days_the_wrong_way_round_stand_in_their_fields_with_what_is_wrong() {
        let pairs = crate::url::pairs("since=2026-11-21&until=2026-11-20&source=nowhere");
        let (_, typed) = TypedFilter::sound(pairs, &["since", "until", SOURCE]);
        let shown = days(None, None, &typed).to_html();
        for said in ["value=\"2026-11-21\"", "value=\"2026-11-20\"", "id=\"until-wrong\"", "aria-invalid=\"true\""] {
            assert!(shown.contains(said), "{said}: {shown}");
        }
        assert_eq!(shown.matches("aria-invalid").count(), 1, "{shown}");
        let shown = source(None, &typed).to_html();
        assert!(shown.contains("value=\"nowhere\"") && shown.contains("id=\"source-wrong\""), "{shown}");
    }

    #[test]
    fn the_end_of_a_span_shows_the_day_that_ends_then() {
        let midnight: Instant = "2026-11-22T00:00:00Z".parse().unwrap();
        assert_eq!(day_of(midnight, false).as_deref(), Some("2026-11-22"));
        assert_eq!(day_of(midnight, true).as_deref(), Some("2026-11-21"));
        assert_eq!(day_of(midnight + TimeDelta::seconds(1), true), None);
    }
}
