//! Coming in by a provider, and the provider's word later on that somebody may stay.

use std::net::IpAddr;

use model::AccountId;
use queue::Database;
use sea_orm::{ConnectionTrait, EntityTrait};
use serde_json::json;

use super::{
    AccountRule, ProvidedPerson,
    join::{self, is_last_resort},
    refusals,
    role::{self, MayComeIn},
};
use crate::{
    Actor, NewPassword, Result, access,
    accounts::{
        account::record,
        credentials,
        request_origin::{Credential, Via},
    },
    audit::entry::{self, By, Entry},
    caseload::Accounts,
    entity::accounts::{account, account_identity},
};

impl Accounts<'_> {
    /// Who somebody is whom a provider has let in. Their account is linked or made if they come for the first time, and has from
    /// now on the role that the provider says. `session` is the id of the session that begins with it, as others know it.
    pub async fn sign_in_provided(
        self,
        person: &ProvidedPerson,
        rule: &AccountRule,
        source: Option<IpAddr>,
        session: &str,
    ) -> Result<Actor> {
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let identity = match join::account_of(db, &txn, person, (rule, self.0.passwords()), source).await? {
            Ok(identity) => identity,
            Err(refusal) => {
                // With it goes what was written on the way there.
                drop(txn);
                let txn = db.begin_write().await?;
                noted(db, &txn, None, person, source, None).await?;
                db.commit(txn).await?;
                return Err(refusal.into());
            }
        };
        let account = identity.person_id;
        let standing = role::settle(db, &txn, &identity, person).await?;
        let actor = match standing {
            MayComeIn::Welcome => {
                without_printed_password(db, &txn, &identity).await?;
                let via = Via::new(Credential::Provider(person.provider.clone()), source);
                access::load(&txn, account, via).await?.ok_or_else(refusals::disabled)
            }
            MayComeIn::WithoutRole => Err(refusals::without_role()),
        };
        noted(db, &txn, Some(account), person, source, actor.is_ok().then_some(session)).await?;
        db.commit(txn).await?;
        Ok(actor?)
    }

    /// Has an account the role that the provider says now; whether its owner may stay.
    pub async fn confirm_provided(self, account: AccountId, person: &ProvidedPerson) -> Result<bool> {
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let stays = match join::linked(&txn, &person.issuer, &person.subject).await? {
            Some(identity)
                if identity.person_id == account && !is_last_resort(&txn, self.0.passwords(), account).await? =>
            {
                let standing = role::settle(db, &txn, &identity, person).await?;
                let found = account::Entity::find_by_id(account).one(&txn).await?;
                standing == MayComeIn::Welcome && found.is_some_and(|account| !account.disabled)
            }
            _ => false,
        };
        db.commit(txn).await?;
        Ok(stays)
    }

    /// Notes that a provider, by its name, has ended a session of an account.
    pub async fn session_ended_by(self, provider: &str, account: AccountId, session: &str) -> Result<()> {
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let by = By::LetIn { account: Some(account), provider, source: None };
        record(db, &txn, by, "session.end", account, json!({ "session": session })).await?;
        Ok(db.commit(txn).await?)
    }
}

/// Notes that somebody came in, to this session, or did not.
async fn noted(
    db: &Database,
    txn: &impl ConnectionTrait,
    account: Option<AccountId>,
    person: &ProvidedPerson,
    source: Option<IpAddr>,
    session: Option<&str>,
) -> Result<()> {
    let by = By::LetIn { account, provider: &person.provider, source };
    let (action, detail) = match session {
        Some(session) => ("session.begin", json!({ "session": session })),
        None => ("session.refused", json!({})),
    };
    let object_id = account.map(|id| id.to_string());
    Ok(entry::record(db, txn, Entry { by, action, object_kind: "account", object_id, detail }).await?)
}

/// A password that was made for somebody and lies about on paper is not needed any more by whoever comes in without it.
async fn without_printed_password(
    db: &Database,
    txn: &impl ConnectionTrait,
    identity: &account_identity::Model,
) -> Result<()> {
    let found = account::Entity::find_by_id(identity.person_id).one(txn).await?;
    if found.is_some_and(|account| account.password_state.is_to_be_changed()) {
        let nothing = NewPassword::Nothing.hashed("", "").await?;
        credentials::set_password(db, txn, identity.person_id, nothing).await?;
        let detail = json!({ "provider": identity.provider });
        record(db, txn, By::Docket, "account.password_drop", identity.person_id, detail).await?;
    }
    Ok(())
}
