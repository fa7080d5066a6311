//! The pages that are rendered here alone: for each address, what it needs and how that is shown.

mod admin;
mod compose;
mod go;
mod help;
mod ids;
mod import;
mod people;
mod person;
mod rendered;
mod saved_views;
mod settings;
mod task;
mod tasks;

use caseload::{Actor, Caseload};
use leptos::prelude::*;
use model::Problem;

use super::DemoAccounts;
use crate::{
    components::{frame::PageContent, type_erasure::Erase},
    pages::{
        login::{ChoosePassword, Login},
        setup::{SetUp, Setup},
    },
    refusal::Refusal,
    url,
};
pub use saved_views::views_of;

/// A page that is for strangers, too. The first account is made once: whoever `is_set_up` is told where to sign in.
pub fn open(path: &str, search: &str, is_set_up: bool) -> Option<(&'static str, AnyView)> {
    Some(match path {
        "/login" if super::must_change() => {
            let (next, refusal) = (url::value(search, "next").unwrap_or_default(), url::refusal(search));
            ("Choose a password", view! { <ChoosePassword next refusal/> }.erase())
        }
        "/login" => {
            let demo = use_context::<DemoAccounts>().unwrap_or_default().0;
            let username = super::typed_username();
            ("Sign in", view! { <Login search=search.to_owned() username demo/> }.erase())
        }
        "/setup" if is_set_up => ("First account", view! { <SetUp/> }.erase()),
        "/setup" => {
            let token = url::value(search, "token").unwrap_or_default();
            let (name, username) = (url::value(search, "name"), super::typed_username());
            ("First account", view! { <Setup token name username refusal=url::refusal(search)/> }.erase())
        }
        _ => return None,
    })
}

/// The page at an address.
pub async fn of(caseload: &Caseload, actor: &Actor, path: &str, search: &str) -> Result<PageContent, Refusal> {
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    match parts[..] {
        ["actions", "new", kind] => compose::sheet(caseload, actor, kind, search).await,
        ["people"] => people::page(caseload, actor, search).await,
        ["tasks"] => tasks::page(caseload, actor, search).await,
        ["tasks", id] => task::page(caseload, actor, id, search).await,
        ["people", "reassign"] => compose::list(actor, search),
        ["people", "ids"] => ids::sheet(caseload, actor, search).await,
        ["people", id, "erase"] => person::erase(caseload, actor, id, search).await,
        ["people", id] => person::sheet(caseload, actor, id, search).await,
        ["admin", "import"] => import::sheet(caseload, actor, search).await,
        ["admin", "import", id] => import::one(caseload, actor, id, search).await,
        ["admin", ref rest @ ..] => admin::of(caseload, actor, rest, search).await,
        ["go"] => go::sheet(caseload, actor, search).await,
        ["help"] => help::index(caseload, actor, search),
        ["help", topic] => help::sheet(caseload, actor, topic),
        ["settings"] => settings::sheet(caseload, actor, search).await,
        _ => super::answer(Err(Problem::not_found("page"))),
    }
}
