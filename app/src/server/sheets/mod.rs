//! The pages that are rendered here alone: for each address, what it needs and how that is shown.

mod admin;
mod compose;
mod ids;
mod import;
mod person;
mod rendered;
mod settings;

use caseload::{Actor, Caseload};
use leptos::prelude::*;
use model::Problem;

use super::{DemoAccounts, html};
use crate::{
    pages::{
        login::{ChoosePassword, Login},
        served::sheet::Sheet,
        setup::Setup,
    },
    refusal::Refusal,
    url,
};

/// A page that is for strangers, too.
pub fn open(path: &str, search: &str) -> Option<Result<Sheet, Refusal>> {
    let (title, html) = match path {
        "/login" if super::must_change() => {
            let (next, refusal) = (url::value(search, "next").unwrap_or_default(), url::refusal(search));
            ("Choose a password", html("stack", view! { <ChoosePassword next refusal/> }))
        }
        "/login" => {
            let demo = use_context::<DemoAccounts>().unwrap_or_default().0;
            let username = super::typed_username();
            ("Sign in", html("stack", view! { <Login search=search.to_owned() username demo/> }))
        }
        "/setup" => {
            let token = url::value(search, "token").unwrap_or_default();
            let (name, username) = (url::value(search, "name"), super::typed_username());
            ("First account", html("stack", view! { <Setup token name username refusal=url::refusal(search)/> }))
        }
        _ => return None,
    };
    Some(Ok(Sheet { title: title.to_owned(), html, of: String::new(), pulse: None }))
}

/// The page at an address.
pub async fn of(caseload: &Caseload, actor: &Actor, path: &str, search: &str) -> Result<Sheet, Refusal> {
    let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
    match parts[..] {
        ["actions", "new", kind] => compose::sheet(caseload, actor, kind, search).await,
        ["people", "reassign"] => compose::list(actor, search),
        ["people", "ids"] => ids::sheet(caseload, actor, search).await,
        ["people", id, "erase"] => person::erase(caseload, actor, id, search).await,
        ["people", id] => person::sheet(caseload, actor, id, search).await,
        ["admin", "import"] => import::sheet(actor, search),
        ["admin", ref rest @ ..] => admin::of(caseload, actor, rest, search).await,
        ["settings"] => settings::sheet(caseload, actor, search).await,
        _ => super::answer(Err(Problem::not_found("page"))),
    }
}
