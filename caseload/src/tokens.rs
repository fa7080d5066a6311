//! Access tokens, with which programs act as the account they were issued for.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use model::{Problem, account::Token};
use queue::Database;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};
use serde_json::json;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{
    Actor, Caseload, Result, access,
    audit::{self, Entry},
    entity::access_token,
    users::{by_username, no_account},
};

/// Tells what it is when it turns up in a log or a repository.
const PREFIX: &str = "docket_";
/// The longest name, in characters.
const LONGEST: usize = 60;

impl Caseload {
    /// Issues a token for an account, by command. It is shown once: only its hash is kept.
    pub async fn issue_token(&self, username: &str) -> Result<String> {
        let account = by_username(self.db().reader(), username).await?.ok_or_else(|| no_account(username))?;
        if account.disabled {
            return Err(Problem::field("username", "disabled", format!("The account “{username}” is disabled.")).into());
        }
        self.issue(account.person_id, None, None).await
    }

    /// Issues a token for a program of the actor's.
    pub async fn issue_own_token(&self, actor: &Actor, name: &str) -> Result<String> {
        let name = name.trim();
        if name.is_empty() {
            return Err(Problem::field("name", "required", "Name the program that the token is for.").into());
        }
        if name.chars().count() > LONGEST || model::text::has_control(name) {
            let message = format!("Use a name of at most {LONGEST} letters, digits and signs.");
            return Err(Problem::field("name", "invalid", message).into());
        }
        self.issue(actor.person_id, Some(actor.person_id), Some(name)).await
    }

    /// The actor's tokens that are not revoked, oldest first.
    pub async fn tokens(&self, actor: &Actor) -> Result<Vec<Token>> {
        let found = access_token::Entity::find()
            .filter(access_token::Column::PersonId.eq(actor.person_id))
            .filter(access_token::Column::RevokedDate.is_null())
            .order_by_asc(access_token::Column::Id)
            .all(self.db().reader())
            .await?;
        let token =
            |found: access_token::Model| Token { id: found.id, name: found.name, created_date: found.created_date };
        Ok(found.into_iter().map(token).collect())
    }

    /// Revokes one of the actor's tokens.
    pub async fn revoke_own_token(&self, actor: &Actor, id: Uuid) -> Result<()> {
        let (db, txn) = (self.db(), self.db().begin_write().await?);
        let sql =
            "UPDATE access_token SET revoked_date = {now} WHERE id = $1 AND person_id = $2 AND revoked_date IS NULL";
        let revoked = txn.execute_raw(db.statement(sql, [id.into(), actor.person_id.into()])).await?;
        if revoked.rows_affected() == 0 {
            return Err(Problem::not_found("token").into());
        }
        note(db, &txn, Some(actor.person_id), "token.revoke", actor.person_id, id).await?;
        Ok(db.commit(txn).await?)
    }

    async fn issue(&self, owner: Uuid, by: Option<Uuid>, name: Option<&str>) -> Result<String> {
        // Two version 4 ids: 244 random bits.
        let secret = [queue::secret_id().into_bytes(), queue::secret_id().into_bytes()].concat();
        let token = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(secret));
        let (db, txn, id) = (self.db(), self.db().begin_write().await?, queue::new_id());
        txn.execute_raw(db.statement(
            "INSERT INTO access_token (id, person_id, token_hash, name, created_date) VALUES ($1, $2, $3, $4, {now})",
            [id.into(), owner.into(), hash_of(&token).into(), name.map(str::to_owned).into()],
        ))
        .await?;
        note(db, &txn, by, "token.issue", owner, id).await?;
        db.commit(txn).await?;
        Ok(token)
    }

    /// The actor of a token; `None` when it is unknown, revoked, or its account is disabled.
    pub async fn actor_of_token(&self, token: &str) -> Result<Option<Actor>> {
        let reader = self.db().reader();
        let found = access_token::Entity::find()
            .filter(access_token::Column::TokenHash.eq(hash_of(token)))
            .filter(access_token::Column::RevokedDate.is_null())
            .one(reader)
            .await?;
        match found {
            Some(found) => access::load(reader, found.person_id).await,
            None => Ok(None),
        }
    }
}

async fn note(
    db: &Database,
    txn: &impl ConnectionTrait,
    by: Option<Uuid>,
    action: &str,
    owner: Uuid,
    token: Uuid,
) -> Result<()> {
    let (object_id, detail) = (Some(owner.to_string()), json!({ "token": token }));
    Ok(audit::record(db, txn, Entry { actor_id: by, action, object_kind: "account", object_id, detail }).await?)
}

/// What is kept of a secret.
pub fn hash_of(token: &str) -> String {
    Sha256::digest(token.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
