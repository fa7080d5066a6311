//! The access tokens of programs.

use leptos::{prelude::*, server_fn::ServerFn};
use model::{
    Role,
    account::{Token, TokenScope},
};

use super::api::RevokeToken;
use crate::{
    components::{
        icon::Icon,
        own_password::{OwnProof, own_password},
        table::{
            Head::{Text, Unseen},
            table,
        },
        type_erasure::Erase,
        values::time::Time,
    },
    refusal::{Refusal, wrong},
};

/// How long a token may last, in days.
const LASTS: [(&str, &str); 5] =
    [("7", "7 days"), ("30", "30 days"), ("90", "90 days"), ("180", "180 days"), ("365", "A year")];
/// Unless told otherwise.
const DEFAULT_DAYS: &str = "90";

pub fn section(tokens: Vec<Token>, role: Role, proof: OwnProof, refusal: Option<&Refusal>) -> AnyView {
    let given = |field: &str| refusal.and_then(|refusal| refusal.given(field));
    let (scope, days) = (given("scope"), given("days").unwrap_or_else(|| DEFAULT_DAYS.to_owned()));
    let scope = scope.unwrap_or_else(|| TokenScope::Read.name().to_owned());
    // A token goes no further than its account.
    let scopes =
        TokenScope::ALL.iter().filter(|scope| role == Role::Administrator || **scope != TokenScope::Administer);
    let scopes = scopes.map(|offered| {
        view! {
            <label class="choice">
                <input type="radio" name="scope" value=offered.name() checked=offered.name() == scope/>
                <span>{offered.label()}<small>{offered.says()}</small></span>
            </label>
        }
    });
    let lasts = LASTS.map(|(number, label)| view! { <option value=number selected=number == days>{label}</option> });
    view! {
        <section aria-labelledby="h-tokens" class="stack tight">
            <div class="section"><h2 id="h-tokens">"Access tokens"</h2></div>
            <p class="soft">"A token gives a program your permissions, as far as you choose below."</p>
            {list(tokens)}
            <form class="stack tight measure" method="post" action="/settings/tokens">
                <div class="field">
                    <label for="name">"Name of the program"</label>
                    <input class="input" id="name" name="name" required maxlength="60" value=given("name") aria-describedby="name-problem"/>
                    <span class="problem" id="name-problem">{wrong(refusal, "name")}</span>
                </div>
                <fieldset class="field">
                    <legend>"Permissions"</legend>
                    <div class="choices">{scopes.collect_view()}</div>
                </fieldset>
                <div class="field">
                    <label for="days">"Expires after"</label>
                    <span class="select">
                        <select id="days" name="days" aria-describedby="days-problem">{lasts.into_iter().collect_view()}</select>
                        <Icon name="down"/>
                    </span>
                    <span class="problem" id="days-problem">{wrong(refusal, "days")}</span>
                </div>
                {own_password("token-own", &proof, refusal)}
                <div class="line"><button class="button">"Create token"</button></div>
            </form>
        </section>
    }
    .erase()
}

fn list(tokens: Vec<Token>) -> AnyView {
    if tokens.is_empty() {
        return view! { <p class="soft">"You have no tokens."</p> }.erase();
    }
    let lines = tokens
        .into_iter()
        .map(|token| {
            view! {
                <tr data-key=token.id.to_string()>
                    <th scope="row">{token.name.clone()}</th>
                    <td class="brief" data-prefix="permissions">{token.scope.label()}</td>
                    <td class="brief nowrap" data-prefix="created"><Time at=token.created_date date=true/></td>
                    <td class="brief nowrap" data-prefix="expires">{until(&token)}</td>
                    <td class="brief" data-prefix="last used">{last_used(&token)}</td>
                    <td class="first">
                        <form method="post" action=RevokeToken::url()>
                            <input type="hidden" name="id" value=token.id.to_string()/>
                            <button class="button quiet small" aria-label=format!("Revoke {}", token.name)>"Revoke"</button>
                        </form>
                    </td>
                </tr>
            }
        })
        .collect_view();
    let heads =
        [Text("Program"), Text("Permissions"), Text("Created"), Text("Expires"), Text("Last used"), Unseen("Revoke")];
    table("Access tokens", &heads, lines)
}

/// When a token ends, or that it has.
pub fn until(token: &Token) -> AnyView {
    let ended = token.expired.then_some(" (expired)");
    view! { <Time at=token.expiry_date date=true/>{ended} }.into_view().erase()
}

/// When a program came with a token last, and from where.
pub fn last_used(token: &Token) -> AnyView {
    let Some(at) = token.used_date else { return view! { <span class="soft">"never"</span> }.erase() };
    let from = token.used_from.clone().map(|from| format!(" from {from}"));
    view! { <Time at/>{from} }.into_view().erase()
}
