//! What a device answered, compared with what it was asked: the signature, the host and address of the page, and the counter.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use webauthn_rp::{
    AuthenticatedCredential, DiscoverableAuthentication16, DiscoverableAuthenticationServerState,
    NonDiscoverableAuthentication16, NonDiscoverableAuthenticationServerState, Registration, RegistrationServerState,
    bin::{Decode, Encode},
    request::{
        auth::{AuthenticationVerificationOptions, SignatureCounterEnforcement},
        register::{RegistrationVerificationOptions, UserHandle16},
    },
    response::{
        CredentialId,
        auth::error::AuthCeremonyErr,
        register::{CompressedPubKey, DynamicState, StaticState},
    },
};

use super::{address::PasskeyAddress, questions::handle};
use crate::entity::accounts::passkeys::passkey;

/// Longer than any answer of a device, in bytes.
const LONGEST: usize = 16 * 1024;

/// What a new passkey is checked by from now on; all texts are in base64url.
pub(super) struct NewKey {
    pub credential_id: String,
    pub public_key: String,
    pub device_state: String,
    pub transports: i32,
    pub signs_in_alone: bool,
}

/// The passkey in an answer, if it fits what was asked.
pub(super) fn new_key(address: &PasskeyAddress, state: &str, answer: &str) -> Option<NewKey> {
    let answer = Registration::from_json_relaxed(bounded(answer)?);
    let answer = answer.inspect_err(|error| tracing::debug!(%error, "no answer of a device")).ok()?;
    let state = RegistrationServerState::<16>::decode(&unpacked(state)?).ok()?;
    let origins = [address.origin.as_str()];
    let options = RegistrationVerificationOptions::<&str, &str> {
        allowed_origins: &origins,
        error_on_unsolicited_extensions: false,
        ..RegistrationVerificationOptions::default()
    };
    let key = state.verify(&address.host, &answer, &options);
    let key = key.inspect_err(|error| tracing::debug!(%error, "a passkey was not added")).ok()?;
    let found_by_itself = key.metadata().client_extension_results.cred_props.and_then(|props| props.rk);
    let Ok(public_key) = key.static_state().encode();
    let Ok(device_state) = key.dynamic_state().encode();
    let Ok(transports) = key.transports().encode();
    Some(NewKey {
        credential_id: packed(key.id().as_ref()),
        public_key: packed(&public_key),
        device_state: packed(&device_state),
        transports: transports.into(),
        signs_in_alone: found_by_itself == Some(true) && key.dynamic_state().user_verified,
    })
}

/// What an answer turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum KeyVerdict {
    /// Right, and what the device says of itself from now on.
    Right {
        device_state: String,
    },
    /// Right but for its counter, which has been further: there may be two devices with this key.
    Copied,
    Wrong,
}

/// The answer of whoever has typed their password.
pub(super) struct AnswerBeside(NonDiscoverableAuthentication16);

impl AnswerBeside {
    pub fn read(answer: &str) -> Option<AnswerBeside> {
        NonDiscoverableAuthentication16::from_json_relaxed(bounded(answer)?).ok().map(AnswerBeside)
    }

    /// With which passkey it is.
    pub fn credential_id(&self) -> String {
        packed(self.0.raw_id().as_ref())
    }

    pub fn judge(&self, address: &PasskeyAddress, state: &str, key: &passkey::Model) -> KeyVerdict {
        let state = unpacked(state).and_then(|state| NonDiscoverableAuthenticationServerState::decode(&state).ok());
        let Some(state) = state else { return KeyVerdict::Wrong };
        judged(key, |kept| state.verify(&address.host, &self.0, kept, &options(&[address.origin.as_str()])).map(drop))
    }
}

/// The answer of whoever has said nothing yet.
pub(super) struct AnswerOfAnybody(DiscoverableAuthentication16);

impl AnswerOfAnybody {
    pub fn read(answer: &str) -> Option<AnswerOfAnybody> {
        DiscoverableAuthentication16::from_json_relaxed(bounded(answer)?).ok().map(AnswerOfAnybody)
    }

    /// With which passkey it is.
    pub fn credential_id(&self) -> String {
        packed(self.0.raw_id().as_ref())
    }

    pub fn judge(&self, address: &PasskeyAddress, state: &str, key: &passkey::Model) -> KeyVerdict {
        let state = unpacked(state).and_then(|state| DiscoverableAuthenticationServerState::decode(&state).ok());
        let Some(state) = state else { return KeyVerdict::Wrong };
        judged(key, |kept| state.verify(&address.host, &self.0, kept, &options(&[address.origin.as_str()])).map(drop))
    }
}

type PublicKey = CompressedPubKey<[u8; 32], [u8; 32], [u8; 48], Vec<u8>>;
type KeptKey<'a> = AuthenticatedCredential<'a, 'a, 16, PublicKey>;

fn judged(key: &passkey::Model, verify: impl FnOnce(&mut KeptKey<'_>) -> Result<(), AuthCeremonyErr>) -> KeyVerdict {
    let owner = handle(key.person_id);
    let id = unpacked(&key.credential_id);
    let kept = id.as_deref().and_then(|id| kept(key, id, &owner));
    let Some(mut kept) = kept else {
        tracing::error!(passkey = %key.id, "what is kept of a passkey cannot be read");
        return KeyVerdict::Wrong;
    };
    match verify(&mut kept) {
        Ok(()) => {
            let Ok(device_state) = kept.dynamic_state().encode();
            KeyVerdict::Right { device_state: packed(&device_state) }
        }
        // The library looks at it last, once all else is right.
        Err(AuthCeremonyErr::SignatureCounter) => KeyVerdict::Copied,
        Err(error) => {
            tracing::debug!(%error, "a passkey was refused");
            KeyVerdict::Wrong
        }
    }
}

fn kept<'a>(key: &passkey::Model, id: &'a [u8], owner: &'a UserHandle16) -> Option<KeptKey<'a>> {
    let id = CredentialId::<&[u8]>::decode(id).ok()?;
    let public_key = unpacked(&key.public_key)?;
    let public_key = StaticState::<PublicKey>::decode(&public_key).ok()?;
    let device_state = DynamicState::decode(unpacked(&key.device_state)?.try_into().ok()?).ok()?;
    AuthenticatedCredential::new(id, owner, public_key, device_state).ok()
}

/// Whether the device has made sure of its owner is in the question.
fn options<'a>(origins: &'a [&'a str]) -> AuthenticationVerificationOptions<'a, 'a, &'a str, &'a str> {
    AuthenticationVerificationOptions {
        allowed_origins: origins,
        error_on_unsolicited_extensions: false,
        sig_counter_enforcement: SignatureCounterEnforcement::Fail,
        ..AuthenticationVerificationOptions::default()
    }
}

/// What is read at all.
fn bounded(answer: &str) -> Option<&[u8]> {
    (answer.len() <= LONGEST).then_some(answer.as_bytes())
}

fn packed(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn unpacked(text: &str) -> Option<Vec<u8>> {
    URL_SAFE_NO_PAD.decode(text).ok()
}
