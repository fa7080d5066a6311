//! All accounts.

use leptos::prelude::*;
use model::admin::UserRow;

use super::shared::state;
use crate::{
    components::{
        icon::Icon,
        table::{
            Head::{Number, Text},
            table,
        },
        type_erasure::Erase,
        values::{
            numbers::{counted, short},
            time::Time,
        },
    },
    pages::admin::act,
    refusal::Refusal,
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
