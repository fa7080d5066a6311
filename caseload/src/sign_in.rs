//! Passwords. A wrong one, an unknown username and a disabled account end in the same words after the same work, so that
//! nobody learns which accounts there are.

use std::sync::OnceLock;

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use model::Problem;
use queue::Database;
use sea_orm::EntityTrait;
use serde_json::json;
use uuid::Uuid;

use crate::{
    Actor, Caseload, Error, Result, access,
    audit::{self, Entry},
    entity::account,
    users,
};

impl Caseload {
    /// Signs in with a password. `source` is where from, for the audit.
    pub async fn sign_in(&self, username: &str, password: &str, source: &str) -> Result<Actor> {
        let db = self.db();
        let account = users::by_username(db.reader(), username).await?;
        let hash = match &account {
            Some(account) => account.password_hash.clone(),
            None => decoy().await?,
        };
        let right = verify(password.to_owned(), hash).await? && account.is_some();
        let person_id = account.as_ref().map(|account| account.person_id);
        let actor = match account {
            Some(account) if right => access::actor(db.reader(), account).await?,
            _ => None,
        };
        let txn = db.begin_write().await?;
        let action = if actor.is_some() { "session.begin" } else { "session.refused" };
        let object_id = person_id.map(|id| id.to_string());
        let detail = json!({ "source": source });
        audit::record(db, &txn, Entry { actor_id: person_id, action, object_kind: "account", object_id, detail })
            .await?;
        self.db().commit(txn).await?;
        actor.ok_or_else(|| {
            Problem::new(401, "sign_in_failed", "That did not work", "The username or the password is not right.")
                .into()
        })
    }

    /// Notes that a session was ended by its owner.
    pub async fn signed_out(&self, actor: &Actor) -> Result<()> {
        let txn = self.db().begin_write().await?;
        let entry = Entry {
            actor_id: Some(actor.person_id),
            action: "session.end",
            object_kind: "account",
            object_id: Some(actor.person_id.to_string()),
            detail: json!({}),
        };
        audit::record(self.db(), &txn, entry).await?;
        Ok(self.db().commit(txn).await?)
    }
}

/// argon2id with the crate's parameters (19 MiB, two passes), off the async threads.
pub async fn hash(password: String) -> Result<String> {
    let hashed = tokio::task::spawn_blocking(move || {
        Argon2::default().hash_password(password.as_bytes()).map(|hash: PasswordHash| hash.to_string())
    });
    hashed.await.map_err(internal)?.map_err(internal)
}

/// Whether this is the account's password.
pub async fn is_right(db: &Database, person_id: Uuid, password: &str) -> Result<bool> {
    match account::Entity::find_by_id(person_id).one(db.reader()).await? {
        Some(account) => verify(password.to_owned(), account.password_hash).await,
        None => Ok(false),
    }
}

async fn verify(password: String, hash: String) -> Result<bool> {
    let verified = tokio::task::spawn_blocking(move || {
        PasswordHash::new(&hash).is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
    });
    verified.await.map_err(internal)
}

/// A hash that no password has, for accounts that do not exist.
async fn decoy() -> Result<String> {
    static DECOY: OnceLock<String> = OnceLock::new();
    if let Some(decoy) = DECOY.get() {
        return Ok(decoy.clone());
    }
    let fresh = hash(queue::new_id().to_string()).await?;
    Ok(DECOY.get_or_init(|| fresh).clone())
}

fn internal(error: impl std::fmt::Display) -> Error {
    Error::Internal(error.to_string())
}
