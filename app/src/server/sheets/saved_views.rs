//! The saved views in the rail. How many match each is counted where people are listed, and nowhere else.

use caseload::{Actor, Caseload};
use model::PeopleQuery;

use crate::{
    components::frame::rail::SavedViews,
    pages::people::{
        page_address,
        saved_views::{OPEN, RailView, saved_views},
    },
    server::answer_part,
};

/// Those that somebody has, on the page at this address.
pub async fn views_of(caseload: &Caseload, actor: &Actor, path: &str, search: &str) -> SavedViews {
    let lists = path == "/people";
    let views = answer_part(caseload.views().list(actor).await).unwrap_or_default();
    let here = page_address::view(search).filter(|id| lists && views.iter().any(|view| view.id == *id));
    let mut all = Vec::new();
    for (n, view) in views.into_iter().enumerate() {
        let query = PeopleQuery::from_query(&view.query).ok().filter(|_| lists && n < OPEN);
        let count = match query {
            Some(query) => answer_part(caseload.people().count(actor, &query.filter).await).ok(),
            None => None,
        };
        all.push(RailView { view, count });
    }
    SavedViews { view: (!all.is_empty()).then(|| saved_views(all, here)), is_here: here.is_some() }
}
