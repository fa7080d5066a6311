//! The server's doors of the settings, where no session itself is needed.

use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// Where the page is.
pub const PAGE: &str = "/settings";

/// How somebody wants values to be written, by the names of the formats; empty for the usual ones.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Formats {
    dates: String,
    numbers: String,
}

/// Keeps how somebody likes Docket; a box that is not ticked is not sent.
#[server(name = SetPreferences, prefix = "/api/page", endpoint = "settings/preferences")]
pub async fn set_preferences(
    theme: String,
    address: String,
    #[server(default)] time_zone: String,
    #[server(flatten)] formats: Formats,
    #[server(default)] shortcuts: String,
    #[server(default)] live: String,
    #[server(default)] notify: String,
) -> Result<(), Refusal> {
    use crate::{pages::done::Done, server, server::forms};
    use caseload::{AddressChange, preferences::ChosenPreferences};
    let (caseload, actor) = server::caller()?;
    let chosen = ChosenPreferences {
        theme: &theme,
        time_zone: &time_zone,
        dates: &formats.dates,
        numbers: &formats.numbers,
        shortcuts: !shortcuts.is_empty(),
        live: !live.is_empty(),
        notify: !notify.is_empty(),
        address: Some(&address),
    };
    let kept = caseload.accounts().set_preferences(&actor, chosen).await.map(|address| match address {
        AddressChange::Settled => Done::PreferencesSaved,
        AddressChange::LinkSent => Done::LinkSent,
    });
    let names = ["theme", "address", "time_zone", "dates", "numbers", "shortcuts", "live", "notify"];
    let typed = [&theme, &address, &time_zone, &formats.dates, &formats.numbers, &shortcuts, &live, &notify]
        .map(String::as_str);
    let typed: Vec<_> = names.into_iter().zip(typed).collect();
    forms::lead(kept.map(|what| forms::done(PAGE, what)), PAGE, &typed)
}

/// Locks the programs out that use one of the caller's tokens.
#[server(name = RevokeToken, prefix = "/api/page", endpoint = "settings/tokens/revoke")]
pub async fn revoke_token(id: String) -> Result<(), Refusal> {
    use crate::{pages::done::Done, server, server::forms};
    let (caseload, actor) = server::caller()?;
    let id = server::id(&id, "token")?;
    let revoked = caseload.tokens().revoke_own(&actor, id).await;
    forms::lead(revoked.map(|()| forms::done(PAGE, Done::TokenRevoked)), PAGE, &[])
}
