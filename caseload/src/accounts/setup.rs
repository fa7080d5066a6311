//! The first account: made by whoever holds the link that a start without any account prints.

use std::net::IpAddr;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use model::{Code, Problem, Role};
use queue::row_of;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryTrait};

use crate::{
    Actor, NewAccount, NewPassword, Result, access,
    accounts::{
        request_origin::{Credential, Via},
        session::begun,
        staff_accounts,
        tokens::secret::hash_of,
    },
    audit::entry::{self, By, Entry},
    caseload::Accounts,
    entity::accounts::setup_link::{Column, Entity},
};

impl Accounts<'_> {
    /// The token of a fresh link, while there is no account. Former links end.
    pub async fn setup_token(self) -> Result<Option<String>> {
        if self.are_there().await? {
            self.0.db().write_query(&Entity::delete_many().into_query()).await?;
            return Ok(None);
        }
        let token = URL_SAFE_NO_PAD.encode(queue::secret_bytes());
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        txn.execute_raw(db.build(&Entity::delete_many().into_query())).await?;
        let row = [(Column::TokenHash, hash_of(&token).into()), (Column::CreatedDate, db.instant())];
        txn.execute_raw(db.build(&row_of(Entity, row))).await?;
        db.commit(txn).await?;
        Ok(Some(token))
    }

    /// Makes the first account, an administrator's, and ends the link.
    pub async fn set_up(
        self,
        token: &str,
        username: &str,
        name: &str,
        password: &str,
        (source, session): (Option<IpAddr>, Option<&str>),
    ) -> Result<Actor> {
        let name = Some(name.trim()).filter(|name| !name.is_empty()).map(str::to_owned);
        let (username, password) = (username.to_owned(), NewPassword::Chosen(password.to_owned()));
        let new = NewAccount { username, role: Role::Administrator, name, school_id: None, password };
        // Hashing a password is work that strangers must not be able to ask for.
        let known = Entity::find_by_id(hash_of(token)).one(self.0.db().reader());
        if self.are_there().await? || known.await?.is_none() {
            return Err(gone().into());
        }
        let ready = staff_accounts::Ready::of(new).await?;
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let used = Entity::delete_many().filter(Column::TokenHash.eq(hash_of(token)));
        if txn.execute_raw(db.build(&used.into_query())).await?.rows_affected() == 0 {
            return Err(gone().into());
        }
        let person_id = ready.insert(db, &txn, By::AtTheDoor { account: None, source }, None).await?;
        let entry = Entry {
            by: By::AtTheDoor { account: Some(person_id), source },
            action: "session.begin",
            object_kind: "account",
            object_id: Some(person_id.to_string()),
            detail: begun(session),
        };
        entry::record(db, &txn, entry).await?;
        let actor = access::load(&txn, person_id, Via::new(Credential::Password, source))
            .await?
            .ok_or_else(|| Problem::not_found("account"))?;
        db.commit(txn).await?;
        Ok(actor)
    }
}

fn gone() -> Problem {
    let detail = "This link was used already, or Docket has restarted since. Find the newest link in its log.";
    Problem::new(404, Code::SETUP_LINK_GONE, "This link no longer works", detail)
}
