//! What went wrong, before everything else.

use crate::components::type_erasure::Erase;
use crate::components::values::numbers::units;
use leptos::prelude::*;
use model::{TaskRow, TaskState};

use crate::{
    components::{icon::Icon, tip::Tip},
    help::hint::Hint,
};

/// A notice for people who failed or are uncertain, or a task that did.
pub fn problems(row: &TaskRow) -> AnyView {
    let Some((tone, title, text)) = problem(row) else { return ().erase() };
    let show = match (row.failed, row.uncertain) {
        (1.., _) => Some("FAILED"),
        (_, 1..) => Some("UNCERTAIN"),
        _ => None,
    };
    let link = show.map(|which| {
        view! { <a class="button" href=format!("/tasks/{}?outcome={which}", row.id) data-noscroll>"Show them"</a> }
    });
    view! {
        <div class=format!("notice {tone}")>
            <Icon name="problems"/>
            <div><h2>{title}</h2><p>{text}</p>{(row.uncertain > 0).then(|| view! { <Tip on=Hint::Uncertain/> })}</div>
            {link}
        </div>
    }
    .erase()
}

fn problem(row: &TaskRow) -> Option<(&'static str, String, String)> {
    let why = |otherwise: &str| row.trouble.clone().unwrap_or_else(|| otherwise.to_owned());
    match row.state {
        TaskState::Failed => Some(("danger", "The task failed".into(), why("Changes made before it failed are kept."))),
        TaskState::CouldNotStart => Some(("danger", "The task could not start".into(), why("Nobody was changed."))),
        _ if row.failed > 0 => Some((
            "danger",
            format!("{} failed", units(&row.description(), row.failed)),
            why("The list below says why for each person."),
        )),
        _ if row.uncertain > 0 => Some((
            "warn",
            format!("{} uncertain", units(&row.description(), row.uncertain)),
            why("We cannot confirm these. Docket will not repeat them."),
        )),
        _ => None,
    }
}
