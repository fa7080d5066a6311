//! Accounts of staff: who may sign in, as what, and shutting somebody out.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{
    Permission, Role, Total,
    admin::{AuditEntry, UserRow},
};

use super::{
    act::{self, VerbButton},
    api::{DisableAccount, RevokeTokenOf},
    audit,
};
use crate::components::values::numbers::{counted, short};
use crate::{
    components::{
        icon::Icon,
        optional::Optional,
        own_password::{OwnProof, own_password},
        table::{
            Head::{Number, Text},
            table,
        },
        type_erasure::Erase,
        values::{badge::Badge, time::Time},
    },
    pages::{
        settings::tokens::{last_used, until},
        setup::USERNAME,
    },
    refusal::{Refusal, wrong},
};

/// The page.
pub fn view(users: Vec<UserRow>, refusal: Option<Refusal>) -> AnyView {
    let shut = users.iter().filter(|user| user.disabled).count();
    let shut = (shut > 0).then(|| view! { <span>{format!("{shut} disabled")}</span> });
    let facts = counted(users.len() as u64, "user", "users");
    let lines = users
        .into_iter()
        .map(|user| {
            let state = state(&user);
            let last = user.last_sign_in.map(|at| view! { <Time at/> }.erase());
            let last = last.unwrap_or_else(|| view! { <span class="soft">"Never signed in"</span> }.erase());
            // On a small screen the label would stand before it once more.
            let prefix = user.last_sign_in.map(|_| "signed in");
            // On a card a number that is none says nothing.
            let numbers = |number: u64| if number == 0 { "wide-only num soft" } else { "brief num" };
            let tasks = match user.open_tasks.value {
                0 => "0".erase(),
                _ => view! { <a href=format!("/admin/tasks?owner={}&state=WAITING,RETRYING,SCHEDULED,HELD,RUNNING", user.username)>{short(user.open_tasks)}</a> }.erase(),
            };
            let one = |number: u64, one: &'static str, several: &'static str| if number == 1 { one } else { several };
            let unfinished = one(user.open_tasks.value, "unfinished task", "unfinished tasks");
            let tokens = user.tokens.len() as u64;
            view! {
                <tr data-key=user.person_id.to_string() data-user=user.username.clone()>
                    <th scope="row">
                        <a href=format!("/admin/users/{}", user.person_id)>{user.name.clone()}</a>
                        <span class="sub id">{user.username.clone()}</span>
                    </th>
                    <td class="brief">{user.role.label()}</td>
                    <td class="first">{state}</td>
                    <td class=numbers(user.open_tasks.value) data-suffix=unfinished>{tasks}</td>
                    <td class=numbers(tokens) data-suffix=one(tokens, "token", "tokens")>{tokens.to_string()}</td>
                    <td class="brief nowrap" data-prefix=prefix>{last}</td>
                </tr>
            }
        })
        .collect_view();
    let heads = [
        Text("User"),
        Text("Role"),
        Text("State"),
        Number("Unfinished tasks"),
        Number("Tokens"),
        Text("Last signed in"),
    ];
    view! {
        <header class="head">
            <div>
                <h1>"Users"</h1>
                <p class="facts"><span>{facts}</span>{shut}</p>
            </div>
            <div class="line"><a class="button primary" href="/admin/users/new"><Icon name="plus"/>"Add a user"</a></div>
        </header>
        {act::refused(refusal.as_ref())}
        {table("Users", &heads, lines)}
    }
    .erase()
}

fn state(user: &UserRow) -> AnyView {
    match user.disabled {
        true => view! { <Badge icon="lock" tone="" text="Disabled"/> }.erase(),
        false => view! { <Badge icon="done" tone="ok" text="Active"/> }.erase(),
    }
}

/// One account.
pub fn one(
    user: UserRow,
    link_goes_to: Option<String>,
    me: bool,
    proof: OwnProof,
    (trail, more): (Vec<AuditEntry>, bool),
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
                {tokens(&user, me, of("tokens"))}
                <section aria-labelledby="h-access" class="panel">
                    <h2 id="h-access">"Access"</h2>
                    <p class="soft">{about}</p>
                    {access}
                </section>
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
            "They are signed out and their tokens end within seconds. Their running tasks fail. Their waiting and scheduled tasks stay in the queue: each of them fails when it starts, unless you have enabled the account again by then.",
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

fn rights(user: &UserRow, me: bool, proof: &OwnProof, refusal: Option<&Refusal>) -> AnyView {
    let given = |field: &str| refusal.and_then(|refusal| refusal.given(field));
    let (role, ticked, reason) = (given("role"), given("permissions"), given("rights-reason"));
    let wrong = wrong(refusal, "reason");
    let roles = roles(role.as_deref().unwrap_or(user.role.name()));
    let mine = (me && user.role == Role::Administrator).then(|| {
        view! { <p class="soft">"This is your own account. With another role you can no longer open these pages."</p> }
    });
    let boxes = Permission::ALL.iter().map(|permission| {
        let checked = match &ticked {
            Some(ticked) => ticked.split(',').any(|name| name == permission.name()),
            None => user.permissions.contains(permission),
        };
        view! {
            <label class="choice">
                <input type="checkbox" name=permission.name() value="yes" checked=checked/>
                <span>{permission.label()}</span>
            </label>
        }
    });
    view! {
        <form class="stack tight" method="post" action=format!("/admin/users/{}/change", user.person_id)>
            {roles}
            {mine}
            <fieldset class="field">
                <legend>"Permissions"</legend>
                <div class="choices">{boxes.collect_view()}</div>
            </fieldset>
            <div class="field">
                <label for="rights-reason">"Reason " <span class="soft">"(kept in the audit trail)"</span></label>
                <input
                    class="input"
                    id="rights-reason"
                    name="reason"
                    required
                    maxlength="500"
                    autocomplete="off"
                    value=reason
                    aria-describedby="rights-problem"
                    aria-invalid=wrong.is_some().then_some("true")
                />
                <span class="problem" id="rights-problem">{wrong}</span>
            </div>
            {own_password("rights-own", proof, refusal)}
            <div class="line"><button class="button primary">"Save role and permissions"</button></div>
        </form>
    }
    .erase()
}

fn roles(chosen: &str) -> AnyView {
    let options = Role::ALL.iter().map(|role| {
        view! { <option value=role.name() selected=role.name() == chosen>{role.label()}</option> }
    });
    view! {
        <div class="field">
            <label for="role">"Role"</label>
            <span class="select">
                <select id="role" name="role">{options.collect_view()}</select>
                <Icon name="down"/>
            </span>
            <span class="hint">"Coaches can act on their caseload, managers on everyone. Administrators also manage the queue and users."</span>
        </div>
    }
    .erase()
}

fn tokens(user: &UserRow, me: bool, refusal: Option<&Refusal>) -> Option<AnyView> {
    if user.tokens.is_empty() {
        return None;
    }
    let options = user.tokens.iter().map(|token| {
        view! {
            <label class="choice" data-key=token.id.to_string()>
                <input type="radio" name="token" value=token.id.to_string() required/>
                <span>
                    {token.name.clone()}
                    " "
                    <span class="meta soft">
                        {token.scope.label()} ", created " <Time at=token.created_date date=true/> ", expires " {until(token)}
                        ", last used: " {last_used(token)}
                    </span>
                </span>
            </label>
        }
    });
    let wrong = wrong(refusal, "reason");
    Some(
        view! {
            <section aria-labelledby="h-tokens" class="panel">
                <h2 id="h-tokens">"Access tokens"</h2>
                <p class="soft">{if me { "Programs use these with your permissions." } else { "Programs use these with their permissions." }}</p>
                <form class="stack tight" method="post" action=RevokeTokenOf::url()>
                    <input type="hidden" name="id" value=user.person_id.to_string()/>
                    <fieldset class="choices"><legend class="hidden">"Token"</legend>{options.collect_view()}</fieldset>
                    <div class="field">
                        <label for="token-reason">"Reason " <span class="soft">"(kept in the audit trail)"</span></label>
                        <input
                            class="input"
                            id="token-reason"
                            name="reason"
                            required
                            maxlength="500"
                            autocomplete="off"
                            aria-describedby="token-problem"
                            aria-invalid=wrong.is_some().then_some("true")
                        />
                        <span class="problem" id="token-problem">{wrong}</span>
                    </div>
                    <div class="line"><button class="button danger">"Revoke token"</button></div>
                </form>
            </section>
        }
        .erase(),
    )
}

/// A school ID that nobody has is taken once somebody says that it is new.
fn new_school_id(refusal: Option<&Refusal>) -> Option<AnyView> {
    let refusal = refusal?;
    let is_new = refusal.given("newSchoolId").is_some_and(|given| !given.is_empty());
    let is_unknown = refusal.0.errors.iter().any(|error| error.field == "schoolId" && error.code == "unknown");
    (is_new || is_unknown).then(|| {
        view! {
            <label class="choice">
                <input type="checkbox" name="new_school_id" value="yes" checked=is_new/>
                <span>"This school ID is new"<small>"The person is added to Docket with it, and imported files can name them as coach by it"</small></span>
            </label>
        }
        .erase()
    })
}

/// An account to be; `username` as it was typed before, if it was refused.
pub fn new(proof: OwnProof, sends_mail: bool, username: String, refusal: Option<Refusal>) -> AnyView {
    let field = |name: &'static str, label: &'static str, hint: &str, key: &'static str, required: bool| {
        let wrong = wrong(refusal.as_ref(), key);
        let given = refusal.as_ref().and_then(|refusal| refusal.given(key)).unwrap_or_default();
        let given = if key == "username" { username.clone() } else { given };
        let (hint_id, problem_id) = (format!("{name}-hint"), format!("{name}-problem"));
        view! {
            <div class="field">
                <label for=name>{label}{(!required).then(|| view! { <Optional/> })}</label>
                <input
                    class="input"
                    id=name
                    name=name
                    required=required
                    maxlength="100"
                    autocomplete="off"
                    value=given
                    aria-describedby=format!("{hint_id} {problem_id}")
                    aria-invalid=wrong.is_some().then_some("true")
                />
                <span class="hint" id=hint_id>{hint.to_owned()}</span>
                <span class="problem" id=problem_id>{wrong}</span>
                {(key == "schoolId").then(|| new_school_id(refusal.as_ref()))}
            </div>
        }
        .erase()
    };
    let sign_in = format!("What they sign in with. {USERNAME}");
    let start = match sends_mail {
        true => "They start with the usual permissions of the role; you can change them afterwards.",
        false => {
            "They start with the usual permissions of the role; you can change them afterwards. Docket creates a password and shows it once, for you to give to them. It works for one sign-in; then they choose their own."
        }
    };
    let role = refusal.as_ref().and_then(|refusal| refusal.given("role")).unwrap_or_else(|| "coach".to_owned());
    view! {
        <header class="head">
            <div>
                <ol class="crumbs" aria-label="You are here"><li><a href="/admin/users">"Users"</a></li></ol>
                <h1>"Add a user"</h1>
            </div>
        </header>
        <form class="stack measure" method="post" action="/admin/users/add">
            {field("name", "Name", "First and last name, as students and colleagues see it.", "name", true)}
            {field("username", "Username", &sign_in, "username", true)}
            {field("school_id", "School ID", "Of a member of staff who is in Docket already; their name there stays. Leave it empty for anybody else.", "schoolId", false)}
            {sends_mail.then(|| field("address", "Email address", "They get a link there to choose a password. Without it Docket shows you a one-time password to pass on.", "address", false))}
            {roles(&role)}
            {field("reason", "Reason", "Why they get an account. Kept in the audit trail.", "reason", true)}
            {own_password("own", &proof, refusal.as_ref())}
            <p class="soft">
                {start}
            </p>
            <div class="line">
                <button class="button primary large">"Add the user"</button>
                <a class="button quiet large" href="/admin/users">"Back to users"</a>
            </div>
        </form>
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
        assert!(told.contains("waiting and scheduled tasks stay in the queue"), "{told}");
        assert!(!disable(true, Vec::new(), None).to_html().contains("tasks"));
    }
}
