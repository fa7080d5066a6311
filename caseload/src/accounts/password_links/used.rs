//! Following a link: whom it is for, and the password that they choose. A link works once, and looking at its page does not use it up,
//! since mail programs follow links to look for harm.

use std::net::IpAddr;

use model::{AccountId, Code, Problem};
use sea_orm::EntityTrait;
use serde_json::json;

use super::link;
use crate::{
    Result, access,
    accounts::{
        account::record,
        credentials,
        passwords::NewPassword,
        request_origin::{Credential, Via},
    },
    audit::entry::By,
    caseload::Accounts,
    entity::{
        accounts::{account, password_link::LinkPurpose},
        person_name, primary_address,
    },
    notices::{self, PasswordChange},
};

/// Whom a link is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkOwner {
    pub username: String,
    /// Whether the account is new to them.
    pub is_new: bool,
}

impl Accounts<'_> {
    /// Whom a link is for; nobody once it was used or has ended.
    pub async fn owner_of_link(self, token: &str) -> Result<Option<LinkOwner>> {
        let reader = self.0.db().reader();
        let Some(link) = link::find(self.0.db(), reader, token).await? else { return Ok(None) };
        let account = account::Entity::find_by_id(link.person_id).one(reader).await?;
        Ok(account
            .filter(|account| !account.disabled)
            .map(|account| LinkOwner { username: account.username, is_new: link.purpose == LinkPurpose::Invitation }))
    }

    /// Gives the account of a link the password that its owner chose. Their sessions and tokens end. The address where an invitation
    /// was read is theirs from now on.
    pub async fn choose_password(self, token: &str, password: &str, source: Option<IpAddr>) -> Result<AccountId> {
        let db = self.0.db();
        // Hashing a password is work that strangers must not be able to ask for.
        let link = link::find(db, db.reader(), token).await?.ok_or_else(gone)?;
        let id = link.person_id;
        let owner = access::load(db.reader(), id, Via::new(Credential::Password, source)).await?.ok_or_else(gone)?;
        let name = person_name(db.reader(), id.person()).await?.unwrap_or_default();
        let password = NewPassword::Chosen(password.to_owned()).hashed(&owner.username, &name).await?;
        let txn = db.begin_write().await?;
        if !link::use_up(db, &txn, &link).await? {
            return Err(gone().into());
        }
        let ended = credentials::set_password(db, &txn, id, password).await?;
        let by = By::AtTheDoor { account: Some(id), source };
        record(db, &txn, by, "account.password", id, json!({ "tokens": ended.tokens, "by": "link" })).await?;
        match (link.purpose, primary_address(&txn, id.person()).await?) {
            (LinkPurpose::Invitation, None) => self.set_address(&txn, &owner, "", &link.address).await?,
            _ => notices::of_password_change(db, &txn, self.0.mail(), id, PasswordChange::ByLink).await?,
        }
        db.commit(txn).await?;
        Ok(id)
    }
}

fn gone() -> Problem {
    let detail = "It was used before, is too old, or a newer one was sent. Ask for a new link.";
    Problem::new(404, Code::PASSWORD_LINK_GONE, "This link no longer works", detail)
}
