//! What the former address of an account hears once another one has taken its place: whoever reads its mail can do something about it.

use queue::Database;
use sea_orm::ConnectionTrait;

use super::rows::{About, Words, put};
use crate::{Result, entity::mail::notice::State, mail::Mail};

/// Puts the notice down, if there was an address.
pub(crate) async fn tell_former(
    db: &Database,
    txn: &impl ConnectionTrait,
    mail: &Mail,
    former: &str,
    address: &str,
) -> Result<()> {
    if former.is_empty() || !mail.is_configured() {
        return Ok(());
    }
    let words = Words {
        subject: "Docket: your email address was changed".to_owned(),
        body: format!(
            "The email address of your Docket account is now {address}. It was changed in your settings, by somebody who knew your password.\n\n\
             If you know nothing of this, tell your Docket administrator at once."
        ),
    };
    Ok(put(db, txn, About::AddressChange(queue::new_id()), former, words, State::Waiting).await?)
}
