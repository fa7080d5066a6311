//! Uploading people, for administrators.

use caseload::{Actor, import::DEFAULT_MAPPING};
use leptos::prelude::*;
use model::{Problem, Role};

use super::rendered::rendered;
use crate::{components::frame::PageContent, pages::import::Import, refusal::Refusal, server, url};

pub fn sheet(actor: &Actor, search: &str) -> Result<PageContent, Refusal> {
    if actor.role != Role::Administrator {
        return server::answer(Err(Problem::forbidden("Only administrators can import people.")));
    }
    let refusal = url::refusal(search);
    let given = refusal.as_ref().and_then(|refusal| refusal.given("mapping"));
    rendered("Import people", view! { <Import mapping=given.unwrap_or_else(|| DEFAULT_MAPPING.to_owned()) refusal/> })
}
