//! The domain of Docket: people, permissions, actions and their ledgers. The product's use cases are methods of groups that
//! [`Caseload`] gives, such as [`Caseload::people`]; pages and API are doors to them. It knows no HTTP and no pages.
//!
//! Each use case takes the [`Actor`] first, unless a command on the machine or a sign-in asks for it, decides what that actor may see and do, and opens (and commits) its own
//! transaction. Whatever it refuses, it refuses with a [`model::Problem`].

pub mod access;
mod accounts;
mod actions;
mod admin;
mod audit;
mod caseload;
mod composer;
pub mod directory;
mod entity;
mod erase;
mod error;
pub mod files;
pub mod generate;
pub mod import;
pub mod limits;
pub mod mail;
pub mod notices;
mod people;
mod staff_names;
mod statement;
mod submit;
mod tasks;

pub use access::Actor;
pub use accounts::{
    account::account_key,
    own_address::AddressChange,
    passkeys::{AskedForPasskey, PasskeyAdded, PasskeyAddress, PasskeyAnswer},
    password_links,
    passwords::{NewPassword, hashing, rule::PasswordRule},
    preferences, provided,
    reauthentication::{self, Reauthenticated},
    request_origin::{self, Credential, Via},
    second_factor,
    sign_in::FirstStep,
    staff_accounts::NewAccount,
    system_person::SYSTEM_PERSON,
    throttle,
    tokens::{self, NewToken, TokenBearer},
};
pub use actions::{email, reassign_by_list::LIST, self_test::SelfTestRequest};
pub use admin::{Added, Issued, NewUser, cause_title};
pub use audit::denial_counter::{Denial, Denied};
pub use caseload::{
    Accounts, Actions, Admin, Approvals, Audit, ByCommand, Caseload, Directory, Emails, Factors, Imports, Passkeys,
    People, Selections, Tasks, Tokens, Users, Views,
};
pub use error::{Error, Result};
pub use files::{exports::Exports, spreadsheet};
pub use limits::{Limited, Limits, LiveChanges};
pub use queue::new_id;
pub use submit::{approvals::ApprovalRule, preview};
pub use tasks::prune;
