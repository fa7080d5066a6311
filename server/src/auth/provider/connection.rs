//! One provider: where it is asked, which keys it signs with, and what is exchanged with it.

use std::{
    pin::Pin,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context;
use openidconnect::{
    AdditionalProviderMetadata, AsyncHttpClient, AuthType, Client, ClientId, ClientSecret, EmptyAdditionalClaims,
    EndpointMaybeSet, EndpointNotSet, EndpointSet, HttpRequest, HttpResponse, IssuerUrl, ProviderMetadata, RedirectUrl,
    core::{
        CoreAuthDisplay, CoreAuthPrompt, CoreClaimName, CoreClaimType, CoreClientAuthMethod, CoreErrorResponseType,
        CoreGenderClaim, CoreGrantType, CoreJsonWebKey, CoreJweContentEncryptionAlgorithm,
        CoreJweKeyManagementAlgorithm, CoreJwsSigningAlgorithm, CoreResponseMode, CoreResponseType, CoreRevocableToken,
        CoreRevocationErrorResponse, CoreSubjectIdentifierType, CoreTokenIntrospectionResponse, CoreTokenResponse,
    },
};
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex, Semaphore};

use crate::config::{Http, encryption, institution::providers::ProviderSettings};

/// How long an answer of a provider may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The longest answer of a provider, in bytes.
const LONGEST: usize = 512 * 1024;
/// How long what a provider says of itself is taken for so.
const KNOWN_FOR: Duration = Duration::from_secs(3_600);
/// How long until it is asked once more for keys that are not known, or after it did not answer.
const ASK_AGAIN: Duration = Duration::from_secs(10);
/// How many questions to one provider are under way.
const AT_ONCE: usize = 16;
/// How long a further one waits for its turn.
const IN_LINE: Duration = Duration::from_secs(10);

/// What providers say of themselves beside what everybody does.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct MoreMetadata {
    /// Whether every answer says whose it is (RFC 9207).
    #[serde(default)]
    pub authorization_response_iss_parameter_supported: bool,
}

impl AdditionalProviderMetadata for MoreMetadata {}

pub type Metadata = ProviderMetadata<
    MoreMetadata,
    CoreAuthDisplay,
    CoreClientAuthMethod,
    CoreClaimName,
    CoreClaimType,
    CoreGrantType,
    CoreJweContentEncryptionAlgorithm,
    CoreJweKeyManagementAlgorithm,
    CoreJsonWebKey,
    CoreResponseMode,
    CoreResponseType,
    CoreSubjectIdentifierType,
>;

/// Docket, as the provider knows it.
pub type KnownClient = Client<
    EmptyAdditionalClaims,
    CoreAuthDisplay,
    CoreGenderClaim,
    CoreJweContentEncryptionAlgorithm,
    CoreJsonWebKey,
    CoreAuthPrompt,
    openidconnect::StandardErrorResponse<CoreErrorResponseType>,
    CoreTokenResponse,
    CoreTokenIntrospectionResponse,
    CoreRevocableToken,
    CoreRevocationErrorResponse,
    EndpointSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointNotSet,
    EndpointMaybeSet,
    EndpointMaybeSet,
>;

/// What a provider says of itself.
pub struct Known {
    pub metadata: Metadata,
}

/// What is known of it, and how it was to ask for it.
#[derive(Default)]
struct LastAsked {
    known: Option<Arc<Known>>,
    /// When that was said.
    said: Option<Instant>,
    /// When it did not answer.
    silent: Option<Instant>,
    /// When it was asked for keys that were not known.
    sought: Option<Instant>,
}

impl LastAsked {
    /// What is known, if that is good enough for now. Whoever comes right after it was asked in vain does not wait for the same again,
    /// and tokens that somebody has made up have it asked for keys now and then only.
    fn answer(&self, unknown: bool) -> Option<Result<Arc<Known>, Unreachable>> {
        let is_within = |at: Option<Instant>, lasts: Duration| at.is_some_and(|at| at.elapsed() < lasts);
        let just_now = is_within(if unknown { self.sought } else { self.silent }, ASK_AGAIN);
        let is_fresh = !unknown && is_within(self.said, KNOWN_FOR);
        (just_now || is_fresh).then(|| self.known.clone().ok_or(Unreachable::Away))
    }
}

/// Why a provider could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum Unreachable {
    #[error("{0}")]
    Http(#[from] reqwest::Error),
    #[error("its answer is too long")]
    TooLong,
    #[error("its answer cannot be read: {0}")]
    Unreadable(String),
    #[error("too many are signing in by it at the moment")]
    Busy,
    #[error("it did not answer a moment ago")]
    Away,
    #[error("it names an address without encryption: {0}")]
    Plain(String),
}

/// A provider.
pub struct Provider {
    pub settings: ProviderSettings,
    issuer: IssuerUrl,
    redirect: RedirectUrl,
    pub line: ProviderLine,
    known: Mutex<LastAsked>,
}

/// The line to a provider.
pub struct ProviderLine {
    http: reqwest::Client,
    room: Semaphore,
}

impl<'c> AsyncHttpClient<'c> for ProviderLine {
    type Error = Unreachable;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, Unreachable>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.send(request))
    }
}

impl Provider {
    pub fn new(settings: ProviderSettings, http: &Http) -> anyhow::Result<Provider> {
        // Whoever has set one before has set the same.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let back = format!("{}login/return/{}", http.public_url, settings.name);
        let client = reqwest::Client::builder()
            .timeout(TIMEOUT)
            // Its addresses are what it says they are: whoever could lead on from there could lead into the house.
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .with_context(|| format!("oidc.{}", settings.name))?;
        // As it was written: a provider is known by its letters.
        let issuer =
            IssuerUrl::new(settings.issuer.clone()).with_context(|| format!("oidc.{}.issuer", settings.name))?;
        Ok(Provider {
            issuer,
            redirect: RedirectUrl::new(back)?,
            line: ProviderLine { http: client, room: Semaphore::new(AT_ONCE) },
            known: Mutex::default(),
            settings,
        })
    }

    pub fn issuer(&self) -> &str {
        self.issuer.as_str()
    }

    /// What it says of itself; asked for anew once an hour, and when `unknown` (one of its keys is not known) after a few seconds.
    pub async fn known(&self, unknown: bool) -> Result<Arc<Known>, Unreachable> {
        let mut last = self.known.lock().await;
        if let Some(answer) = last.answer(unknown) {
            return answer;
        }
        let asked = self.ask().await;
        let now = Some(Instant::now());
        if unknown {
            last.sought = now;
        }
        match asked {
            Ok(metadata) => {
                let fresh = Arc::new(Known { metadata });
                (last.said, last.silent, last.known) = (now, None, Some(fresh.clone()));
                Ok(fresh)
            }
            // What it said before is better than nothing, for as long as its keys are known.
            Err(error) => match last.known.clone().filter(|_| !unknown) {
                Some(before) => {
                    last.silent = now;
                    tracing::warn!(provider = self.settings.name, %error, "a provider could not be asked for its settings");
                    Ok(before)
                }
                None => {
                    last.silent = now;
                    Err(error)
                }
            },
        }
    }

    async fn ask(&self) -> Result<Metadata, Unreachable> {
        let asked = Metadata::discover_async(self.issuer.clone(), &self.line).await;
        let metadata = asked.map_err(|error| Unreachable::Unreadable(error.to_string()))?;
        if self.settings.allows_plaintext {
            return Ok(metadata);
        }
        let addresses = [
            Some(metadata.authorization_endpoint().url()),
            metadata.token_endpoint().map(|address| address.url()),
            metadata.userinfo_endpoint().map(|address| address.url()),
            Some(metadata.jwks_uri().url()),
        ];
        let plain = addresses.into_iter().flatten().find(|address| encryption::provider(address.as_str()));
        match plain.map(ToString::to_string) {
            Some(address) => Err(Unreachable::Plain(address)),
            None => Ok(metadata),
        }
    }

    /// Docket, as this provider knows it.
    pub fn client(&self, known: &Known) -> KnownClient {
        let secret = self.settings.client_secret.as_ref().map(|secret| ClientSecret::new(secret.0.clone()));
        let id = ClientId::new(self.settings.client_id.clone());
        let in_body = known.metadata.token_endpoint_auth_methods_supported().is_some_and(|methods| {
            !methods.contains(&CoreClientAuthMethod::ClientSecretBasic)
                && methods.contains(&CoreClientAuthMethod::ClientSecretPost)
        });
        KnownClient::from_provider_metadata(known.metadata.clone(), id, secret)
            .set_redirect_uri(self.redirect.clone())
            .set_auth_type(if in_body { AuthType::RequestBody } else { AuthType::BasicAuth })
    }

    /// The ways to sign that are worth something: what everybody who knows the secret could have signed is not.
    pub fn algorithms(known: &Known) -> Vec<CoreJwsSigningAlgorithm> {
        use CoreJwsSigningAlgorithm as Signed;
        let shared = [Signed::HmacSha256, Signed::HmacSha384, Signed::HmacSha512, Signed::None];
        let supported = known.metadata.id_token_signing_alg_values_supported().iter();
        supported.filter(|algorithm| !shared.contains(algorithm)).cloned().collect()
    }
}

impl ProviderLine {
    /// One exchange with it, of a bounded length.
    pub async fn send(&self, request: HttpRequest) -> Result<HttpResponse, Unreachable> {
        let in_line = tokio::time::timeout(IN_LINE, self.room.acquire()).await;
        let _room = in_line.map_err(|_| Unreachable::Busy)?.map_err(|_| Unreachable::Busy)?;
        let request = reqwest::Request::try_from(request)?;
        let mut answer = self.http.execute(request).await?;
        let mut body = Vec::new();
        while let Some(part) = answer.chunk().await? {
            if body.len() + part.len() > LONGEST {
                return Err(Unreachable::TooLong);
            }
            body.extend_from_slice(&part);
        }
        let mut response = HttpResponse::new(body);
        *response.status_mut() = answer.status();
        *response.headers_mut() = answer.headers().clone();
        Ok(response)
    }
}

impl std::fmt::Debug for Provider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Provider").field("name", &self.settings.name).finish_non_exhaustive()
    }
}
