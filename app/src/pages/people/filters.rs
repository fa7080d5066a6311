//! Search and filters: one GET form, with a menu of boxes for each field.

use crate::components::erase::Erase;
use leptos::prelude::*;
use model::{FilterChoices, ProgramStatus};

use super::address;
use crate::{
    answer::{Answer, Load, read},
    components::{icon::Icon, loaded::Loaded},
    url,
};

/// The form. Its id is `filters`, so that the page size below the table can belong to it.
#[component]
pub fn Filters(search: Memo<String>, choices: Load) -> impl IntoView {
    // A selection that begins or ends must not take away what somebody is typing.
    let query = Memo::new(move |_| search.with(|search| address::without_selection(search)));
    let menus = move |answer: Answer| {
        let choices: FilterChoices = read(answer).unwrap_or_default();
        (move || fields(&choices, &url::pairs(&query.get()))).erase()
    };
    let selection = move || search.with(|search| url::value(search, address::SEL)).unwrap_or_default();
    view! {
        <section aria-label="Filters">
            <form id="filters" class="filters" role="search" method="get" action="/people" data-noscroll>
                <Loaded from=choices show=menus/>
                <input type="hidden" name=address::SEL value=selection/>
                <button class="button">"Apply"</button>
            </form>
        </section>
    }
    .erase()
}

/// All the fields, set to what the address says: as attributes for the first paint, and as properties for whenever it
/// changes under what somebody has typed.
fn fields(choices: &FilterChoices, pairs: &[(String, String)]) -> AnyView {
    let text = |values: &[String]| values.iter().map(|value| (value.clone(), value.clone())).collect::<Vec<_>>();
    let statuses =
        ProgramStatus::ALL.iter().map(|status| (status.name().to_owned(), status.label().to_owned())).collect();
    let coaches = choices.coaches.iter().map(|coach| (coach.id.to_string(), coach.name.clone())).collect();
    let menus = [
        ("programStatus", statuses),
        ("coach", coaches),
        ("homeCampus", text(&choices.home_campuses)),
        ("major", text(&choices.majors)),
        ("startTerm", text(&choices.start_terms)),
    ]
    .map(|(field, values)| menu(field, values, pairs))
    .into_iter()
    .collect_view();
    let value =
        |key: &str| pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone()).unwrap_or_default();
    let kept = ["scope", "sort"]
        .map(|key| view! { <input type="hidden" name=key value=value(key)/> })
        .into_iter()
        .collect_view();
    view! {
        <span class="search">
            <Icon name="search"/>
            <input
                class="input"
                type="search"
                name="q"
                data-keys="/"
                aria-label="Search name, school id or email"
                placeholder="Name, school id or email"
                value=value("q")
                prop:value=value("q")
            />
        </span>
        {menus}
        {kept}
    }
    .erase()
}

/// The boxes of one field. A field without values has no menu.
fn menu(field: &'static str, values: Vec<(String, String)>, pairs: &[(String, String)]) -> AnyView {
    if values.is_empty() {
        return ().erase();
    }
    let set: Vec<&str> = pairs.iter().filter(|(key, _)| key == field).map(|(_, value)| value.as_str()).collect();
    let boxes = values
        .into_iter()
        .map(|(value, label)| {
            let checked = set.contains(&value.as_str());
            view! {
                <label class="choice">
                    <input type="checkbox" name=field value=value checked=checked prop:checked=checked/>
                    <span>{label}</span>
                </label>
            }
        })
        .collect_view();
    let name = address::filter_name(field);
    let count = set.len();
    let chosen = (count > 0)
        .then(|| view! { <span class="count">{count.to_string()}<span class="hidden">" chosen"</span></span> });
    view! {
        <details class="menu start">
            <summary class="button">{name}{chosen}<Icon name="down"/></summary>
            <div class="panel">
                <fieldset class="choices scroll">
                    <legend class="hidden">{name}</legend>
                    {boxes}
                </fieldset>
            </div>
        </details>
    }
    .erase()
}
