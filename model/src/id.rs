//! Ids, each of a type of its own: the id of a person is never taken for that of a task. All are UUIDs, and are stored, written and
//! read as such.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        #[cfg_attr(feature = "orm", derive(sea_orm::DeriveValueType))]
        #[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(value_type = uuid::Uuid))]
        pub struct $name(Uuid);

        impl $name {
            pub const fn from_u128(number: u128) -> Self {
                Self(Uuid::from_u128(number))
            }

            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        /// As every primary key has to say it.
        #[cfg(feature = "orm")]
        impl sea_orm::TryFromU64 for $name {
            fn try_from_u64(number: u64) -> Result<Self, sea_orm::DbErr> {
                Uuid::try_from_u64(number).map(Self)
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, uuid::Error> {
                text.parse().map(Self)
            }
        }
    )+};
}

ids! {
    /// A task.
    TaskId;
    /// Somebody of the college, whether or not they may sign in.
    PersonId;
    /// Whoever may sign in, and by whom something was done. The number is that of its person.
    AccountId;
    /// What somebody has picked.
    SelectionToken;
    /// What somebody was shown before a submit. The number becomes that of the task.
    PreviewToken;
    /// What an administrator was shown before an operation on many tasks.
    OperationToken;
    /// What a program signs in with.
    AccessTokenId;
    /// By what the directory of the institution is known.
    DirectoryTokenId;
    /// A group of that directory.
    DirectoryGroupId;
    /// A link by which somebody chooses a password.
    PasswordLinkId;
    /// A passkey of an account.
    PasskeyId;
    /// An email that was kept to be used again.
    TemplateId;
    /// A filter of the list of people that was kept under a name.
    ViewId;
    /// How the columns of files are matched to fields, kept under a name.
    MatchingId;
    /// How an email that is being written stood when it was last kept.
    Revision;
}

impl AccountId {
    pub const fn person(self) -> PersonId {
        PersonId(self.0)
    }
}

impl PersonId {
    /// The id that nobody has.
    pub const NOBODY: PersonId = PersonId(Uuid::nil());

    /// Their account, if they have one.
    pub const fn account(self) -> AccountId {
        AccountId(self.0)
    }
}

impl SelectionToken {
    /// Of what has been picked and is not kept yet.
    pub const NOT_YET: SelectionToken = SelectionToken(Uuid::nil());
}

impl PreviewToken {
    /// The task that it is submitted as.
    pub const fn task(self) -> TaskId {
        TaskId(self.0)
    }
}
