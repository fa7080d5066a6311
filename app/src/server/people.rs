//! What the people page shows: its list, what narrows it, and what it can be narrowed by.

use caseload::{Actor, Caseload};
use leptos::prelude::*;
use model::{
    PersonId,
    filter::FilterField,
    person::{Choice, Choices},
};

use crate::{
    answer::Html,
    pages::people::{
        chips::{ListChanges, chips},
        filters::{Filters, Menu},
        list::List,
        page_address,
        page_data::FoundPeople,
    },
    refusal::Refusal,
    server::{answer, answer_part, html},
    url,
};

/// The page of the list, with these people in their places.
pub async fn found(caseload: &Caseload, actor: &Actor, search: &str, shown: &str) -> Result<FoundPeople, Refusal> {
    let query = answer(page_address::query(search))?;
    let page = answer(caseload.people().list_again(actor, &query, &page_address::ids(shown)).await)?;
    let again = page_address::list(&page.lines.iter().map(|(id, _)| *id).collect::<Vec<_>>());
    // Whoever is beyond reach has no box.
    let has_box = |row: &Option<model::PersonRow>| row.as_ref().is_some_and(|row| row.reached);
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
    let search = page_address::listed(search);
    let chips = html("chips", chips(&coaches, total, since, &search));
    let list = html("stack tight", view! { <List page query ticked search role=actor.role/> });
    Ok(FoundPeople { ids, again, total, picks, lost, permissions: actor.permissions.clone(), chips, html: list })
}

/// The fields of the filters.
pub async fn filters(caseload: &Caseload, search: &str) -> Result<Html, Refusal> {
    let mut menus = Vec::new();
    for field in FilterField::ALL {
        menus.push(menu(caseload, *field, search).await?);
    }
    Ok(html("filters", view! { <Filters menus search=search.to_owned()/> }))
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
        FilterField::HomeCampus | FilterField::Major | FilterField::StartTerm => {
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
