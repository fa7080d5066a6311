//! The word of a provider, asked for again: whoever has lost their role there, or their account, loses it here while they are signed in.
//! A session whose owner nobody vouches for any more ends.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use caseload::Caseload;
use chrono::{DateTime, Utc};
use cookie::Key;
use futures::future::join_all;
use model::counted;
use openidconnect::{
    OAuth2TokenResponse, RefreshToken, RequestTokenError, TokenResponse,
    core::{CoreErrorResponseType, CoreTokenResponse},
};
use queue::{lock::Lock, schedule::Work};
use serde_json::Value;
use tokio::time::Instant;

use super::{
    Providers,
    claims::{self, Claims},
    connection::Provider,
    opened_session::{OpenedBy, open, seal},
    person_asked::complete,
    sessions::OpenedSession,
    token::{Expected, believe},
};
use crate::auth::session::Store;

/// How many sessions are looked at in one go, and how many of them at once.
const MOST: u64 = 200;
const AT_ONCE: usize = 4;
/// How long one provider is asked in one round: another round begins where this one ended.
const ROUND: Duration = Duration::from_secs(45);

/// Asks providers for their word on who is signed in.
pub struct ConfirmSignIns {
    pub caseload: Caseload,
    pub sessions: Store,
    pub providers: Providers,
    pub key: Key,
}

/// What the provider says.
enum ProviderWord {
    Stays(OpenedBy),
    Ends,
    /// It could not be asked; what of the session is to be kept all the same.
    Unknown(Option<OpenedBy>),
}

/// What came of a round.
#[derive(Default)]
struct Round {
    confirmed: u64,
    ended: u64,
}

#[async_trait]
impl Work for ConfirmSignIns {
    async fn fire(&self, _: &Lock) -> queue::Result<String> {
        let mut round = Round::default();
        for provider in self.providers.each() {
            self.ask(provider, &mut round).await?;
        }
        round.ended += self.sessions.end_of_strangers(self.providers.issuers()).await?;
        let confirmed = counted(round.confirmed, "session", "sessions");
        Ok(format!("{confirmed} confirmed, {} ended", round.ended))
    }
}

impl ConfirmSignIns {
    /// Asks one provider about everybody for whom its word is half over: the other half is for a provider that is away for a while.
    async fn ask(&self, provider: &Arc<Provider>, round: &mut Round) -> queue::Result<()> {
        let half = provider.settings.confirm_every / 2;
        let (mut last, until) = (None, Instant::now() + ROUND);
        // One that hardly answers takes no time from the others. Nobody is left in the middle: a token may be good for one answer.
        while Instant::now() < until {
            let due = self.sessions.to_confirm(provider.issuer(), half, last.as_ref(), MOST).await?;
            for some in due.chunks(AT_ONCE) {
                let now = self.caseload.db().now().await?;
                let words = join_all(some.iter().map(|session| self.word(provider, session, now))).await;
                for (session, word) in some.iter().zip(words) {
                    self.keep(provider, session, word, round).await?;
                }
                if Instant::now() >= until {
                    return Ok(());
                }
            }
            match due.into_iter().next_back() {
                Some(session) => last = Some(session),
                None => return Ok(()),
            }
        }
        Ok(())
    }

    async fn keep(
        &self,
        provider: &Provider,
        session: &OpenedSession,
        word: ProviderWord,
        round: &mut Round,
    ) -> queue::Result<()> {
        match word {
            ProviderWord::Stays(opened) => {
                self.sessions.vouch(session, &opened).await?;
                round.confirmed += 1;
            }
            ProviderWord::Ends => round.ended += u64::from(self.end(provider, session).await?),
            ProviderWord::Unknown(Some(opened)) => self.sessions.vouch(session, &opened).await?,
            ProviderWord::Unknown(None) => {}
        }
        Ok(())
    }

    async fn end(&self, provider: &Provider, session: &OpenedSession) -> queue::Result<bool> {
        let has_ended = self.sessions.end(session.person_id, &session.id).await?;
        if has_ended {
            let accounts = self.caseload.accounts();
            let noted = accounts.session_ended_by(&provider.settings.name, session.person_id, &session.id).await;
            if let Err(error) = noted {
                tracing::error!(%error, "that a provider has ended a session could not be written down");
            }
        }
        Ok(has_ended)
    }

    async fn word(&self, provider: &Arc<Provider>, session: &OpenedSession, now: DateTime<Utc>) -> ProviderWord {
        let refresh = session.opened.refresh.as_deref().and_then(|sealed| open(&self.key, sealed));
        let Some(refresh) = refresh else { return ProviderWord::Unknown(None) };
        let away = |why: String| {
            tracing::warn!(provider = provider.settings.name, why, "a provider could not be asked for its word");
        };
        let tokens = match refreshed(provider, refresh).await {
            Ok(tokens) => tokens,
            Err(Unrefreshed::Ended) => return ProviderWord::Ends,
            Err(Unrefreshed::Away(why)) => {
                away(why);
                return ProviderWord::Unknown(None);
            }
        };
        // Its next token counts from here on, whatever the rest says: the former one may be good for nothing now.
        let next = tokens.refresh_token().and_then(|token| seal(&self.key, token.secret()));
        let mut opened = session.opened.clone();
        opened.refresh = next.or(opened.refresh);
        let subject = session.opened.subject.as_str();
        let told = match told(provider, &tokens, subject, now).await {
            Ok(Some(told)) => told,
            Ok(None) => return ProviderWord::Ends,
            Err(why) => {
                away(why);
                return ProviderWord::Unknown(Some(opened));
            }
        };
        let person = claims::person(&provider.settings, provider.issuer(), subject, &told);
        match self.caseload.accounts().confirm_provided(session.person_id, &person).await {
            Ok(true) => {
                opened.vouched_until = now + provider.settings.confirm_every;
                ProviderWord::Stays(opened)
            }
            Ok(false) => ProviderWord::Ends,
            Err(error) => {
                tracing::warn!(%error, "a provider's word could not be kept");
                ProviderWord::Unknown(Some(opened))
            }
        }
    }
}

/// Why there are no tokens for another one.
enum Unrefreshed {
    /// The provider knows it no more.
    Ended,
    Away(String),
}

async fn refreshed(provider: &Provider, refresh: String) -> Result<CoreTokenResponse, Unrefreshed> {
    let away = |error: &dyn std::fmt::Display| Unrefreshed::Away(error.to_string());
    let known = provider.known(false).await.map_err(|error| away(&error))?;
    let client = provider.client(&known);
    let token = RefreshToken::new(refresh);
    let request = client.exchange_refresh_token(&token).map_err(|error| away(&error))?;
    request.request_async(&provider.line).await.map_err(|error| match &error {
        RequestTokenError::ServerResponse(said) if *said.error() == CoreErrorResponseType::InvalidGrant => {
            Unrefreshed::Ended
        }
        _ => away(&error),
    })
}

/// What the provider says of them now; nothing if it speaks of somebody else.
async fn told(
    provider: &Provider,
    tokens: &CoreTokenResponse,
    subject: &str,
    now: DateTime<Utc>,
) -> Result<Option<Claims>, String> {
    let known = provider.known(false).await.map_err(|error| error.to_string())?;
    let mut told = Claims::new();
    if tokens.id_token().is_some() {
        told = believe(provider, tokens, Expected::Later, now).await.map_err(|error| error.to_string())?;
        if told.get("sub").and_then(Value::as_str) != Some(subject) {
            return Ok(None);
        }
    }
    told.insert("sub".to_owned(), subject.into());
    let told = complete(provider, &known, told, tokens).await.map_err(|error| error.to_string())?;
    let is_silent = tokens.id_token().is_none() && known.metadata.userinfo_endpoint().is_none();
    if is_silent && !claims::has_roles(&provider.settings, &told) {
        return Err("it says nothing of the person".to_owned());
    }
    Ok(Some(told))
}
