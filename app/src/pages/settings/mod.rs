//! What belongs to one's own account: the password, and the access tokens of programs. The server renders it.

use leptos::prelude::*;
use model::{Me, account::Token};

use crate::{
    components::{blank::Notice, erase::Erase, icon::Icon, time::Time},
    refusal::Refusal,
};

/// The page; `done` says what has just been done, and `fresh` is a token that is shown this once.
#[component]
pub fn Settings(
    me: Me,
    tokens: Vec<Token>,
    done: Option<String>,
    fresh: Option<String>,
    refusal: Option<Refusal>,
) -> impl IntoView {
    let done = done.as_deref().map(|done| match done {
        "password" => view! {
            <Notice tone="ok" title="Your password is changed" text="Every other session of yours has ended."/>
        }
        .erase(),
        "revoked" => {
            view! { <Notice tone="ok" title="The token is revoked" text="Programs that used it are locked out."/> }
                .erase()
        }
        _ => ().erase(),
    });
    let shown = fresh.map(|token| {
        view! {
            <div class="notice ok" role="status">
                <Icon name="key"/>
                <div>
                    <strong>"Your new token"</strong>
                    <p>"Copy it now: it is shown this once."</p>
                    <p><code>{token}</code></p>
                </div>
            </div>
        }
    });
    let at = |field: &str| refusal.as_ref().and_then(|refusal| refusal.0.message_for(field)).map(str::to_owned);
    let (current, new, name) = (at("current"), at("password"), at("name"));
    let refused = refusal.as_ref().map(|refusal| {
        view! { <Notice title=refusal.0.title.clone() text=refusal.0.detail.clone()/> }
    });
    view! {
        <header class="head">
            <div>
                <h1>"Settings"</h1>
                <p class="facts"><span>{me.name.clone()}</span><span>{me.username.clone()}</span><span>{me.role.label()}</span></p>
            </div>
        </header>
        {done}
        {shown}
        {refused}
        <section aria-labelledby="h-password" class="stack measure">
            <div class="section"><h2 id="h-password">"Password"</h2></div>
            <form class="stack" method="post" action="/settings/password">
                <Secret id="current" label="Current password" complete="current-password" problem=current/>
                <Secret id="password" label="New password" complete="new-password" problem=new/>
                <p class="hint">"At least 10 characters. Your other sessions end, and you stay signed in here."</p>
                <div class="line"><button class="button primary">"Change password"</button></div>
            </form>
        </section>
        <section aria-labelledby="h-tokens" class="stack">
            <div class="section"><h2 id="h-tokens">"Access tokens"</h2></div>
            <p class="soft">"With a token a program may do through the API what you may do here."</p>
            {list(tokens)}
            <form class="line" method="post" action="/settings/tokens">
                <div class="field">
                    <label for="name">"Name of the program"</label>
                    <input class="input" id="name" name="name" required maxlength="60" aria-describedby="name-problem"/>
                    <span class="problem" id="name-problem">{name}</span>
                </div>
                <button class="button">"Make a token"</button>
            </form>
        </section>
    }
}

#[component]
fn Secret(id: &'static str, label: &'static str, complete: &'static str, problem: Option<String>) -> impl IntoView {
    view! {
        <div class="field">
            <label for=id>{label}</label>
            <input
                class="input"
                type="password"
                id=id
                name=id
                autocomplete=complete
                required
                aria-describedby=format!("{id}-problem")
                aria-invalid=problem.is_some().then_some("true")
            />
            <span class="problem" id=format!("{id}-problem")>{problem}</span>
        </div>
    }
}

fn list(tokens: Vec<Token>) -> AnyView {
    if tokens.is_empty() {
        return view! { <p class="soft">"You have no tokens."</p> }.erase();
    }
    let lines = tokens
        .into_iter()
        .map(|token| {
            view! {
                <tr>
                    <th scope="row">{token.name.clone().unwrap_or_else(|| "Made by an administrator".to_owned())}</th>
                    <td class="brief nowrap" data-prefix="made"><Time at=token.created_date date=true/></td>
                    <td class="first">
                        <form method="post" action=format!("/settings/tokens/{}/revoke", token.id)>
                            <button class="button quiet small">"Revoke"</button>
                        </form>
                    </td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <div class="tableframe">
            <table class="table still cards">
                <caption class="hidden">"Access tokens"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Program"</th>
                        <th scope="col">"Made"</th>
                        <th scope="col"><span class="hidden">"Revoke"</span></th>
                    </tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
        </div>
    }
    .erase()
}
