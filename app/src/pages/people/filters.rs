//! Search and filters: one GET form, with a menu of boxes for each field.

use leptos::{html, prelude::*};
use model::{FilterChoices, PeopleFilter, ProgramStatus};

use super::address;
use crate::{
    components::{form::QueryForm, icon::Icon},
    refusal::Refusal,
    url,
};

/// The form. Its id is `filters`, so that the page size below the table can belong to it.
#[component]
pub fn Filters(search: Memo<String>, choices: Resource<Result<FilterChoices, Refusal>>) -> impl IntoView {
    let form = NodeRef::<html::Form>::new();
    // The fields begin with what the address says; when it changes, they begin again.
    Effect::new(move |before: Option<()>| {
        search.track();
        if before.is_some() {
            request_animation_frame(move || {
                if let Some(form) = form.get_untracked() {
                    form.reset();
                }
            });
        }
    });
    let filter = Memo::new(move |_| address::query(&search.get()).map(|query| query.filter).unwrap_or_default());
    let menus = move || {
        Suspend::new(async move {
            let choices = choices.await.unwrap_or_default();
            let text = |values: Vec<String>| values.into_iter().map(|value| (value.clone(), value)).collect::<Vec<_>>();
            let coaches = choices.coaches.into_iter().map(|coach| (coach.id.to_string(), coach.name)).collect();
            view! {
                <Menu name="Coach" field="coach" values=coaches filter/>
                <Menu name="Campus" field="homeCampus" values=text(choices.home_campuses) filter/>
                <Menu name="Major" field="major" values=text(choices.majors) filter/>
                <Menu name="Start term" field="startTerm" values=text(choices.start_terms) filter/>
            }
        })
    };
    let statuses = ProgramStatus::ALL.iter().map(|status| (status.name().to_owned(), status.label().to_owned())).collect();
    let kept = move |key: &'static str| {
        view! { <input type="hidden" name=key value=move || url::value(&search.get(), key).unwrap_or_default()/> }
    };
    view! {
        <QueryForm id="filters" action="/people" class="filters" role="search" node_ref=form stay=true>
            <span class="search">
                <Icon name="search"/>
                <input
                    class="input"
                    type="search"
                    name="q"
                    aria-label="Search name, school id or email"
                    placeholder="Name, school id or email"
                    value=move || filter.get().q
                />
            </span>
            <Menu name="Status" field="programStatus" values=statuses filter/>
            <Suspense>{menus}</Suspense>
            {kept("scope")}
            {kept("sort")}
            {kept(address::SEL)}
            <button class="button">"Apply"</button>
        </QueryForm>
    }
    .into_any()
}

/// The boxes of one field. A field without values has no menu.
#[component]
fn Menu(name: &'static str, field: &'static str, values: Vec<(String, String)>, filter: Memo<PeopleFilter>) -> impl IntoView {
    if values.is_empty() {
        return ().into_any();
    }
    let set = Memo::new(move |_| filter.with(|filter| values_of(filter, field)));
    let boxes = values
        .into_iter()
        .map(|(value, label)| {
            let wanted = value.clone();
            let checked = move || set.with(|set| set.contains(&wanted));
            view! {
                <label class="choice">
                    <input type="checkbox" name=field value=value checked=checked/>
                    <span>{label}</span>
                </label>
            }
        })
        .collect_view();
    view! {
        <details class="menu start">
            <summary class="button">
                {name}
                {move || Some(set.with(Vec::len)).filter(|n| *n > 0).map(|n| view! {
                    <span class="count">{n}<span class="hidden">" chosen"</span></span>
                })}
                <Icon name="down"/>
            </summary>
            <div class="panel">
                <fieldset class="choices scroll">
                    <legend class="hidden">{name}</legend>
                    {boxes}
                </fieldset>
            </div>
        </details>
    }
    .into_any()
}

fn values_of(filter: &PeopleFilter, field: &str) -> Vec<String> {
    filter.pairs().into_iter().filter(|(key, _)| *key == field).map(|(_, value)| value).collect()
}
