//! Asking for a link at the door. Whoever asks learns nothing of which accounts there are: what is done and said is the same for a
//! name that nobody has, but for an email, which goes to the owner alone.

use std::net::IpAddr;

use model::{AccountId, Code, Problem, account::PasswordState, admin::ScheduleName};
use queue::Database;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, sea_query::ExprTrait};
use serde_json::json;

use super::link;
use crate::{
    Result,
    accounts::{
        account::by_username,
        passwords::rule::PasswordRule,
        throttle::{self, Claim, Door, SignInAttempt},
    },
    audit::entry::{self, By, Entry},
    caseload::Accounts,
    entity::{self, accounts::account, accounts::password_link::LinkPurpose},
    limits::{Allowance, allowance},
    notices,
    people::fold,
};

/// The longest username or address that is looked up, in bytes.
const LONGEST: usize = 320;

/// Whose account was meant, and where its owner gets mail.
struct Owner {
    id: AccountId,
    address: String,
}

impl Accounts<'_> {
    /// Sends the owner of an account a link to choose a password, by their username or their address.
    pub async fn request_password_link(self, named: &str, source: Option<IpAddr>) -> Result<()> {
        if !self.0.mail().is_configured() {
            let detail = "This server sends no email. Ask your Docket administrator for a new password.";
            return Err(Problem::new(409, Code::MAIL_NOT_SET_UP, "No email is sent", detail).into());
        }
        if named.trim().is_empty() || named.len() > LONGEST {
            return Err(Problem::field("username", "required", "Enter your username or your email address.").into());
        }
        let claim = Claim { door: Door::Link, username: named, account: None, source, own: None };
        let ask = async |_: &SignInAttempt| self.put_down_link(named, source).await;
        throttle::attempt(self.0, claim, ask).await
    }

    async fn put_down_link(self, named: &str, source: Option<IpAddr>) -> Result<()> {
        let owner = owner_named(self.0.db(), self.0.passwords(), named).await?;
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let account = owner.as_ref().map(|owner| owner.id);
        if let Some(Owner { id, address }) = owner
            && allowance::is_left_in(self.0, &txn, id, Allowance::PasswordLink).await?
        {
            let link = link::put_down(db, &txn, id, LinkPurpose::Reset, &address).await?;
            notices::of_password_link(db, &txn, link, &address).await?;
        }
        let entry = Entry {
            by: By::AtTheDoor { account, source },
            action: "account.link",
            object_kind: "account",
            object_id: account.map(|id| id.to_string()),
            detail: json!({}),
        };
        entry::record(db, &txn, entry).await?;
        queue::schedule::fire_soon(db, &txn, ScheduleName::SendNotices.name()).await?;
        Ok(db.commit(txn).await?)
    }
}

/// Whoever has that username, or alone among accounts that address.
async fn owner_named(db: &Database, passwords: &PasswordRule, named: &str) -> Result<Option<Owner>> {
    let reader = db.reader();
    let sql = "SELECT a.person_id FROM account a JOIN person p ON p.id = a.person_id
               WHERE p.email_key = $1 AND NOT a.disabled ORDER BY a.person_id LIMIT 2";
    let named_by_address = db.statement(sql, [fold::key(named).into()]);
    let by_address = reader.query_all_raw(named_by_address).await?;
    let id = match (by_username(reader, named).await?, by_address.as_slice()) {
        (Some(account), _) => account.person_id,
        (None, [one]) => one.try_get("", "person_id")?,
        _ => return Ok(None),
    };
    let is_open = account::Column::PersonId.eq(id).and(account::Column::Disabled.eq(false));
    let open = account::Entity::find().filter(is_open).one(reader).await?;
    // Whoever comes in by a provider alone makes no second way in for themselves.
    let has_password = |account: account::Model| {
        passwords.is_for(&account.username) && account.password_state != PasswordState::Missing
    };
    if !open.is_some_and(has_password) {
        return Ok(None);
    }
    let address = entity::primary_address(reader, id.person()).await?;
    Ok(address.map(|address| Owner { id, address }))
}
