//! The email that carries the link to choose a password. Its text is made as it goes, with the link's secret, which is nowhere else.

use model::PasswordLinkId;
use queue::Database;
use sea_orm::{ConnectionTrait, DbErr, EntityTrait};

use super::rows::{About, Words, put};
use crate::{
    accounts::password_links::ready_to_send,
    entity::{
        accounts::{account, password_link::LinkPurpose},
        mail::notice::State,
    },
    mail::{Mail, Rendered},
};

/// Puts the email of a link down.
pub async fn of_password_link(
    db: &Database,
    txn: &impl ConnectionTrait,
    link: PasswordLinkId,
    address: &str,
) -> Result<(), DbErr> {
    put(db, txn, About::PasswordLink(link), address, Words::default(), State::Waiting).await
}

/// The email itself; nothing where nobody waits for it any more.
pub(super) async fn letter(db: &Database, mail: &Mail, link: PasswordLinkId) -> Result<Option<Rendered>, DbErr> {
    let Some(link) = ready_to_send(db, link).await? else { return Ok(None) };
    let Some(account) = account::Entity::find_by_id(link.owner).one(db.reader()).await? else { return Ok(None) };
    let (username, lasts) = (account.username, link.purpose.lasts_in_words());
    let to = format!("{}/password?token={}", mail.settings().public_url, link.token);
    let (subject, text) = match link.purpose {
        LinkPurpose::Reset => (
            "Docket: choose a new password",
            format!(
                "Somebody asked for a new password for your Docket account “{username}”. If that was you, open this link within {lasts} to choose one:\n\n{to}\n\nIf it was not you, ignore this email. Your password stays as it is."
            ),
        ),
        LinkPurpose::Invitation => (
            "Docket: your new account",
            format!(
                "You have a Docket account. Your username is “{username}”. Open this link within {lasts} to choose your password:\n\n{to}\n\nIf the link is too old, ask for a new one on the sign-in page or from your Docket administrator."
            ),
        ),
    };
    Ok(Some(Rendered::of_text(subject.to_owned(), text)))
}
