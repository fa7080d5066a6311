//! Messages of Docket's own that somebody waits for: a test of an email, and the link to an address. Each is a row like any other,
//! committed with what it is about before it goes. Its text is not kept, and so nobody sends it later.

use queue::Database;
use sea_orm::{ConnectionTrait, DbErr, EntityTrait};

use super::{
    rows::{self, About, Words},
    send,
};
use crate::{
    Error, Result,
    entity::mail::notice::{Entity, State},
    mail::{Delivery, Mail, Rendered, Sender},
};

/// A message that is written down, and goes once that is committed.
#[must_use]
pub(crate) struct AtOnce(About);

impl AtOnce {
    pub async fn put_down(
        db: &Database,
        txn: &impl ConnectionTrait,
        about: About,
        address: &str,
    ) -> Result<AtOnce, DbErr> {
        rows::put(db, txn, about, address, Words::default(), State::AtOnce).await?;
        Ok(AtOnce(about))
    }

    /// Sends it. It takes as long as the mail server, up to `mail.timeout`.
    pub async fn send(
        self,
        db: &Database,
        mail: &Mail,
        sender: Option<Sender>,
        rendered: &Rendered,
    ) -> Result<Delivery> {
        let lost = || Error::Internal("a message that is not written down does not go".to_owned());
        let notice = Entity::find_by_id(self.0.key()).one(db.reader()).await?.ok_or_else(lost)?;
        send::deliver(db, mail, notice, sender, rendered).await?.ok_or_else(lost)
    }
}
