//! Choosing people by their school ids.

use leptos::prelude::*;

use super::rendered::rendered;
use crate::{
    pages::people::ids::{FoundIds, Ids, TITLE},
    server::asked::{Asked, Made},
    url,
};

pub async fn page(asked: Asked<'_>) -> Made {
    let Asked { caseload, actor, search, .. } = asked;
    let selected = match crate::pages::people::page_address::selection(search) {
        Some(token) => caseload.selections().get(actor, token, &[]).await.ok(),
        None => None,
    };
    let unknown = url::pairs(search).into_iter().filter(|(key, _)| key == "unknown").map(|(_, id)| id).collect();
    let number = |key| url::value(search, key).and_then(|number| number.parse().ok()).unwrap_or_default();
    let (more, repeated) = (number("more"), number("repeated"));
    let pasted = url::value(search, "pasted").unwrap_or_default();
    let found = FoundIds { selected, unknown, more, repeated, pasted };
    let (permissions, refusal) = (actor.permissions.clone(), url::refusal(search));
    rendered(TITLE, view! { <Ids found permissions refusal/> })
}
