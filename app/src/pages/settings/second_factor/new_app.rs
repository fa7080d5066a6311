//! An app that is to be set up, with where that is done.

/// Where an app is set up or replaced, and where new recovery codes are shown.
pub const PAGE: &str = "/settings/second-factor";

/// Where a passkey is added.
pub const PASSKEYS: &str = "/settings/passkeys";

/// The key that an app is to have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewApp {
    /// For whoever types it.
    pub key: String,
    /// For whoever has a camera.
    pub picture: Option<Picture>,
}

/// A square of so many squares, of which some are dark: a path around each of those.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub squares: i32,
    pub dark: String,
}
