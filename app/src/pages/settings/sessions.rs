//! Where one is signed in.

use leptos::prelude::*;
use model::account::SignedIn;

use crate::components::{
    icon::Icon,
    table::{
        Head::{Text, Unseen},
        table,
    },
    type_erasure::Erase,
    values::{numbers::counted, time::Time},
};

pub fn section(sessions: Option<Vec<SignedIn>>, has_tokens: bool) -> AnyView {
    let others = sessions.as_ref().is_none_or(|sessions| sessions.iter().any(|session| !session.current));
    let end = (others || has_tokens).then(|| {
        let tokens = has_tokens.then(|| {
            view! {
                <label class="choice">
                    <input type="checkbox" name="tokens" value="yes"/>
                    <span>"Also revoke my access tokens"<small>"Programs that use them are locked out"</small></span>
                </label>
            }
        });
        view! {
            <form class="stack tight" method="post" action="/settings/sessions/end">
                {tokens}
                <div class="line"><button class="button">"Sign out everywhere else"</button></div>
            </form>
        }
    });
    view! {
        <section aria-labelledby="h-sessions" class="stack tight">
            <div class="section"><h2 id="h-sessions">"Sessions"</h2></div>
            {match sessions {
                Some(sessions) => list(sessions),
                None => view! { <p class="soft">"Your sessions cannot be listed right now. Reload the page in a moment."</p> }.erase(),
            }}
            {end}
        </section>
    }
    .erase()
}

/// How many are in sight; the others are folded.
const IN_SIGHT: usize = 5;

/// This browser, and then where one signed in last.
fn list(mut sessions: Vec<SignedIn>) -> AnyView {
    sessions.sort_by_key(|session| !session.current);
    let earlier = sessions.split_off(sessions.len().min(IN_SIGHT));
    let earlier = (!earlier.is_empty()).then(|| {
        let words = format!("Show {}", counted(earlier.len() as u64, "earlier session", "earlier sessions"));
        view! {
            <details class="disclosure">
                <summary><Icon name="right"/>{words}</summary>
                {lines("Where you signed in earlier", earlier)}
            </details>
        }
    });
    view! { {lines("Where you are signed in", sessions)}{earlier} }.erase()
}

fn lines(caption: &'static str, sessions: Vec<SignedIn>) -> AnyView {
    let lines = sessions
        .into_iter()
        .map(|session| {
            let browser = session.device.unwrap_or_else(|| "Unknown browser".to_owned());
            let end = match session.current {
                true => view! { <span class="soft">"This browser"</span> }.erase(),
                false => view! {
                    <form method="post" action=format!("/settings/sessions/{}/end", session.id)>
                        <button class="button small" aria-label=format!("Sign out {browser}")>"Sign out"</button>
                    </form>
                }
                .erase(),
            };
            view! {
                <tr data-key=session.id.clone()>
                    <th scope="row">{browser}</th>
                    <td class="brief nowrap" data-prefix="from">{session.from.unwrap_or_else(|| "not known".to_owned())}</td>
                    <td class="brief nowrap" data-prefix="signed in"><Time at=session.created_date/></td>
                    <td class="first">{end}</td>
                </tr>
            }
        })
        .collect_view();
    table(caption, &[Text("Browser"), Text("From"), Text("Signed in"), Unseen("Sign out")], lines)
}
