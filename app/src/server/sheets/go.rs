//! Going to whatever one can name: each source is asked once, and for few.

use crate::components::values::numbers::about;
use caseload::{Actor, Caseload};
use model::{
    Page, PeopleFilter, PeopleQuery, PersonRow, SelectionToken, TaskRow, Total, length::within, person::SavedView,
};

use super::rendered::rendered;
use crate::{
    components::frame::go_dialog::LETTERS,
    pages::go::{
        self, acts,
        destination::{Destination, DestinationGroup, MOST, WayOn, best_first},
        places,
        ranking::rank,
    },
    pages::people::page_address,
    server::{
        answer, answer_part,
        asked::{Asked, Made},
    },
    url,
};

pub async fn page(asked: Asked<'_>) -> Made {
    let Asked { caseload, actor, search, .. } = asked;
    let asked = url::value(search, "q").unwrap_or_default();
    // None of what a field counts as a letter has more bytes.
    const LONGEST: usize = 3 * LETTERS;
    answer(within::<LONGEST>(&asked).map_err(|too_long| too_long.of("q")))?;
    let asked = asked.trim();
    let selection = page_address::selection(search);
    let FoundPeople { found, about, leads_to_all } = people(caseload, actor, asked).await;
    let groups = [
        selected(caseload, actor, selection, asked).await,
        found,
        about,
        tasks(caseload, actor, asked).await,
        views(caseload, actor, asked).await,
        places::pages(actor.role, actor.preferences.shortcuts, asked),
        places::actions(actor.role, &actor.permissions, asked),
        places::help(actor.role, asked),
        places::searches(asked, leads_to_all),
    ];
    rendered("Go to", go::view(asked, selection, best_first(groups)))
}

/// A rank for what its own search has found by something else than its name.
const OTHERWISE: u8 = 2;

#[derive(Default)]
struct FoundPeople {
    found: Option<DestinationGroup>,
    about: Option<DestinationGroup>,
    /// Whether the list of all who match is among the lines.
    leads_to_all: bool,
}

/// Those who are found, with the way to all of them, and what can be done about the one who is meant. Where nobody is, the first or the last word may be what
/// to do, and the others whom it is about.
async fn people(caseload: &Caseload, actor: &Actor, asked: &str) -> FoundPeople {
    let Page { items: found, total, .. } = called(caseload, actor, asked).await;
    if !found.is_empty() {
        let about = acts::meant(&found, total, asked)
            .and_then(|row| acts::about(row, &actor.permissions, own_rank(row, asked)?));
        let is_cut = total != Total::exactly(found.len() as u64);
        let people = DestinationGroup::of("People", found.into_iter().map(|row| person(row, asked)).collect());
        let people = people.map(|mut people| {
            people.is_cut = is_cut;
            people.found.extend(is_cut.then(|| places::all_people(total, asked)));
            people
        });
        return FoundPeople { found: people, about, leads_to_all: is_cut };
    }
    for (_, whom) in
        [asked.split_once(' '), asked.rsplit_once(' ').map(|(whom, what)| (what, whom))].into_iter().flatten()
    {
        let rows = called(caseload, actor, whom.trim()).await.items;
        let named = acts::named(&rows, &actor.permissions, asked);
        if named.is_some() {
            return FoundPeople { found: named, ..FoundPeople::default() };
        }
    }
    FoundPeople::default()
}

/// A few whom the search of people finds.
async fn called(caseload: &Caseload, actor: &Actor, asked: &str) -> Page<PersonRow> {
    let nobody = || Page { items: Vec::new(), next: None, total: Total::exactly(0) };
    if asked.is_empty() {
        return nobody();
    }
    let filter = PeopleFilter { q: asked.to_owned(), ..PeopleFilter::default() };
    let query = PeopleQuery { filter, limit: Some(MOST.into()), ..PeopleQuery::default() };
    answer_part(caseload.people().list(actor, &query).await).unwrap_or_else(|_| nobody())
}

/// How well somebody's name or school ID fits, if either does.
fn own_rank(row: &PersonRow, asked: &str) -> Option<u8> {
    let by_id = row.school_id.as_deref().and_then(|id| rank(id, asked));
    rank(&row.name, asked).into_iter().chain(by_id).min()
}

/// What can be done with those who are selected where one comes from. A selection that is gone is none.
async fn selected(
    caseload: &Caseload,
    actor: &Actor,
    selection: Option<SelectionToken>,
    asked: &str,
) -> Option<DestinationGroup> {
    let total = answer_part(caseload.selections().size(actor, selection?).await).ok()?;
    acts::selected(selection?, total, &actor.permissions, asked)
}

fn person(row: PersonRow, asked: &str) -> Destination {
    let rank = own_rank(&row, asked).unwrap_or(OTHERWISE);
    let status = row.program_status.map(|status| status.label().to_owned());
    let about = [row.school_id, status, row.declared_major, row.home_campus].into_iter().flatten();
    let note = about.filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(" · ");
    Destination {
        icon: "user",
        name: row.name,
        note,
        way: WayOn::Link(format!("/people/{}", row.id)),
        keys: None,
        rank,
    }
}

async fn tasks(caseload: &Caseload, actor: &Actor, asked: &str) -> Option<DestinationGroup> {
    let rows = answer_part(caseload.tasks().called(actor, asked, MOST.into()).await).ok()?;
    DestinationGroup::of("Tasks", rows.into_iter().map(|row| task(row, asked)).collect())
}

fn task(row: TaskRow, asked: &str) -> Destination {
    let total = about(&row).map(|about| format!(" · {about}")).unwrap_or_default();
    let note = format!("{}{total} · {}", row.label, model::short_id(row.id));
    let rank = rank(&row.title, asked).unwrap_or(OTHERWISE);
    Destination {
        icon: "tasks",
        name: row.title,
        note,
        way: WayOn::Link(format!("/tasks/{}", row.id)),
        keys: None,
        rank,
    }
}

async fn views(caseload: &Caseload, actor: &Actor, asked: &str) -> Option<DestinationGroup> {
    let views = answer_part(caseload.views().list(actor).await).ok()?;
    DestinationGroup::of("Views", views.into_iter().filter_map(|view| saved(view, asked)).collect())
}

fn saved(view: SavedView, asked: &str) -> Option<Destination> {
    let rank = rank(&view.name, asked)?;
    let way = WayOn::Link(url::join("/people", &page_address::of_view(&view)));
    Some(Destination { icon: "bookmark", name: view.name, note: "Saved view".to_owned(), way, keys: None, rank })
}
