//! Tokens of the directory. They are made and revoked by whoever keeps the machine, open nothing but the directory's own door, and belong to
//! nobody's account.

use std::{net::IpAddr, time::Duration};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use model::{DirectoryTokenId, Instant, Problem, length::within};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QueryTrait, sea_query::Expr,
    sea_query::ExprTrait,
};
use serde_json::json;

use super::caller::DirectoryCaller;
use crate::{
    Result,
    accounts::tokens::{MOST_DAYS, days, secret::hash_of},
    audit::entry::{self, By, Entry},
    caseload::Directory,
    entity::directory::token::{Column, Entity, Model},
};

/// Tells what it is when it turns up in a log or a repository.
const PREFIX: &str = "docket_directory_";
/// The longest token that is looked up, in bytes.
const LONGEST_TOKEN: usize = 200;
/// The longest name of one, in characters.
const LONGEST_NAME: usize = 60;
/// How many there may be at once that are good: one for each that provisions, and another while it is exchanged.
const MOST: u64 = 10;
/// How often it is written down that a token is in use, in seconds.
const NOTED_EVERY: f64 = 60.0;

/// A token of the directory, without its secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirectoryToken {
    pub name: String,
    pub created_date: Instant,
    pub expiry_date: Instant,
    /// Whether it has expired.
    pub expired: bool,
    /// When the directory came with it last, to the minute.
    pub used_date: Option<Instant>,
    /// From which address.
    pub used_from: Option<String>,
}

impl Directory<'_> {
    /// Creates a token, by command. It is shown once: only its hash is kept.
    pub async fn issue_token(self, name: &str, lasts: Duration) -> Result<String> {
        let name = name.trim();
        if !model::enum_words::is_name(name, LONGEST_NAME) || name.is_empty() {
            let message = format!("Name the directory, with at most {LONGEST_NAME} visible characters.");
            return Err(Problem::field("name", "invalid", message).into());
        }
        if lasts.is_zero() || lasts > days(MOST_DAYS) {
            let message = format!("A token can last 1 to {MOST_DAYS} days.");
            return Err(Problem::field("expires", "invalid", message).into());
        }
        let secret = [queue::secret_bytes(), queue::secret_bytes()].concat();
        let token = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(secret));
        let (db, txn, id) = (self.0.db(), self.0.db().begin_write().await?, queue::new_id::<DirectoryTokenId>());
        let good = Entity::find().filter(Column::RevokedDate.is_null()).filter(Column::ExpiryDate.gt(db.now().await?));
        if good.count(&txn).await? >= MOST {
            let message = format!("There are {MOST} tokens of the directory, which is the limit. Revoke one first.");
            return Err(Problem::field("name", "too_many", message).into());
        }
        let row = [
            (Column::Id, id.into()),
            (Column::Name, name.into()),
            (Column::TokenHash, hash_of(&token).into()),
            (Column::CreatedDate, db.instant()),
            (Column::ExpiryDate, db.instant_after(lasts.as_secs_f64())),
        ];
        txn.execute_raw(db.build(&queue::row_of(Entity, row))).await?;
        let detail = json!({ "name": name, "days": lasts.as_secs() / 86_400 });
        let (action, object_id) = ("directory.token_issue", Some(id.to_string()));
        let entry = Entry { by: By::Command, action, object_kind: "directory", object_id, detail };
        entry::record(db, &txn, entry).await?;
        db.commit(txn).await?;
        Ok(token)
    }

    /// The tokens that are not revoked, oldest first.
    pub async fn tokens(self) -> Result<Vec<DirectoryToken>> {
        let db = self.0.db();
        let found = Entity::find().filter(Column::RevokedDate.is_null()).order_by_asc(Column::Id).all(db.reader());
        let (found, now) = (found.await?, db.now().await?);
        let token = |found: Model| DirectoryToken {
            name: found.name,
            created_date: found.created_date,
            expired: found.expiry_date <= now,
            expiry_date: found.expiry_date,
            used_date: found.used_date,
            used_from: found.used_from,
        };
        Ok(found.into_iter().map(token).collect())
    }

    /// Revokes every token of this name, by command; how many there were.
    pub async fn revoke_tokens(self, name: &str) -> Result<u64> {
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let revoked = Entity::update_many()
            .col_expr(Column::RevokedDate, db.instant())
            .filter(Column::Name.eq(name.trim()))
            .filter(Column::RevokedDate.is_null());
        let revoked = txn.execute_raw(db.build(&revoked.into_query())).await?.rows_affected();
        if revoked > 0 {
            let (action, detail) = ("directory.token_revoke", json!({ "name": name.trim(), "count": revoked }));
            let entry = Entry { by: By::Command, action, object_kind: "directory", object_id: None, detail };
            entry::record(db, &txn, entry).await?;
        }
        db.commit(txn).await?;
        Ok(revoked)
    }

    /// The directory that comes with this token; nobody if it is unknown, revoked or over.
    pub async fn caller(self, token: &str, source: Option<IpAddr>) -> Result<Option<DirectoryCaller>> {
        if within::<LONGEST_TOKEN>(token).is_err() || !token.starts_with(PREFIX) {
            return Ok(None);
        }
        let db = self.0.db();
        let found = Entity::find()
            .filter(Column::TokenHash.eq(hash_of(token)))
            .filter(Column::RevokedDate.is_null())
            .filter(Expr::col(Column::ExpiryDate).gt(db.instant()));
        let Some(found) = found.one(db.reader()).await? else { return Ok(None) };
        self.note_use(found.id, source).await;
        Ok(Some(DirectoryCaller { token: found.id, source }))
    }

    /// Notes now and then that a token is in use. Whoever comes with it is not kept waiting for a trouble with that.
    async fn note_use(self, id: DirectoryTokenId, source: Option<IpAddr>) {
        let (db, used) = (self.0.db(), Expr::col(Column::UsedDate));
        let is_due = used.clone().is_null().or(used.lte(db.instant_after(-NOTED_EVERY)));
        let due = Entity::find_by_id(id).filter(is_due.clone()).one(db.reader()).await;
        if !matches!(due, Ok(Some(_))) {
            return;
        }
        let noted = Entity::update_many()
            .col_expr(Column::UsedDate, db.instant())
            .col_expr(Column::UsedFrom, source.map(|source| source.to_string()).into())
            .filter(Column::Id.eq(id))
            .filter(is_due);
        if let Err(error) = db.write_query(&noted.into_query()).await {
            tracing::warn!(%error, "the use of a token of the directory could not be noted");
        }
    }
}
