//! The people page: its list, what narrows it, and what it can be narrowed by.

use caseload::{Actor, Caseload};
use leptos::prelude::*;
use model::{
    PersonId, PersonRow, Problem, Scope,
    filter::FilterField,
    person::{Choice, Choices},
};

use crate::{
    components::{
        blank::{Notice, Refused},
        frame::{PageContent, Pulse},
        type_erasure::Erase,
    },
    pages::done::{self, Done},
    pages::people::{
        bar::SelectionForm,
        chips::{ListChanges, chips},
        filters::{Filters, Menu},
        list::{List, display},
        page_address,
        selection::Selection,
        tabs,
        views::{self, RefusedName},
    },
    refusal::Refusal,
    server::{
        answer, answer_part,
        asked::{Asked, Made},
        shown,
    },
    url,
};

/// The least time between two looks, in milliseconds: the list is loaded again when a task has changed people, though not for each of
/// its steps.
const LOOK: u32 = 2_000;

pub async fn page(asked: Asked<'_>) -> Made {
    let Asked { caseload, actor, search, .. } = asked;
    // What was done is said once: no link from here leads back to it.
    let said = done::notice(search);
    let is_said = said.is_some();
    let search = if is_said { url::set(search, done::KEY, None) } else { search.to_owned() };
    let (typed, shown) = shown::split(&search);
    let (search, wrong) = page_address::sound_days(&typed);
    let kept = url::set(&search, page_address::SEL, None);
    let counts = answer_part(caseload.people().scope_counts(actor).await).ok();
    let views = answer_part(caseload.views().list(actor).await).unwrap_or_default();
    let is_view = page_address::view(&search);
    let is_view = is_view.and_then(|id| views.into_iter().find(|view| view.id == id));
    let filters = filters(caseload, &typed, wrong).await.ok();
    let selection = url::value(&search, page_address::SEL).unwrap_or_default();
    let (found, again) = match found(caseload, actor, &search, &shown.unwrap_or_default()).await {
        Ok(found) => found,
        Err(refusal) => {
            let refused = view! { <Refused refusal retry=url::join("/people", &search)/> };
            (refused.erase(), search.clone())
        }
    };
    let title = is_view.as_ref().map_or_else(|| "People".to_owned(), |view| view.name.clone());
    let view = view! {
        {said}
        {views::head(is_view.as_ref(), &kept, RefusedName::read(&search).as_ref())}
        {tabs::scope_tabs(counts.as_ref(), &search)}
        <section aria-label="Filters">
            // The form's id is there for the page size below the table.
            <form id="filters" role="search" method="get" action="/people" data-noscroll>
                <input type="hidden" name=page_address::SEL value=selection/>
                {filters}
            </form>
        </section>
        {found}
    };
    let again = if is_said { url::set(&again, done::KEY, Some(Done::PersonErased.name())) } else { again };
    Ok(PageContent {
        skips: &[("results", "Skip to the people"), ("actions", "Skip to the actions")],
        pulse: Some(Pulse { again, wait: LOOK, is_fresh: true }),
        ..PageContent::new(title, view.erase())
    })
}

/// The list, with these people in their places, and what asks for it again.
async fn found(
    caseload: &Caseload,
    actor: &Actor,
    search: &str,
    shown: &[PersonId],
) -> Result<(AnyView, String), Refusal> {
    let query = answer(page_address::query(search))?;
    let page = answer(caseload.people().list_again(actor, &query, shown).await)?;
    let on_page: Vec<_> = page.lines.iter().map(|(id, _)| id.uuid()).collect();
    // Whoever is beyond reach has no box.
    let has_box = |row: &Option<PersonRow>| row.as_ref().is_some_and(|row| row.reached);
    let ids: Vec<PersonId> = page.lines.iter().filter(|(_, row)| has_box(row)).map(|(id, _)| *id).collect();
    let selection = page_address::selection(search);
    let picks = match selection {
        Some(token) => caseload.selections().get(actor, token, &ids).await.ok(),
        None => None,
    };
    let (total, lost) = (page.total, picks.is_none() && selection.is_some());
    let ticked = picks.as_ref().map(|picks| picks.ticked.clone()).unwrap_or_default();
    let coaches = answer_part(caseload.people().coaches_named(&query.filter.coach).await).unwrap_or_default();
    let since = ListChanges { newer: page.newer, left: page.left };
    let lost = lost.then(|| {
        view! {
            <Notice tone="warn" title="Your selection is gone" text="Selections are kept for 30 minutes. Select again."/>
        }
    });
    let again = shown::with(search, on_page);
    let listed = page_address::listed(search);
    let (columns, height) = actor.preferences.list_look(&page_address::look(search));
    // Of one's own caseload every row would say the same.
    let own =
        query.filter.scope == Some(Scope::Caseload) || query.filter.scope.is_none() && !actor.role.reaches_everyone();
    let menu = display::menu(&columns, height, own, &listed);
    let columns = if own { display::on_own_caseload(&columns) } else { columns };
    // What is wrong with the name of a view is said beside it.
    let refusal = url::refusal(search).filter(|_| RefusedName::read(search).is_none());
    let (permissions, role) = (actor.permissions.clone(), actor.role);
    let search = search.to_owned();
    let view = view! {
        <div class="chips">{chips(&coaches, total, since, menu, &listed)}</div>
        {lost}
        <section id="results" class="stack tight" tabindex="-1" aria-label="People" data-density=height.name()>
            <Selection permissions view=picks.clone() refusal>
                <SelectionForm picks search shown=ids total/>
                <div class="stack tight"><List page query columns ticked search=listed.clone() role/></div>
            </Selection>
        </section>
    };
    Ok((view.erase(), again))
}

/// The fields of the filters.
async fn filters(caseload: &Caseload, search: &str, wrong: Option<Problem>) -> Result<AnyView, Refusal> {
    let mut menus = Vec::new();
    for field in FilterField::ALL {
        menus.push(menu(caseload, *field, search).await?);
    }
    let extra = answer_part(caseload.people().extra_fields().await)?;
    Ok(view! { <div class="filters"><Filters menus extra search=search.to_owned() wrong/></div> }.erase())
}

/// The menu of a field: what it is set to stands first, and always.
async fn menu(caseload: &Caseload, field: FilterField, search: &str) -> Result<Menu, Refusal> {
    let words = url::value(search, &format!("{}{field}", page_address::FIND)).unwrap_or_default();
    let Choices { found, more } = answer_part(caseload.people().filter_choices(field, &words).await)?;
    let pairs = url::pairs(search);
    let set = pairs.into_iter().filter(|(key, _)| key == field.name()).map(|(_, value)| value);
    let mut choices: Vec<Choice> = match field {
        FilterField::Coach => {
            let ids: Vec<PersonId> = set.filter_map(|id| id.parse().ok()).collect();
            let named = answer_part(caseload.people().coaches_named(&ids).await)?;
            named.into_iter().map(|coach| Choice { value: coach.id.to_string(), label: coach.name }).collect()
        }
        FilterField::HomeCampus | FilterField::Major | FilterField::StartTerm | FilterField::StudentType => {
            set.map(|value| Choice { label: value.clone(), value }).collect()
        }
    };
    // Few enough to stand in one menu stay in their order.
    if more || !words.is_empty() {
        choices.extend(found.into_iter().filter(|choice| !choices.contains(choice)).collect::<Vec<_>>());
    } else {
        choices.retain(|choice| !found.contains(choice));
        choices.extend(found);
    }
    Ok(Menu { field, choices, more, words })
}
