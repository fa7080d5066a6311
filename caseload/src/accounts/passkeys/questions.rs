//! What a device is asked, as browsers hand it on, with what its answer is compared with.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use model::AccountId;
use serde::Serialize;
use serde_json::{Value, json};
use webauthn_rp::{
    DiscoverableCredentialRequestOptions, NonDiscoverableCredentialRequestOptions, PublicKeyCredentialCreationOptions,
    bin::{Decode, Encode},
    request::{
        Credentials, PublicKeyCredentialDescriptor, UserVerificationRequirement,
        auth::AllowedCredentials,
        register::{
            AuthenticatorSelectionCriteria, CoseAlgorithmIdentifier, CoseAlgorithmIdentifiers,
            PublicKeyCredentialUserEntity, ResidentKeyRequirement, UserHandle16,
        },
    },
    response::{AuthTransports, CredentialId},
};

use super::address::PasskeyAddress;
use crate::{Error, Result, entity::accounts::passkeys::passkey};

/// Something to sign.
pub(super) struct DeviceQuestion {
    /// What the browser is to be told: `publicKey` of the standard, as JSON has it.
    pub options: Value,
    pub state: String,
}

/// For a new passkey of an account, which has these already. It need not be found without a username, nor the device make sure of its
/// owner: one that does neither is a second factor still.
pub(super) fn to_add(
    address: &PasskeyAddress,
    (owner, username, name): (AccountId, &str, &str),
    kept: &[passkey::Model],
) -> Result<DeviceQuestion> {
    let id = handle(owner);
    // The library takes fewer names than people have, and nothing that is checked depends on them.
    let unnamed = PublicKeyCredentialUserEntity::from(&id);
    let mut asked = PublicKeyCredentialCreationOptions::second_factor(&address.host, unnamed, descriptors(kept));
    asked.pub_key_cred_params = CoseAlgorithmIdentifiers::ALL.remove(CoseAlgorithmIdentifier::Es384);
    asked.authenticator_selection = AuthenticatorSelectionCriteria {
        resident_key: ResidentKeyRequirement::Preferred,
        user_verification: UserVerificationRequirement::Preferred,
        ..AuthenticatorSelectionCriteria::second_factor()
    };
    let (state, client) = asked.start_ceremony().map_err(unasked)?;
    let mut question = question(&client, &state.encode().map_err(unasked)?)?;
    question.options["user"]["name"] = json!(username);
    question.options["user"]["displayName"] = json!(name);
    question.options["rp"]["name"] = json!("Docket");
    Ok(question)
}

/// For one of these passkeys, of whoever has typed their password.
pub(super) fn beside_password(address: &PasskeyAddress, kept: &[passkey::Model]) -> Result<DeviceQuestion> {
    let mut allowed = AllowedCredentials::with_capacity(kept.len());
    for descriptor in descriptors(kept) {
        allowed.push(descriptor.into());
    }
    let mut asked = NonDiscoverableCredentialRequestOptions::second_factor(&address.host, allowed).map_err(unasked)?;
    asked.options().user_verification = UserVerificationRequirement::Preferred;
    let (state, client) = asked.start_ceremony().map_err(unasked)?;
    question(&client, &state.encode().map_err(unasked)?)
}

/// For any passkey that its device finds by itself, once it has made sure of its owner.
pub(super) fn for_anybody(address: &PasskeyAddress) -> Result<DeviceQuestion> {
    let asked = DiscoverableCredentialRequestOptions::passkey(&address.host);
    let (state, client) = asked.start_ceremony().map_err(unasked)?;
    question(&client, &state.encode().map_err(unasked)?)
}

/// What a device knows an account by.
pub(super) fn handle(owner: AccountId) -> UserHandle16 {
    let Ok(handle) = UserHandle16::decode(owner.uuid().into_bytes());
    handle
}

fn descriptors(kept: &[passkey::Model]) -> Vec<PublicKeyCredentialDescriptor<Vec<u8>>> {
    let descriptor = |key: &passkey::Model| {
        let id = CredentialId::decode(URL_SAFE_NO_PAD.decode(&key.credential_id).ok()?).ok()?;
        let transports = AuthTransports::decode(key.transports.try_into().ok()?).ok()?;
        Some(PublicKeyCredentialDescriptor { id, transports })
    };
    kept.iter().filter_map(descriptor).collect()
}

fn question(client: &impl Serialize, state: &[u8]) -> Result<DeviceQuestion> {
    let options = serde_json::to_value(client).map_err(unasked)?;
    Ok(DeviceQuestion { options, state: URL_SAFE_NO_PAD.encode(state) })
}

fn unasked(error: impl std::fmt::Display) -> Error {
    Error::Internal(format!("a passkey could not be asked for: {error}"))
}
