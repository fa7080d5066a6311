//! Keys of apps as the table has them: sealed, as what is left with browsers is. Whoever reads that table alone can make no code. The key
//! of the server is in another table of the same database, so a whole backup is to be kept as safe as the database.

use caseload::second_factor::Sealing;
use cookie::{Cookie, CookieJar, Key};

/// What is sealed is bound to this word, so that nothing that was sealed for something else is read as a key.
const SEALED: &str = "authenticator-app";

/// Seals under the key of the server.
pub struct AppKeys(pub Key);

impl Sealing for AppKeys {
    fn seal(&self, text: &str) -> Option<String> {
        let mut jar = CookieJar::new();
        jar.private_mut(&self.0).add(Cookie::new(SEALED, text.to_owned()));
        Some(jar.get(SEALED)?.value().to_owned())
    }

    fn open(&self, sealed: &str) -> Option<String> {
        let sealed = Cookie::new(SEALED, sealed.to_owned());
        Some(CookieJar::new().private(&self.0).decrypt(sealed)?.value().to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::provider::opened_session;

    #[test]
    fn a_key_is_read_by_whoever_sealed_it_alone_and_nothing_else_is_taken_for_one() {
        let (ours, other) = (Key::generate(), AppKeys(Key::generate()));
        let token = opened_session::seal(&ours, "GEZDGNBV").unwrap();
        let ours = AppKeys(ours);
        let sealed = ours.seal("GEZDGNBV").unwrap();
        assert!(!sealed.contains("GEZDGNBV"));
        assert_eq!((ours.open(&sealed).as_deref(), other.open(&sealed)), (Some("GEZDGNBV"), None));
        assert_eq!(ours.open(&token), None);
    }
}
