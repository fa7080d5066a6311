//! One account.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{
    Total,
    account::SecondFactor,
    admin::{AuditEntry, UserRow},
};

use super::{left_tasks, rights::rights, second_factor, shared::state, tokens::tokens};
use crate::{
    components::{
        icon::Icon,
        own_password::{OwnProof, own_password},
        type_erasure::Erase,
        values::{
            numbers::{counted, short},
            time::Time,
        },
    },
    pages::admin::{
        act::{self, VerbButton},
        api::DisableAccount,
        audit,
    },
    refusal::Refusal,
};

/// One account.
pub fn one(
    user: UserRow,
    link_goes_to: Option<String>,
    me: bool,
    proof: OwnProof,
    (trail, more): (Vec<AuditEntry>, bool),
    (factor, left): (Option<SecondFactor>, u64),
    refusal: Option<Refusal>,
) -> AnyView {
    let to = |verb: &str| format!("/admin/users/{}/{verb}", user.person_id);
    let all = more.then(|| format!("/admin/audit?objectKind=account&objectId={}", user.person_id));
    let state = state(&user);
    let one_time = || VerbButton::new(to("password"), "Create a one-time password", "key", "");
    let (about, verbs) = match (user.disabled, me, link_goes_to) {
        (true, ..) => (
            "Enable the account to let them sign in again.".to_owned(),
            vec![VerbButton::new(to("enable"), "Enable the account", "done", "primary")],
        ),
        (false, true, _) => ("You choose a new password of your own in “Settings”.".to_owned(), Vec::new()),
        (false, false, Some(address)) => (
            format!(
                "Send a link to {address}, with which they choose a password themselves, or create a one-time password and pass it on. A new password signs them out and revokes their tokens."
            ),
            vec![VerbButton::new(to("link"), "Send a link", "mail", ""), one_time()],
        ),
        (false, false, None) => (
            "A one-time password signs them out and revokes their tokens. It works for one sign-in; then they choose their own."
                .to_owned(),
            vec![one_time()],
        ),
    };
    let (tasks, did) = if me { ("Your tasks", "What you did") } else { ("Their tasks", "What they did") };
    // What was refused is said in the form that it was sent from.
    let form = refusal.as_ref().map_or("", |refusal| match refusal.given("form").as_deref() {
        Some("disable") => "disable",
        Some("tokens") => "tokens",
        Some("factor") => "factor",
        Some("left") => "left",
        _ if refusal.given("rights-reason").is_some() => "rights",
        _ => "access",
    });
    let of = |name: &str| refusal.as_ref().filter(|_| form == name);
    // A new password asks for it, and letting somebody in again.
    let own = own_password("access-own", &proof, of("access"));
    let access = match me && !user.disabled {
        true => view! { <div class="line"><a class="button" href="/settings">"Change your password"</a></div> }.erase(),
        false => act::form_with("access", verbs, vec![("id", user.person_id.to_string())], own, of("access")),
    };
    let open_tasks = format!("/admin/tasks?owner={}&state=WAITING,RETRYING,SCHEDULED,HELD,RUNNING", user.username);
    let id = vec![("id", user.person_id.to_string())];
    let disable = (!user.disabled).then(|| disable(me, id, of("disable")));
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here">
                    <li><a href="/admin/users">"Users"</a></li>
                    <li class="id">{user.username.clone()}</li>
                </ol>
                <div class="title">
                    <h1>{user.name.clone()}</h1>
                    {state}
                    {me.then(|| view! { <span class="meta soft nowrap">"your account"</span> })}
                </div>
                {facts(&user)}
            </div>
            <div class="line">
                <a class="button" href=open_tasks><Icon name="tasks"/>{tasks}</a>
                <a class="button" href=format!("/admin/audit?actor={}", user.username)><Icon name="audit"/>{did}</a>
            </div>
        </header>
        {act::refused(refusal.as_ref())}
        <div class="halves">
            <section aria-labelledby="h-rights" class="panel">
                <h2 id="h-rights">"Role and permissions"</h2>
                {rights(&user, me, &proof, of("rights"))}
            </section>
            <div class="stack">
                {left_tasks::panel(user.person_id, left, of("left"))}
                {tokens(&user, me, of("tokens"))}
                <section aria-labelledby="h-access" class="panel">
                    <h2 id="h-access">"Access"</h2>
                    <p class="soft">{about}</p>
                    {access}
                </section>
                {factor.map(|factor| second_factor::panel(user.person_id, &factor, me, &proof, of("factor")))}
                {disable}
            </div>
        </div>
        {audit::section(trail, all)}
    }
    .erase()
}

/// What an administrator looks for first.
fn facts(user: &UserRow) -> AnyView {
    let signed_in = match user.last_sign_in {
        Some(at) => view! { "Last signed in "<Time at/> }.into_view().erase(),
        None => "Never signed in".erase(),
    };
    let awaits = user.awaits_password.then(|| view! { <span>"Has not chosen a password yet"</span> });
    let tokens = counted(user.tokens.len() as u64, "access token", "access tokens");
    let tasks = match user.open_tasks {
        Total { value: 1, exact: true } => "1 unfinished task".to_owned(),
        total => format!("{} unfinished tasks", short(total)),
    };
    view! {
        <p class="facts">
            <span>{user.role.label()}</span>
            <span>"School ID "<span class="id">{user.school_id.clone()}</span></span>
            <span>{signed_in}</span>
            {awaits}
            <span>{tokens}</span>
            <span>{tasks}</span>
            <span>"Added "<Time at=user.created_date date=true/></span>
        </p>
    }
    .erase()
}

/// Shutting somebody out, apart from what is harmless.
fn disable(me: bool, id: Vec<(&'static str, String)>, refusal: Option<&Refusal>) -> AnyView {
    let verb = VerbButton::new(DisableAccount::url(), "Disable the account", "lock", "danger");
    let (consequence, form) = match me {
        true => ("You cannot disable your own account.", None),
        false => (
            "They are signed out and their tokens end within seconds. Their running tasks fail. Their waiting and scheduled tasks stand still until you hand them over, close them or enable the account again.",
            Some(act::form("disable", vec![verb], id, refusal)),
        ),
    };
    view! {
        <section aria-labelledby="h-disable" class="panel">
            <h2 id="h-disable">"Disable the account"</h2>
            <p class="soft">{consequence}</p>
            {form}
        </section>
    }
    .erase()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only the running ones were spoken of.
    #[test]
    fn what_becomes_of_tasks_that_wait_is_told_before_an_account_is_disabled() {
        let told = disable(false, Vec::new(), None).to_html();
        assert!(told.contains("Their running tasks fail."), "{told}");
        assert!(told.contains("waiting and scheduled tasks stand still"), "{told}");
        assert!(!disable(true, Vec::new(), None).to_html().contains("tasks"));
    }
}
