//! What the directory looks for among its users or groups: all of these at once.

use model::{AccountId, DirectoryGroupId};

/// One thing that a user has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UserTerm {
    Id(AccountId),
    /// Whatever the capitals.
    UserName(String),
    ExternalId(String),
    DisplayName(String),
    /// Nobody is it.
    Nobody,
}

/// One thing that a group has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupTerm {
    Id(DirectoryGroupId),
    ExternalId(String),
    /// Whatever the capitals.
    DisplayName(String),
    /// Somebody who is in it.
    Member(AccountId),
    /// No group is it.
    NoGroup,
}

/// Which part of what was found is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slice {
    /// How many go before.
    pub skip: u64,
    /// How many at most.
    pub most: u64,
}

/// A part of what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundPart<T> {
    /// How many there are in all.
    pub total: u64,
    pub items: Vec<T>,
}
