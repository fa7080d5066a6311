//! Deny by default: every route, page and server function, called as nobody, as its coach, as another coach, as a manager
//! and as an administrator. One that is new and has no row here fails the test.

mod pages;
mod routes;
mod server_functions;

use axum::{
    body::Body,
    http::{Method, header},
};
use model::{Action, PeopleFilter, PreviewToken, SelectionToken, Target};

pub use self::{
    pages::PAGES,
    routes::{Sent, routes},
    server_functions::SERVER_FUNCTIONS,
};
use crate::site::{Site, request};

/// The statuses for nobody, the coach, another coach, a manager and an administrator.
pub type Statuses = [u16; 5];

/// What administrators may look at and nobody else.
const ADMINISTRATORS: Statuses = [401, 403, 403, 403, 200];

/// A selection of the coach's, and a preview of it.
async fn picked(site: &Site) -> (SelectionToken, PreviewToken) {
    let coach =
        site.caseload.accounts().actor_of_session(site.coach_id, 0, caseload::Via::command()).await.unwrap().unwrap();
    let filter = PeopleFilter { q: "G1-".to_owned(), ..PeopleFilter::default() };
    let selection = site.caseload.selections().select_matching(&coach, filter).await.unwrap().token;
    let action = Action::program_status("ACTIVE", "", "").unwrap();
    let preview = site.caseload.actions().preview(&coach, action, Target::Selection(selection)).await.unwrap();
    (selection, preview.preview_token)
}

struct Ask<'a> {
    method: &'a Method,
    uri: &'a str,
    accept: &'a str,
    kind: &'a str,
    body: &'a str,
}

async fn statuses(site: &Site, ask: Ask<'_>) -> Statuses {
    let mut statuses = [0; 5];
    for (status, caller) in statuses.iter_mut().zip(["", "coach", "other", "manager", "admin"]) {
        let token = if caller.is_empty() { None } else { Some(site.token(caller).await) };
        let request = request(ask.method.clone(), ask.uri, token.as_deref())
            .header(header::ACCEPT, ask.accept)
            .header(header::CONTENT_TYPE, ask.kind)
            .body(Body::from(ask.body.to_owned()))
            .unwrap();
        *status = site.send(request).await.status().as_u16();
    }
    statuses
}
