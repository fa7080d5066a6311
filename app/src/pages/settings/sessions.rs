//! Where one is signed in.

use leptos::prelude::*;
use model::account::SignedIn;

use crate::components::{
    erase::Erase,
    table::{
        Head::{Text, Unseen},
        table,
    },
    time::Time,
};

pub fn section(sessions: Option<Vec<SignedIn>>) -> AnyView {
    let others = sessions.as_ref().is_none_or(|sessions| sessions.iter().any(|session| !session.current));
    let end = others.then(|| {
        view! {
            <form class="line" method="post" action="/settings/sessions/end">
                <button class="button">"Sign out everywhere else"</button>
            </form>
        }
    });
    view! {
        <section aria-labelledby="h-sessions" class="stack tight">
            <div class="section"><h2 id="h-sessions">"Sessions"</h2></div>
            {match sessions {
                Some(sessions) => list(sessions),
                None => view! { <p class="soft">"They cannot be listed right now."</p> }.erase(),
            }}
            {end}
        </section>
    }
    .erase()
}

fn list(sessions: Vec<SignedIn>) -> AnyView {
    let lines = sessions
        .into_iter()
        .map(|session| {
            view! {
                <tr>
                    <th scope="row">{session.device.unwrap_or_else(|| "Some browser".to_owned())}</th>
                    <td class="brief nowrap" data-prefix="signed in"><Time at=session.created_date/></td>
                    <td class="first soft">{session.current.then_some("This one")}</td>
                </tr>
            }
        })
        .collect_view();
    table("Where you are signed in", &[Text("Browser"), Text("Signed in"), Unseen("Which")], lines)
}
