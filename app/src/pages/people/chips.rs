//! How many people match, and what narrows them, each with a way to take it back.

use crate::components::erase::Erase;
use leptos::prelude::*;
use model::{FilterChoices, Total};

use super::address;
use crate::{components::icon::Icon, url};

/// The line above the table, for the filters that are set.
pub fn chips(set: &[(String, Vec<String>)], choices: &FilterChoices, total: Total, search: &str) -> AnyView {
    let chips = set
        .iter()
        .map(|(key, values)| {
            let name = address::filter_name(key);
            let words = values.iter().map(|value| word(key, value, choices)).collect::<Vec<_>>().join(" or ");
            view! {
                <span class="chip">
                    <span>{format!("{name}: {words}")}</span>
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
    let clear = (!set.is_empty()).then(|| view! { <a href=address::unfiltered(search) data-noscroll>"Clear all"</a> });
    view! {
        <div class="chips">
            <span role="status">{matches(total, !set.is_empty())}</span>
            {chips}
            {clear}
        </div>
    }
    .erase()
}

/// A value of a filter in words.
fn word(key: &str, value: &str, choices: &FilterChoices) -> String {
    match key {
        "q" => format!("“{value}”"),
        "programStatus" => {
            value.parse().map_or_else(|_| value.to_owned(), |status: model::ProgramStatus| status.label().to_owned())
        }
        "coach" => {
            let known = choices.coaches.iter().find(|coach| value.parse() == Ok(coach.id));
            known.map_or_else(|| "somebody else".to_owned(), |coach| coach.name.clone())
        }
        _ => value.to_owned(),
    }
}

/// `214 people match`, or without any filter `214 people`.
fn matches(total: Total, narrowed: bool) -> String {
    let one = total.exact && total.value == 1;
    let people = if one { "person" } else { "people" };
    let number = total.label();
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
        let choices = FilterChoices::default();
        assert_eq!(word("programStatus", "NO_SHOW", &choices), "No-show");
        assert_eq!(word("coach", "7", &choices), "somebody else");
        assert_eq!(word("q", "ann", &choices), "“ann”");
    }
}
