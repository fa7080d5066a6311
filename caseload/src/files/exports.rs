//! Where exports go, and their bounds.

use std::time::Duration;

use super::store::Files;

/// Where exports go, and their bounds.
#[derive(Clone)]
pub struct Exports {
    pub files: Files,
    /// The most people of one export.
    pub most: u64,
    /// How long a file can be downloaded.
    pub kept: Duration,
}

impl Exports {
    /// The defaults of the settings, with these files.
    pub fn with_defaults(files: Files) -> Exports {
        Exports { files, most: 1_000_000, kept: Duration::from_secs(7 * 86_400) }
    }
}
