//! Accounts whose owners are let in by a provider, such as the sign-in of their college. Who they are is the provider's issuer with
//! the subject that it has for them: neither changes hands, as a username or an address may.

pub(crate) mod join;
mod refusals;
mod role;
pub(crate) mod said;
mod sign_in;

use model::Role;
pub use model::account::LinkBy;

/// Whom a provider has let in, with what it says of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvidedPerson {
    /// Its name in the settings.
    pub provider: String,
    pub issuer: String,
    pub subject: String,
    pub username: Option<String>,
    /// `First Last`.
    pub name: Option<String>,
    /// Where they get mail, if the provider has made sure of it.
    pub address: Option<String>,
    pub school_id: Option<String>,
    pub role: ProvidedRole,
}

/// What a provider says of somebody's role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProvidedRole {
    /// Nothing: roles are given in Docket.
    GivenHere,
    Given(Role),
    /// That they have none here.
    Missing,
}

/// How somebody who comes for the first time gets an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountRule {
    /// By what an account that an administrator made becomes theirs.
    pub link_by: LinkBy,
    /// Whether one is made where there is none.
    pub create: bool,
    /// What that one is where the provider says nothing of roles.
    pub new_role: Role,
}
