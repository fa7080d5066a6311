//! Search and filters: one GET form, with a menu of boxes for each field. The server renders it. A menu of many values has a
//! few of them and a field to find the others by: scripts ask while somebody types, and without them the form does.

use leptos::prelude::*;
use model::{
    Problem, ProgramStatus,
    filter::{FilterField, HasEmail, IsActivated},
    person::Choice,
};

use super::{extra_fields, page_address};
use crate::components::{fold::fold, icon::Icon, search_field::SearchField, type_erasure::Erase};

/// The menu of one field.
pub struct Menu {
    pub field: FilterField,
    /// What it is set to, first, and then what there is.
    pub choices: Vec<Choice>,
    /// Whether there are others to be found.
    pub more: bool,
    /// What was typed to find them.
    pub words: String,
}

/// All the fields, set to what the address says, with those that an import has brought and what is wrong with the days. On a
/// narrow screen all but the search are behind one word.
#[component]
pub fn Filters(menus: Vec<Menu>, extra: Vec<String>, search: String, wrong: Option<Problem>) -> impl IntoView {
    let pairs = crate::url::pairs(&search);
    let value =
        |key: &str| pairs.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone()).unwrap_or_default();
    let set = |field: &str| -> Vec<String> {
        pairs.iter().filter(|(key, _)| key == field).map(|(_, value)| value.clone()).collect()
    };
    let statuses = ProgramStatus::ALL
        .iter()
        .map(|status| Choice { value: status.name().to_owned(), label: status.label().to_owned() })
        .collect();
    let status = menu("programStatus", statuses, &set("programStatus"), ().erase(), false);
    let menus = menus
        .into_iter()
        .map(|found| {
            let field = found.field.name();
            let open = !found.words.is_empty();
            let find = (open || found.more).then(|| find(found.field, found.words, found.more)).erase();
            menu(field, found.choices, &set(field), find, open)
        })
        .collect_view();
    let more = more(&value, wrong.as_ref());
    let extra = extra_fields::menu(extra, &pairs, chosen);
    let narrowed = page_address::filters_set(&search).iter().filter(|(key, _)| key != "q").count();
    let fold = fold(narrowed, wrong.is_some());
    let kept = ["scope", "sort", page_address::VIEW]
        .into_iter()
        .chain(model::ListLook::KEYS)
        .map(|key| view! { <input type="hidden" name=key value=value(key)/> })
        .collect_view();
    view! {
        <SearchField label="Search name, school ID or email" placeholder="Name, school ID, email" value=value("q") by_key=true/>
        {fold}
        {status}
        {menus}
        {extra}
        {more}
        {kept}
        <button class="button">"Apply"</button>
    }
}

/// What is asked of few lists, in one menu.
fn more(value: &impl Fn(&str) -> String, wrong: Option<&Problem>) -> AnyView {
    let set = ["activated", "email", "sinceFrom", "sinceTo"].iter().filter(|key| !value(key).is_empty()).count();
    let activated = IsActivated::ALL.iter().map(|choice| (choice.name(), choice.label())).collect();
    let email = HasEmail::ALL.iter().map(|choice| (choice.name(), choice.label())).collect();
    let day = |key: &'static str, label: &'static str| {
        let wrong = wrong.and_then(|wrong| wrong.message_for(key)).map(str::to_owned);
        let says = format!("{key}-wrong");
        view! {
            <div class="field">
                <label for=key>{label}</label>
                <input
                    class="input"
                    type="date"
                    id=key
                    name=key
                    min="1900-01-01"
                    max="2999-12-31"
                    value=value(key)
                    aria-invalid=wrong.is_some().then_some("true")
                    aria-describedby=wrong.is_some().then(|| says.clone())
                />
                {wrong.map(|message| view! { <span class="problem" id=says>{message}</span> })}
            </div>
        }
    };
    view! {
        <details class="menu" open=wrong.is_some()>
            <summary class="button">"More"{chosen(set)}<Icon name="down"/></summary>
            <div class="panel stack tight">
                {one_of("activated", activated, &value("activated"))}
                {one_of("email", email, &value("email"))}
                <div class="line">
                    {day("sinceFrom", "Status set on or after")}
                    {day("sinceTo", "Status set on or before")}
                </div>
            </div>
        </details>
    }
    .erase()
}

/// One of a few choices, or any.
fn one_of(field: &'static str, choices: Vec<(&'static str, &'static str)>, set: &str) -> AnyView {
    let choices = std::iter::once(("", "Any")).chain(choices);
    let radios = choices
        .map(|(value, label)| {
            view! {
                <label class="choice">
                    <input type="radio" name=field value=value checked=value == set/>
                    <span>{label}</span>
                </label>
            }
        })
        .collect_view();
    let name = page_address::filter_name(field);
    view! { <fieldset class="field"><legend>{name}</legend><div class="line">{radios}</div></fieldset> }.erase()
}

/// How many of its values a menu is set to.
fn chosen(count: usize) -> Option<AnyView> {
    (count > 0)
        .then(|| view! { <span class="count">{count.to_string()}<span class="hidden">" chosen"</span></span> }.erase())
}

/// The boxes of one field. A field without values has no menu.
fn menu(field: &'static str, choices: Vec<Choice>, set: &[String], find: AnyView, open: bool) -> AnyView {
    if choices.is_empty() && !open {
        return ().erase();
    }
    let boxes = choices
        .into_iter()
        .map(|Choice { value, label }| {
            let checked = set.contains(&value);
            view! {
                <label class="choice" data-key=value.clone()>
                    <input type="checkbox" name=field value=value.clone() checked=checked/>
                    <span>{label}</span>
                </label>
            }
        })
        .collect_view();
    let name = page_address::filter_name(field);
    let chosen = chosen(set.len());
    view! {
        <details class="menu start" open=open>
            <summary class="button">{name}{chosen}<Icon name="down"/></summary>
            <div class="panel">
                {find}
                <fieldset class="choices scroll">
                    <legend class="hidden">{name}</legend>
                    {boxes}
                </fieldset>
            </div>
        </details>
    }
    .erase()
}

/// Where one types to find the values that do not stand in the menu.
fn find(field: FilterField, words: String, more: bool) -> AnyView {
    let says = format!("Find a {}", page_address::filter_name(field.name()).to_lowercase());
    view! {
        <input
            class="input"
            type="search"
            name=format!("{}{}", page_address::FIND, field.name())
            data-find=field.name()
            aria-label=says.clone()
            placeholder=says
            autocomplete="off"
            value=words
        />
        <noscript><button class="button">"Find"</button></noscript>
        <p class="meta soft" data-more hidden=!more>"Type to find more values."</p>
    }
    .erase()
}
