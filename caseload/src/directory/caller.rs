//! The directory as it calls: by which of its tokens it is known, and from where.

use std::net::IpAddr;

use model::DirectoryTokenId;

use crate::audit::entry::By;

/// The directory, which has shown a token that is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirectoryCaller {
    pub(super) token: DirectoryTokenId,
    pub(super) source: Option<IpAddr>,
}

impl DirectoryCaller {
    /// By which of its tokens it is known.
    pub fn token(&self) -> DirectoryTokenId {
        self.token
    }

    /// As the audit trail has it.
    pub(super) fn by(&self) -> By<'static> {
        By::Directory { token: self.token, source: self.source }
    }
}
