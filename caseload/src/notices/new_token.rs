//! What the owner of an account hears of a new access token: whoever made it, they can end it.

use model::{AccessTokenId, AccountId};
use queue::Database;
use sea_orm::ConnectionTrait;

use super::rows::{About, Words, put};
use crate::{Result, accounts::tokens::new::NewToken, entity::mail::notice::State, mail::Mail};

/// Puts the notice down, for the owner's address if there is one; `from` is where it was made, absent for a command.
pub async fn of_new_token(
    db: &Database,
    txn: &impl ConnectionTrait,
    mail: &Mail,
    owner: AccountId,
    token: AccessTokenId,
    new: &NewToken,
    from: Option<&str>,
) -> Result<()> {
    if !mail.is_configured() {
        return Ok(());
    }
    let address = "SELECT primary_email FROM person WHERE id = $1 AND primary_email LIKE '%_@_%'";
    let Some(row) = txn.query_one_raw(db.statement(address, [owner.into()])).await? else { return Ok(()) };
    let address: String = row.try_get("", "primary_email")?;
    let made = match from {
        Some(from) => format!("It was created in your settings, from {from}."),
        None => "It was created with the docket command, on the machine that runs Docket.".to_owned(),
    };
    let words = Words {
        subject: "Docket: a new access token for your account".to_owned(),
        body: format!(
            "A program with this access token acts in your name.\n\nName: {}\nPermissions: {}\nExpires after: {}\n\n{made}\n\n\
             If this was not you, revoke the token and change your password:\n{}/settings",
            new.name,
            new.scope.label(),
            model::counted(new.lasts.as_secs() / 86_400, "day", "days"),
            mail.settings().public_url
        ),
    };
    Ok(put(db, txn, About::NewToken(token), &address, words, State::Waiting).await?)
}
