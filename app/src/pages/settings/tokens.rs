//! The access tokens of programs.

use leptos::prelude::*;
use model::account::Token;

use super::wrong;
use crate::{
    components::{
        erase::Erase,
        table::{
            Head::{Text, Unseen},
            table,
        },
        time::Time,
    },
    refusal::Refusal,
};

pub fn section(tokens: Vec<Token>, refusal: Option<&Refusal>) -> AnyView {
    view! {
        <section aria-labelledby="h-tokens" class="stack tight">
            <div class="section"><h2 id="h-tokens">"Access tokens"</h2></div>
            <p class="soft">"With a token a program may do through the API what you may do here."</p>
            {list(tokens)}
            <form class="line" method="post" action="/settings/tokens">
                <div class="field">
                    <label for="name">"Name of the program"</label>
                    <input class="input" id="name" name="name" required maxlength="60" aria-describedby="name-problem"/>
                    <span class="problem" id="name-problem">{wrong(refusal, "name")}</span>
                </div>
                <button class="button">"Make a token"</button>
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
    table("Access tokens", &[Text("Program"), Text("Made"), Unseen("Revoke")], lines)
}
