//! How many people match, and what narrows them, each with a way to take it back.

use leptos::prelude::*;
use model::{FilterChoices, PeopleFilter, Total};

use super::address;
use crate::{components::icon::Icon, url};

/// The line above the table.
#[component]
pub fn Chips(filter: PeopleFilter, choices: FilterChoices, total: Total, search: Memo<String>) -> impl IntoView {
    let set = address::filters_set(&filter, &choices);
    let any = !set.is_empty();
    let chips = set
        .into_iter()
        .map(|(key, name, values)| {
            view! {
                <span class="chip">
                    <span>{format!("{name}: {values}")}</span>
                    <a
                        href=move || url::join("/people", &url::set(&search.get(), key, None))
                        aria-label=format!("Remove filter {name}")
                        data-noscroll
                    >
                        <Icon name="close"/>
                    </a>
                </span>
            }
        })
        .collect_view();
    view! {
        <div class="chips">
            <span role="status">{matches(total, any)}</span>
            {chips}
            {any.then(|| view! { <a href=move || address::unfiltered(&search.get()) data-noscroll>"Clear all"</a> })}
        </div>
    }
    .into_any()
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
}
