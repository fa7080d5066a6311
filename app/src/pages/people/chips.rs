//! How many people match, and what narrows them, each with a way to take it back. The server renders it. At its end stands
//! who has come since the list was opened; the place is kept free for it, so that no row moves when somebody does.

use crate::components::type_erasure::Erase;
use crate::components::values::numbers::{grouped, in_words};
use leptos::prelude::*;
use model::{Total, person::CoachChoice};

use super::page_address;
use crate::{components::icon::Icon, url};

/// What stands in the line above the table.
pub fn chips(coaches: &[CoachChoice], total: Total, since: ListChanges, display: AnyView, search: &str) -> AnyView {
    let set = page_address::filters_set(search);
    let chips = set
        .iter()
        .map(|(key, values)| {
            let name = page_address::filter_name(key);
            let words = values.iter().map(|value| word(key, value, coaches)).collect::<Vec<_>>().join(" or ");
            // What somebody typed may run from right to left, and what stands around it does not.
            let words = match *key == "q" {
                true => view! { "“"<bdi>{words}</bdi>"”" }.erase(),
                false => words.into_any(),
            };
            view! {
                <span class="chip">
                    <span>{format!("{name}: ")}{words}</span>
                    <a
                        href=url::join("/people", &url::set(search, key, None))
                        aria-label=format!("Remove filter {name}")
                        data-noscroll
                    >
                        <Icon name="close"/>
                    </a>
                </span>
            }
        })
        .collect_view();
    let clear =
        (!set.is_empty()).then(|| view! { <a href=page_address::unfiltered(search) data-noscroll>"Clear all"</a> });
    let anew = since.words().map(|words| {
        view! { <a class="button small" href=url::join("/people", search) data-anew data-noscroll>{words}</a> }
    });
    view! {
        <span role="status">{matches(total, !set.is_empty())}</span>
        {chips}
        {clear}
        <span class="newrows" role="status">{anew}</span>
        <div class="end">{display}</div>
    }
    .erase()
}

/// What has become of the list since it was opened, beside what its rows say themselves.
#[derive(Clone, Copy, Default)]
pub struct ListChanges {
    /// How many have come.
    pub newer: u64,
    /// How many rows do not match any more.
    pub left: u64,
}

impl ListChanges {
    fn words(self) -> Option<String> {
        match (self.newer, self.left) {
            (0, 0) => None,
            (0, 1) => Some("Refresh: 1 no longer matches".to_owned()),
            (0, left) => Some(format!("Refresh: {} no longer match", grouped(left))),
            (newer, _) => Some(format!("Show {} new", grouped(newer))),
        }
    }
}

/// A value of a filter in words.
pub fn word(key: &str, value: &str, coaches: &[CoachChoice]) -> String {
    match key {
        "programStatus" => {
            value.parse().map_or_else(|_| value.to_owned(), |status: model::ProgramStatus| status.label().to_owned())
        }
        "activated" => {
            value.parse().map_or_else(|_| value.to_owned(), |is: model::filter::IsActivated| is.label().to_owned())
        }
        "email" => {
            value.parse().map_or_else(|_| value.to_owned(), |has: model::filter::HasEmail| has.label().to_owned())
        }
        "coach" => {
            let known = coaches.iter().find(|coach| value.parse() == Ok(coach.id));
            known.map_or_else(|| "unknown coach".to_owned(), |coach| coach.name.clone())
        }
        _ => value.to_owned(),
    }
}

/// `214 people match`, or without any filter `214 people`.
fn matches(total: Total, narrowed: bool) -> String {
    let one = total.exact && total.value == 1;
    let people = if one { "person" } else { "people" };
    let number = in_words(total);
    let number = number.strip_prefix("more").map_or(number.clone(), |rest| format!("More{rest}"));
    match (narrowed, one) {
        (false, _) => format!("{number} {people}"),
        (true, true) => format!("{number} {people} matches"),
        (true, false) => format!("{number} {people} match"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_reads_as_a_sentence() {
        assert_eq!(matches(Total::exactly(214), true), "214 people match");
        assert_eq!(matches(Total::exactly(1), true), "1 person matches");
        assert_eq!(matches(Total::exactly(1), false), "1 person");
        assert_eq!(matches(Total { value: 10_000, exact: false }, true), "More than 10,000 people match");
    }

    #[test]
    fn values_are_said_in_words() {
        assert_eq!(word("programStatus", "NO_SHOW", &[]), "No-show");
        assert_eq!(word("coach", "7", &[]), "unknown coach");
    }

    #[test]
    fn who_has_come_is_said_before_who_has_left() {
        let words = |newer, left| ListChanges { newer, left }.words();
        assert_eq!(words(0, 0), None);
        assert_eq!(words(3, 2).as_deref(), Some("Show 3 new"));
        assert_eq!(words(0, 1).as_deref(), Some("Refresh: 1 no longer matches"));
    }
}
