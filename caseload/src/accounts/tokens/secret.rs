//! Secrets that somebody carries and Docket does not keep.

use sha2::{Digest, Sha256};

/// What is kept of a secret.
pub fn hash_of(token: &str) -> String {
    Sha256::digest(token.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
