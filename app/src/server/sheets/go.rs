//! Going to whatever one can name: each source is asked once, and for few.

use crate::components::values::numbers::units;
use caseload::{Actor, Caseload};
use model::{PeopleFilter, PeopleQuery, PersonRow, TaskRow, length::within, person::SavedView};

use super::rendered::rendered;
use crate::{
    components::frame::go_dialog::LETTERS,
    pages::go::{
        self,
        destination::{Destination, DestinationGroup, MOST, best_first},
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
    let groups = [
        people(caseload, actor, asked).await,
        tasks(caseload, actor, asked).await,
        views(caseload, actor, asked).await,
        places::pages(actor.role, actor.preferences.shortcuts, asked),
        places::actions(actor.role, &actor.permissions, asked),
        places::help(actor.role, asked),
        places::searches(asked),
    ];
    rendered("Go to", go::view(asked, best_first(groups)))
}

/// A rank for what its own search has found by something else than its name.
const OTHERWISE: u8 = 2;

async fn people(caseload: &Caseload, actor: &Actor, asked: &str) -> Option<DestinationGroup> {
    if asked.is_empty() {
        return None;
    }
    let filter = PeopleFilter { q: asked.to_owned(), ..PeopleFilter::default() };
    let query = PeopleQuery { filter, limit: Some(MOST.into()), ..PeopleQuery::default() };
    let page = answer_part(caseload.people().list(actor, &query).await).ok()?;
    let found = page.items.into_iter().map(|row| person(row, asked)).collect();
    DestinationGroup::of("People", found)
}

fn person(row: PersonRow, asked: &str) -> Destination {
    let by_id = row.school_id.as_deref().and_then(|id| rank(id, asked));
    let rank = rank(&row.name, asked).into_iter().chain(by_id).min().unwrap_or(OTHERWISE);
    let status = row.program_status.map(|status| status.label().to_owned());
    let about = [row.school_id, status, row.declared_major, row.home_campus].into_iter().flatten();
    let note = about.filter(|fact| !fact.is_empty()).collect::<Vec<_>>().join(" · ");
    Destination { icon: "user", name: row.name, note, href: format!("/people/{}", row.id), keys: None, rank }
}

async fn tasks(caseload: &Caseload, actor: &Actor, asked: &str) -> Option<DestinationGroup> {
    let rows = answer_part(caseload.tasks().called(actor, asked, MOST.into()).await).ok()?;
    DestinationGroup::of("Tasks", rows.into_iter().map(|row| task(row, asked)).collect())
}

fn task(row: TaskRow, asked: &str) -> Destination {
    let total = row.people().map(|total| format!(" · {}", units(&row.description(), total))).unwrap_or_default();
    let note = format!("{}{total} · {}", row.label, model::short_id(row.id));
    let rank = rank(&row.title, asked).unwrap_or(OTHERWISE);
    Destination { icon: "tasks", name: row.title, note, href: format!("/tasks/{}", row.id), keys: None, rank }
}

async fn views(caseload: &Caseload, actor: &Actor, asked: &str) -> Option<DestinationGroup> {
    let views = answer_part(caseload.views().list(actor).await).ok()?;
    DestinationGroup::of("Views", views.into_iter().filter_map(|view| saved(view, asked)).collect())
}

fn saved(view: SavedView, asked: &str) -> Option<Destination> {
    let rank = rank(&view.name, asked)?;
    let href = url::join("/people", &page_address::of_view(&view));
    Some(Destination { icon: "bookmark", name: view.name, note: "Saved view".to_owned(), href, keys: None, rank })
}
