//! One person.

use leptos::prelude::*;
use model::timeline::{TimelineKind, TimelineQuery};

use super::rendered::rendered;
use crate::{
    pages::person::{Person, erase::Erase, timeline},
    server::{
        self,
        asked::{Asked, Made},
    },
    url,
};

pub async fn page(asked: Asked<'_>) -> Made {
    let Asked { caseload, actor, named: id, search } = asked;
    let id = server::id(id, "person")?;
    let person = server::answer(caseload.people().get(actor, id).await)?;
    let (timeline, alerts, messages, tasks) = match person.row.reached {
        true => {
            let only = url::value(search, timeline::ONLY);
            let asked =
                server::answer(url::after(search).and_then(|after| TimelineQuery::read(only.as_deref(), after)))?;
            let alerts = TimelineQuery { only: Some(TimelineKind::Alert), after: None };
            (
                server::answer(caseload.people().timeline(actor, id, &asked).await)?,
                server::answer(caseload.people().timeline(actor, id, &alerts).await)?,
                server::answer(caseload.people().messages(actor, id).await)?,
                server::answer(caseload.people().tasks_of(actor, id).await)?,
            )
        }
        false => Default::default(),
    };
    let (refusal, permissions) = (url::refusal(search), actor.me().permissions);
    rendered(
        person.full_name.clone(),
        view! {
            <Person person timeline alerts search=search.to_owned() messages tasks role=actor.role permissions refusal/>
        },
    )
}

/// The question before a person is erased, for administrators.
pub async fn erase(asked: Asked<'_>) -> Made {
    let Asked { caseload, actor, named: id, search } = asked;
    let id = server::id(id, "person")?;
    let person = server::answer(caseload.people().get(actor, id).await)?;
    let title = format!("Erase {}", person.full_name);
    rendered(title, view! { <Erase person refusal=url::refusal(search)/> })
}
