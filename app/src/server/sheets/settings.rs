//! What belongs to one's own account.

use caseload::preferences::time_zones;
use leptos::prelude::*;

use super::rendered::rendered;
use crate::{
    pages::done,
    pages::settings::{Settings, SettingsContent},
    server::{
        self, Sessions,
        asked::{Asked, Made},
    },
    url,
};

pub async fn page(asked: Asked<'_>) -> Made {
    let Asked { caseload, actor, search, .. } = asked;
    let sessions = match use_context::<Sessions>() {
        Some(Sessions(list)) => list().await,
        None => None,
    };
    let content = SettingsContent {
        me: actor.me(),
        preferences: actor.preferences.clone(),
        zones: time_zones().collect(),
        sessions,
        address: server::answer(caseload.accounts().own_address(actor).await)?,
        requested: server::answer(caseload.accounts().requested_address(actor).await)?,
        verify: url::value(search, "verify"),
        mail: caseload.mail().is_configured(),
        tokens: server::answer(caseload.tokens().list(actor).await)?,
        fresh: server::fresh_token(),
        proof: server::own_proof(),
        has_password: server::answer(caseload.accounts().has_password(actor).await)?,
    };
    rendered("Settings", view! { <Settings content done=done::notice(search) refusal=url::refusal(search)/> })
}
