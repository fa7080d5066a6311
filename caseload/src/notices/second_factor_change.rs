//! What the owner of an account hears of its second factor: whoever changed it, they can do something about it.

use model::AccountId;
use queue::Database;
use sea_orm::ConnectionTrait;

use super::rows::{About, Words, put};
use crate::{
    Result,
    entity::{mail::notice::State, primary_address},
    mail::Mail,
};

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecondFactorChange {
    SetUp,
    Replaced,
    Removed,
    NewCodes,
    PasskeyAdded,
    PasskeyRemoved,
    /// One was refused, because another device may have a copy of it.
    PasskeySuspect,
    /// A recovery code was used, and so many are left.
    CodeUsed {
        left: u64,
    },
    ResetByAdministrator,
    /// On the machine that runs Docket.
    ResetByCommand,
}

impl SecondFactorChange {
    /// What has happened, in short.
    fn subject(self) -> &'static str {
        match self {
            SecondFactorChange::SetUp => "Docket: an authenticator app was set up",
            SecondFactorChange::Replaced => "Docket: your authenticator app was replaced",
            SecondFactorChange::Removed => "Docket: your authenticator app was removed",
            SecondFactorChange::NewCodes => "Docket: you have new recovery codes",
            SecondFactorChange::PasskeyAdded => "Docket: a passkey was added",
            SecondFactorChange::PasskeyRemoved => "Docket: a passkey was removed",
            SecondFactorChange::PasskeySuspect => "Docket: one of your passkeys may have been copied",
            SecondFactorChange::CodeUsed { .. } => "Docket: a recovery code was used",
            SecondFactorChange::ResetByAdministrator | SecondFactorChange::ResetByCommand => {
                "Docket: your second factor was reset"
            }
        }
    }

    fn says(self) -> String {
        match self {
            SecondFactorChange::SetUp => {
                "From now on Docket asks for a code of this app after your password. Your other sessions have ended."
                    .to_owned()
            }
            SecondFactorChange::Replaced => {
                "From now on only codes of the new app count. Your other sessions have ended.".to_owned()
            }
            SecondFactorChange::Removed => {
                "Its codes do not count any more. Your other sessions have ended.".to_owned()
            }
            SecondFactorChange::NewCodes => "Those that you had before are worth nothing any more.".to_owned(),
            SecondFactorChange::PasskeyAdded => {
                "From now on your device lets you in with it. Your other sessions have ended.".to_owned()
            }
            SecondFactorChange::PasskeyRemoved => {
                "Nobody can sign in with it any more. Your other sessions have ended.".to_owned()
            }
            SecondFactorChange::PasskeySuspect => {
                "Docket refused a sign-in with it, because two devices seem to have the same key. Remove that passkey and add a new one."
                    .to_owned()
            }
            SecondFactorChange::CodeUsed { left } => format!(
                "Somebody signed in to your account with your password and a recovery code. You have {} left.",
                model::counted(left, "code", "codes")
            ),
            SecondFactorChange::ResetByAdministrator => {
                "An administrator removed your second factor: the authenticator app, the passkeys and the recovery codes. Your sessions have ended."
                    .to_owned()
            }
            SecondFactorChange::ResetByCommand => {
                "Your second factor (the authenticator app, the passkeys and the recovery codes) was removed with the docket command, on the machine that runs Docket. Your sessions have ended."
                    .to_owned()
            }
        }
    }
}

/// Puts the notice down, for the owner's address if there is one.
pub async fn of_second_factor_change(
    db: &Database,
    txn: &impl ConnectionTrait,
    mail: &Mail,
    owner: AccountId,
    what: SecondFactorChange,
) -> Result<()> {
    let Some(address) = primary_address(txn, owner.person()).await?.filter(|_| mail.is_configured()) else {
        return Ok(());
    };
    let words = Words {
        subject: what.subject().to_owned(),
        body: format!(
            "{}\n\nIf you know nothing of this, change your password and tell your Docket administrator at once:\n{}/settings",
            what.says(),
            mail.settings().public_url
        ),
    };
    Ok(put(db, txn, About::SecondFactor(queue::new_id()), &address, words, State::Waiting).await?)
}
