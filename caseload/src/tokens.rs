//! Access tokens, with which programs act as the account they were issued for.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use model::Problem;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::{
    Actor, Caseload, Result, access,
    audit::{self, Entry},
    entity::access_token,
    users::{by_username, no_account},
};

/// Tells what it is when it turns up in a log or a repository.
const PREFIX: &str = "docket_";

impl Caseload {
    /// Issues a token for an account. It is shown once: only its hash is kept.
    pub async fn issue_token(&self, username: &str) -> Result<String> {
        // Two version 4 ids: 244 random bits.
        let secret = [queue::secret_id().into_bytes(), queue::secret_id().into_bytes()].concat();
        let token = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(secret));
        let db = self.db();
        let txn = db.begin_write().await?;
        let account = by_username(&txn, username).await?.ok_or_else(|| no_account(username))?;
        if account.disabled {
            return Err(Problem::field("username", "disabled", format!("The account “{username}” is disabled.")).into());
        }
        let id = queue::new_id();
        txn.execute_raw(db.statement(
            "INSERT INTO access_token (id, person_id, token_hash, created_date) VALUES ($1, $2, $3, {now})",
            [id.into(), account.person_id.into(), hash_of(&token).into()],
        ))
        .await?;
        let entry = Entry {
            actor_id: None,
            action: "token.issue",
            object_kind: "account",
            object_id: Some(account.person_id.to_string()),
            detail: json!({ "token": id }),
        };
        audit::record(db, &txn, entry).await?;
        self.db().commit(txn).await?;
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

fn hash_of(token: &str) -> String {
    Sha256::digest(token.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}
