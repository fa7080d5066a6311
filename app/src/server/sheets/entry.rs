//! The pages for strangers: signing in, and the first account.

use caseload::Caseload;
use leptos::prelude::*;

use crate::{
    components::type_erasure::Erase,
    pages::{
        login::{ChoosePassword, Login},
        setup::{SetUp, Setup},
    },
    server::{self, DemoAccounts, asked::OpenPage},
    url,
};

pub async fn login(search: &str) -> OpenPage {
    if server::must_change() {
        let (next, refusal) = (url::value(search, "next").unwrap_or_default(), url::refusal(search));
        return ("Choose a password", view! { <ChoosePassword next refusal/> }.erase());
    }
    let demo = use_context::<DemoAccounts>().unwrap_or_default().0;
    let username = server::typed_username();
    ("Sign in", view! { <Login search=search.to_owned() username demo/> }.erase())
}

/// The first account is made once: whoever comes later is told where to sign in.
pub async fn setup(search: &str) -> OpenPage {
    let is_set_up = match use_context::<Caseload>() {
        Some(caseload) => server::answer_part(caseload.accounts().are_there().await).unwrap_or_default(),
        None => false,
    };
    if is_set_up {
        return ("First account", view! { <SetUp/> }.erase());
    }
    let token = url::value(search, "token").unwrap_or_default();
    let (name, username) = (url::value(search, "name"), server::typed_username());
    ("First account", view! { <Setup token name username refusal=url::refusal(search)/> }.erase())
}
