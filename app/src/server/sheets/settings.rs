//! What belongs to one's own account.

use caseload::{Actor, Caseload};
use leptos::prelude::*;

use crate::{
    pages::{served::Sheet, settings::Settings},
    refusal::Refusal,
    server, url,
};

pub async fn sheet(caseload: &Caseload, actor: &Actor, search: &str) -> Result<Sheet, Refusal> {
    let tokens = server::answer(caseload.tokens(actor).await)?;
    let (me, done, fresh) = (actor.me(), url::value(search, "done"), server::fresh_token());
    super::sheet("Settings", view! { <Settings me tokens done fresh refusal=url::refusal(search)/> })
}
