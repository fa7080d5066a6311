//! The pages for strangers: signing in, and the first account.

use caseload::{Caseload, password_links::LinkOwner};
use leptos::prelude::*;

use crate::{
    components::type_erasure::Erase,
    pages::{
        forgotten_password::{ChooseByLink, Forgotten, LinkGone},
        login::{ChoosePassword, Login},
        login_code::{CodeAsked, EnterCode},
        settings::second_factor::AtTheDoor,
        setup::{SetUp, Setup},
    },
    server::{self, AskedForCode, DemoAccounts, SignInWays, asked::OpenPage},
    url,
};

pub async fn login(search: &str) -> OpenPage {
    if server::must_change() {
        let (next, refusal) = (url::value(search, "next").unwrap_or_default(), url::refusal(search));
        return ("Choose a password", view! { <ChoosePassword next refusal/> }.erase());
    }
    if server::must_set_up() {
        let (app, next) = (server::offered_app().await, url::value(search, "next").unwrap_or_default());
        let (proof, refusal) = (server::own_proof(), url::refusal(search));
        let passkeys = server::passkeys_are_possible();
        return ("Set up an authenticator app", view! { <AtTheDoor app passkeys next proof refusal/> }.erase());
    }
    let demo = use_context::<DemoAccounts>().unwrap_or_default().0;
    let username = server::typed_username();
    let passkeys = server::passkeys_are_possible();
    let ways = use_context::<SignInWays>().unwrap_or_default().0;
    ("Sign in", view! { <Login search=search.to_owned() username forgot=sends_mail() passkeys ways demo/> }.erase())
}

/// Where a code is asked for, after the password.
pub async fn code(search: &str) -> OpenPage {
    let (asked, typed) = (server::asked_for_code(), server::typed_username());
    let asked = asked.map(|AskedForCode { username, app, passkey }| CodeAsked { username, app, passkey });
    ("Enter your code", view! { <EnterCode search=search.to_owned() asked typed/> }.erase())
}

/// Where a link to a new password is asked for.
pub async fn forgot(search: &str) -> OpenPage {
    let (username, refusal) = (server::typed_username(), url::refusal(search));
    let view = view! { <Forgotten search=search.to_owned() username refusal sends=sends_mail()/> };
    ("Forgot your password?", view.erase())
}

/// Where such a link leads. Looking at it does not use it up.
pub async fn password(search: &str) -> OpenPage {
    let token = url::value(search, "token").unwrap_or_default();
    let owner = match use_context::<Caseload>() {
        Some(caseload) => server::answer_part(caseload.accounts().owner_of_link(&token).await).unwrap_or_default(),
        None => None,
    };
    let Some(LinkOwner { username, is_new }) = owner else {
        return ("Choose a password", view! { <LinkGone/> }.erase());
    };
    ("Choose a password", view! { <ChooseByLink token username is_new refusal=url::refusal(search)/> }.erase())
}

fn sends_mail() -> bool {
    use_context::<Caseload>().is_some_and(|caseload| caseload.mail().is_configured())
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
