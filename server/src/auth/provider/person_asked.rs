//! What a provider tells of somebody only if it is asked for the person.

use axum::http::header;
use openidconnect::{OAuth2TokenResponse, core::CoreTokenResponse};
use serde_json::Value;

use super::{
    claims::{self, Claims},
    connection::{Known, Provider, Unreachable},
};

/// Why that is not known.
#[derive(Debug, thiserror::Error)]
pub enum NotTold {
    #[error(transparent)]
    Unreachable(#[from] Unreachable),
    #[error("it said {0} when asked for the person")]
    Refused(u16),
    #[error("what it said of the person cannot be read: {0}")]
    Unreadable(String),
    #[error("it told of somebody else when asked for the person")]
    SomebodyElse,
}

/// What was told, with what the provider tells only if it is asked.
pub async fn complete(
    provider: &Provider,
    known: &Known,
    told: Claims,
    tokens: &CoreTokenResponse,
) -> Result<Claims, NotTold> {
    let Some(address) = known.metadata.userinfo_endpoint() else { return Ok(told) };
    if claims::is_whole(&provider.settings, &told) {
        return Ok(told);
    }
    let request = axum::http::Request::get(address.as_str())
        .header(header::AUTHORIZATION, format!("Bearer {}", tokens.access_token().secret()))
        .header(header::ACCEPT, "application/json")
        .body(Vec::new())
        .map_err(|error| NotTold::Unreadable(error.to_string()))?;
    let response = provider.line.send(request).await?;
    if !response.status().is_success() {
        return Err(NotTold::Refused(response.status().as_u16()));
    }
    let more = serde_json::from_slice(response.body()).map_err(|error| NotTold::Unreadable(error.to_string()))?;
    merged(told, more)
}

/// What was signed wins. Whose word the rest is has to be the same, or another's could be put in; and that an address is verified is said
/// of the one beside it alone.
fn merged(told: Claims, mut more: Claims) -> Result<Claims, NotTold> {
    if more.get("sub").and_then(Value::as_str).is_none() || more.get("sub") != told.get("sub") {
        return Err(NotTold::SomebodyElse);
    }
    if told.get("email").is_some_and(|email| more.get("email") != Some(email)) {
        more.remove("email_verified");
    }
    Ok(more.into_iter().chain(told).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(claims: Value) -> Claims {
        let Value::Object(claims) = claims else { unreachable!() };
        claims
    }

    #[test]
    fn another_subject_is_not_taken_for_the_same() {
        let told = of(json!({ "sub": "a" }));
        for more in [json!({ "sub": "b", "groups": ["it"] }), json!({ "groups": ["it"] }), json!({ "sub": null })] {
            assert!(merged(told.clone(), of(more)).is_err());
        }
        assert!(merged(Claims::new(), of(json!({ "groups": ["it"] }))).is_err());
    }

    #[test]
    fn what_was_signed_wins_and_another_address_verifies_nothing() {
        let told = of(json!({ "sub": "a", "email": "ana@north.example", "groups": ["staff"] }));
        let more = of(json!({ "sub": "a", "email": "eve@north.example", "email_verified": true, "groups": ["it"] }));
        let both = merged(told.clone(), more).unwrap();
        assert_eq!(both["email"], "ana@north.example");
        assert_eq!(both["groups"], json!(["staff"]));
        assert_eq!(both.get("email_verified"), None);
        let same = of(json!({ "sub": "a", "email": "ana@north.example", "email_verified": true }));
        assert_eq!(merged(told, same).unwrap()["email_verified"], true);
    }
}
