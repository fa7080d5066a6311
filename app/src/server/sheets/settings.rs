//! What belongs to one's own account.

use caseload::{preferences::time_zones, second_factor::RECOVERY_CODES};
use leptos::prelude::*;

use super::rendered::rendered;
use crate::{
    pages::done,
    pages::settings::{
        Settings, SettingsContent,
        second_factor::{self, SecondFactorPart},
    },
    server::{
        self, FreshRecoveryCodes, Sessions,
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
        second_factor: SecondFactorPart {
            factor: server::answer(caseload.factors().second_factor(actor).await)?,
            needed: caseload.factors().needs_second_factor(actor),
            passkeys: caseload.passkeys().are_possible(),
            made: RECOVERY_CODES,
        },
    };
    rendered("Settings", view! { <Settings content done=done::notice(search) refusal=url::refusal(search)/> })
}

/// Where an app is set up, or recovery codes are shown that were made in the request before.
pub async fn second_factor(asked: Asked<'_>) -> Made {
    if let Some(FreshRecoveryCodes { codes, next }) = server::fresh_recovery_codes() {
        return rendered("Your recovery codes", second_factor::codes(&codes, next));
    }
    let next = url::value(asked.search, "next");
    let factor = server::answer(asked.caseload.factors().second_factor(asked.actor).await)?;
    let has = factor.is_some_and(|factor| factor.app.is_some());
    let (app, proof, refusal) = (server::offered_app().await, server::own_proof(), url::refusal(asked.search));
    let view = second_factor::set_up(app, has, next.unwrap_or_default(), &proof, refusal.as_ref());
    rendered("Authenticator app", view)
}

/// Where a passkey is added.
pub async fn passkeys(asked: Asked<'_>) -> Made {
    let next = url::value(asked.search, "next").unwrap_or_default();
    let (proof, refusal) = (server::own_proof(), url::refusal(asked.search));
    let are_possible = asked.caseload.passkeys().are_possible();
    rendered("Add a passkey", second_factor::add_passkey(are_possible, next, &proof, refusal.as_ref()))
}
