//! What the owner of an account hears of a new password: whoever chose it, they can do something about it.

use model::AccountId;
use queue::Database;
use sea_orm::ConnectionTrait;

use super::rows::{About, Words, put};
use crate::{
    Result,
    entity::{mail::notice::State, primary_address},
    mail::Mail,
};

/// How a password was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasswordChange {
    /// In the settings, by whoever knew the former one.
    InSettings,
    /// By whoever followed a link that was sent to the owner's address.
    ByLink,
    ByAdministrator,
    /// On the machine that runs Docket.
    ByCommand,
}

impl PasswordChange {
    fn says(self) -> &'static str {
        match self {
            PasswordChange::InSettings => "It was changed in your settings, by somebody who knew the old password.",
            PasswordChange::ByLink => "It was chosen with a link that was sent to this address.",
            PasswordChange::ByAdministrator => "An administrator made a one-time password for you.",
            PasswordChange::ByCommand => "It was changed with the docket command, on the machine that runs Docket.",
        }
    }
}

/// Puts the notice down, for the owner's address if there is one.
pub async fn of_password_change(
    db: &Database,
    txn: &impl ConnectionTrait,
    mail: &Mail,
    owner: AccountId,
    how: PasswordChange,
) -> Result<()> {
    let Some(address) = primary_address(txn, owner.person()).await?.filter(|_| mail.is_configured()) else {
        return Ok(());
    };
    let words = Words {
        subject: "Docket: your password was changed".to_owned(),
        body: format!(
            "The password of your Docket account is a new one. Your sessions and access tokens have ended.\n\n{}\n\n\
             If you know nothing of this, tell your Docket administrator at once.",
            how.says()
        ),
    };
    Ok(put(db, txn, About::PasswordChange(queue::new_id()), &address, words, State::Waiting).await?)
}
