//! Who may do what, in words. Whose people somebody reaches is decided in `caseload::access`.

use serde::{Deserialize, Serialize};

use crate::{AccessTokenId, AccountId, enum_words::words};

words! {
    /// What a member of staff is to Docket; it sets their reach.
    Role {
        /// Reaches the people whose coach they are.
        Coach = "coach", "Coach";
        /// Reaches everyone and reads all staff tasks.
        Manager = "manager", "Manager";
        /// A manager who also runs the queue, the users and the audit.
        Administrator = "administrator", "Administrator";
    }
}

impl Role {
    /// Whether the role reaches every person rather than a caseload.
    pub fn reaches_everyone(self) -> bool {
        !matches!(self, Role::Coach)
    }

    /// Whether the role may read the tasks of other staff.
    pub fn reads_all_tasks(self) -> bool {
        !matches!(self, Role::Coach)
    }
}

words! {
    /// A right that each bulk action asks for, on top of reach; checked at submit and again for every chunk.
    Permission {
        ProgramStatus = "program_status", "Change program status";
        Watch = "watch", "Watch people";
        Export = "export", "Export people";
        EarlyAlert = "early_alert", "Raise early alerts";
        ReassignCoach = "reassign_coach", "Reassign coaches";
        Email = "email", "Write emails";
    }
}

impl Permission {
    /// What a new account of a role has.
    pub fn default_for(role: Role) -> Vec<Permission> {
        let all = Permission::ALL.iter().copied();
        // Coaches would give away whom they look after, and not get them back.
        all.filter(|permission| role.reaches_everyone() || *permission != Permission::ReassignCoach).collect()
    }
}

/// What somebody needs to do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    Permission(Permission),
    /// To be an administrator.
    Administrator,
}

impl From<Permission> for Right {
    fn from(permission: Permission) -> Right {
        Right::Permission(permission)
    }
}

impl std::fmt::Display for Right {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Right::Permission(permission) => permission.fmt(f),
            Right::Administrator => Role::Administrator.fmt(f),
        }
    }
}

/// The signed-in member of staff, as the pages and `GET /api/1/me` show them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct Me {
    pub person_id: AccountId,
    pub username: String,
    pub name: String,
    pub role: Role,
    pub permissions: Vec<Permission>,
}

words! {
    /// How far an access token goes. Each includes those before it; none goes further than its account.
    TokenScope {
        /// Looks at what its account may see.
        Read = "read", "Read";
        /// Does what its account may do, but for what only administrators may.
        Submit = "submit", "Read and submit";
        Administer = "administer", "Administer";
    }
}

impl TokenScope {
    /// What a new token has unless told otherwise.
    pub const DEFAULT: TokenScope = TokenScope::Submit;

    /// What it lets a program do, in words.
    pub fn says(self) -> &'static str {
        match self {
            TokenScope::Read => "Reads what you can see; changes nothing",
            TokenScope::Submit => "Also submits what you can submit",
            TokenScope::Administer => "Also does what only administrators can do",
        }
    }
}

/// An access token of a program, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Token {
    pub id: AccessTokenId,
    /// What it is for.
    pub name: String,
    pub scope: TokenScope,
    pub created_date: crate::Instant,
    /// When it ends by itself.
    pub expiry_date: crate::Instant,
    /// Whether it has.
    pub expired: bool,
    /// When a program came with it last, to the minute; absent when none has.
    pub used_date: Option<crate::Instant>,
    /// From which address.
    pub used_from: Option<String>,
}

/// What an account has beside its password: an app, passkeys, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondFactor {
    pub app: Option<AuthenticatorApp>,
    /// In the order in which they were added.
    pub passkeys: Vec<Passkey>,
    /// The recovery codes that nobody has used.
    pub codes_left: u64,
}

/// The authenticator app of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuthenticatorApp {
    pub set_up: crate::Instant,
    /// When a code of it was taken last.
    pub used: crate::Instant,
}

/// A passkey of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passkey {
    pub id: crate::PasskeyId,
    /// What its owner calls it.
    pub name: String,
    pub added: crate::Instant,
    /// When somebody came in with it last.
    pub used: Option<crate::Instant>,
    /// Whether it is enough to sign in, without a password.
    pub signs_in_alone: bool,
}

words! {
    /// Whose a password is.
    PasswordState {
        /// Chosen by its owner.
        Own = "own", "Their own";
        /// Made for its owner, who has not signed in with it.
        Once = "once", "For one sign-in";
        /// Made for its owner, who has signed in with it, and has to choose another.
        Spent = "spent", "To be changed";
        /// There is none: its owner is let in by a provider.
        Missing = "missing", "None";
    }
}

impl PasswordState {
    /// Whether its owner has to choose another before anything else.
    pub fn is_to_be_changed(self) -> bool {
        matches!(self, PasswordState::Once | PasswordState::Spent)
    }
}

words! {
    /// By what an account that an administrator made becomes that of somebody whom a provider lets in.
    LinkBy {
        Username = "username", "Username";
        /// Their address, if the provider has made sure of it and no other account has it.
        Email = "email", "Email";
        Nothing = "nothing", "Nothing";
    }
}

/// A place where somebody is signed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignedIn {
    /// A name for it, which opens nothing.
    pub id: String,
    /// `Firefox on Linux`; absent when the browser did not say.
    pub device: Option<String>,
    /// The address they signed in from, where it is known.
    pub from: Option<String>,
    pub created_date: crate::Instant,
    /// Whether it is the one that asks.
    pub current: bool,
}

impl Me {
    /// The one or two letters of the avatar.
    pub fn initials(&self) -> String {
        let mut words = self.name.split_whitespace().filter_map(|word| word.chars().next());
        let first = words.next();
        first.into_iter().chain(words.next_back()).flat_map(char::to_uppercase).collect()
    }
}
