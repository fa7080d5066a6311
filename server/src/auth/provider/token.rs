//! A token in which a provider says who somebody is, and whether it is to be believed.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use openidconnect::{
    AccessTokenHash, ClaimsVerificationError, Nonce, OAuth2TokenResponse, TokenResponse,
    core::{CoreIdToken, CoreTokenResponse},
};

use super::{
    claims::Claims,
    connection::{Known, Provider, Unreachable},
};

/// How long ago somebody may have shown the provider who they are, where they are asked to once more.
const JUST_NOW: TimeDelta = TimeDelta::minutes(5);

/// What a token has to be.
#[derive(Clone, Copy)]
pub enum Expected<'a> {
    /// The answer to this very question; `again`: by somebody who has just shown the provider who they are.
    Answer { nonce: &'a Nonce, again: bool },
    /// What comes later on, which is an answer to no question of a browser's.
    Later,
}

/// Why it is not believed.
#[derive(Debug, thiserror::Error)]
pub enum Disbelieved {
    #[error("it sent no ID token")]
    Missing,
    #[error("{0}")]
    Wrong(#[from] ClaimsVerificationError),
    #[error(transparent)]
    Unreachable(#[from] Unreachable),
}

/// What the token among `tokens` says, if it was signed by the provider, for Docket, and is what is expected.
pub async fn believe(
    provider: &Provider,
    tokens: &CoreTokenResponse,
    expected: Expected<'_>,
    now: DateTime<Utc>,
) -> Result<Claims, Disbelieved> {
    let token = tokens.id_token().ok_or(Disbelieved::Missing)?;
    let known = provider.known(false).await?;
    match verified(provider, &known, (token, tokens), expected, now) {
        // Its keys change now and then.
        Err(ClaimsVerificationError::SignatureVerification(_)) => {
            let fresh = provider.known(true).await?;
            Ok(verified(provider, &fresh, (token, tokens), expected, now)?)
        }
        told => Ok(told?),
    }
}

fn verified(
    provider: &Provider,
    known: &Known,
    (token, tokens): (&CoreIdToken, &CoreTokenResponse),
    expected: Expected<'_>,
    now: DateTime<Utc>,
) -> Result<Claims, ClaimsVerificationError> {
    let (client, settings) = (provider.client(known), &provider.settings);
    let skew = TimeDelta::from_std(settings.clock_skew).unwrap_or_default();
    let is_answer = matches!(expected, Expected::Answer { .. });
    let is_again = matches!(expected, Expected::Answer { again: true, .. });
    let verifier = client
        .id_token_verifier()
        .set_allowed_algs(Provider::algorithms(known))
        .set_time_fn(move || now - skew)
        .set_issue_time_verifier_fn(move |issued| match issued <= now + skew {
            true => Ok(()),
            false => Err(format!("it says that it was issued at {issued}, which is yet to come")),
        })
        .set_auth_context_verifier_fn(move |acr| {
            let is_asked = is_answer && !settings.acr.is_empty();
            match !is_asked || acr.is_some_and(|acr| settings.acr.contains(&**acr)) {
                true => Ok(()),
                false => Err("they did not sign in there by a way that Docket asks for".to_owned()),
            }
        })
        .set_auth_time_verifier_fn(move |at| match !is_again || at.is_some_and(|at| now - at <= JUST_NOW + skew) {
            true => Ok(()),
            false => Err("they did not sign in there just now".to_owned()),
        });
    let claims = match expected {
        Expected::Answer { nonce, .. } => token.claims(&verifier, nonce)?,
        Expected::Later => token.claims(&verifier, |_: Option<&Nonce>| Ok(()))?,
    };
    if let Some(expected) = claims.access_token_hash() {
        let key = token.signing_key(&verifier).map_err(ClaimsVerificationError::SignatureVerification)?;
        let algorithm = token.signing_alg().map_err(ClaimsVerificationError::SignatureVerification)?;
        let hash = AccessTokenHash::from_token(tokens.access_token(), algorithm, key)
            .map_err(|error| ClaimsVerificationError::Other(error.to_string()))?;
        if hash != *expected {
            return Err(ClaimsVerificationError::Other("the access token is another one's".to_owned()));
        }
    }
    payload(&token.to_string()).ok_or_else(|| ClaimsVerificationError::Other("it cannot be read".to_owned()))
}

/// The words of a token that has been verified.
fn payload(token: &str) -> Option<Claims> {
    let words = URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?).ok()?;
    serde_json::from_slice(&words).ok()
}
