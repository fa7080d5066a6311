//! A device that keeps one passkey, in memory, and answers as a browser hands it on. What it says can be bent by tests.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use p256::ecdsa::{Signature, SigningKey, signature::Signer};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Somebody was there.
const PRESENT: u8 = 0b1;
/// The device has made sure of its owner.
const VERIFIED: u8 = 0b100;
/// The key is with it.
const WITH_KEY: u8 = 0b100_0000;

/// Such a device, in a browser on a page of this address.
#[derive(Clone)]
pub struct PasskeyDevice {
    /// The page: `https://docket.example`.
    pub origin: String,
    /// For which host it signs.
    pub host: String,
    /// How often it has signed.
    pub counter: u32,
    /// Whether it makes sure of its owner.
    pub verifies: bool,
    /// Whether it finds its key without a username.
    pub finds_by_itself: bool,
    /// By what it knows the account, in base64url.
    pub account: String,
    /// By what its key is known, in base64url.
    pub key_id: String,
    key: SigningKey,
}

impl PasskeyDevice {
    /// One that makes sure of its owner, with a key that nobody else has.
    ///
    /// # Panics
    /// Never: there is such a key for any number but a few.
    pub fn new(origin: &str, host: &str) -> PasskeyDevice {
        let key = SigningKey::from_slice(&Sha256::digest(queue::secret_bytes())).expect("a key");
        PasskeyDevice {
            origin: origin.to_owned(),
            host: host.to_owned(),
            counter: 0,
            verifies: true,
            finds_by_itself: true,
            account: String::new(),
            key_id: URL_SAFE_NO_PAD.encode(queue::secret_bytes()),
            key,
        }
    }

    /// Its answer to whoever asks for a new passkey.
    pub fn create(&mut self, options: &Value) -> String {
        self.account = options["user"]["id"].as_str().unwrap_or_default().to_owned();
        let id = URL_SAFE_NO_PAD.decode(&self.key_id).unwrap_or_default();
        let mut data = self.data(WITH_KEY);
        data.extend([0; 16]);
        data.extend((id.len() as u16).to_be_bytes());
        data.extend(id);
        data.extend(self.public_key());
        // A map of three: the format, nothing to vouch for it, and the data.
        let mut object = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        object.push(data.len() as u8);
        object.extend(data);
        let page = self.page("webauthn.create", options);
        let response = json!({
            "clientDataJSON": URL_SAFE_NO_PAD.encode(page),
            "attestationObject": URL_SAFE_NO_PAD.encode(object),
            "transports": ["internal"],
        });
        self.answer(response, json!({ "credProps": { "rk": self.finds_by_itself } }))
    }

    /// Its answer to whoever asks for this passkey.
    pub fn sign(&mut self, options: &Value) -> String {
        self.counter += 1;
        let (data, page) = (self.data(0), self.page("webauthn.get", options));
        let signed = [data.as_slice(), Sha256::digest(&page).as_slice()].concat();
        let signature: Signature = self.key.sign(&signed);
        let response = json!({
            "clientDataJSON": URL_SAFE_NO_PAD.encode(page),
            "authenticatorData": URL_SAFE_NO_PAD.encode(data),
            "signature": URL_SAFE_NO_PAD.encode(signature.to_der()),
            "userHandle": self.account,
        });
        self.answer(response, json!({}))
    }

    fn answer(&self, response: Value, extensions: Value) -> String {
        let answer = json!({
            "id": self.key_id,
            "rawId": self.key_id,
            "type": "public-key",
            "response": response,
            "clientExtensionResults": extensions,
            "authenticatorAttachment": "platform",
        });
        answer.to_string()
    }

    /// What it says of itself.
    fn data(&self, more: u8) -> Vec<u8> {
        let verified = if self.verifies { VERIFIED } else { 0 };
        let mut data = Sha256::digest(&self.host).to_vec();
        data.push(PRESENT | verified | more);
        data.extend(self.counter.to_be_bytes());
        data
    }

    /// What the browser says of the page.
    fn page(&self, kind: &str, options: &Value) -> Vec<u8> {
        let challenge = &options["challenge"];
        let page = json!({ "type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false });
        page.to_string().into_bytes()
    }

    /// A map of five, as the standard has it: of the curve P-256, for its signatures, with both coordinates.
    fn public_key(&self) -> Vec<u8> {
        let point = self.key.verifying_key().to_encoded_point(false);
        let mut key = b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20".to_vec();
        key.extend(point.x().map(|x| x.to_vec()).unwrap_or_default());
        key.extend(b"\x22\x58\x20");
        key.extend(point.y().map(|y| y.to_vec()).unwrap_or_default());
        key
    }
}
