//! The link as a row. Its secret is made as its email goes, and is nowhere but in that: whoever reads the database, or a
//! backup of it, cannot follow one.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use model::{AccountId, PasswordLinkId};
use queue::{Database, row_of};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryTrait,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use crate::{
    accounts::tokens::secret::hash_of,
    entity::accounts::password_link::{Column, Entity, LinkPurpose, Model},
};

/// The longest token that is looked up, in bytes.
const LONGEST_TOKEN: usize = 100;

impl LinkPurpose {
    /// How long its email may wait for a mail server that is away, in seconds; then nobody waits for it any more.
    fn waits(self) -> f64 {
        match self {
            LinkPurpose::Reset => 3_600.0,
            LinkPurpose::Invitation => 86_400.0,
        }
    }

    /// How long a link works from when it is sent, in seconds.
    fn lasts(self) -> f64 {
        match self {
            LinkPurpose::Reset => 1_800.0,
            LinkPurpose::Invitation => 7.0 * 86_400.0,
        }
    }

    /// The same in words.
    pub(crate) fn lasts_in_words(self) -> &'static str {
        match self {
            LinkPurpose::Reset => "30 minutes",
            LinkPurpose::Invitation => "7 days",
        }
    }
}

/// Puts a link down for the owner of an account, in place of a former one; what its email is known by. It works once that has left.
pub(crate) async fn put_down(
    db: &Database,
    txn: &impl ConnectionTrait,
    owner: AccountId,
    purpose: LinkPurpose,
    address: &str,
) -> Result<PasswordLinkId, DbErr> {
    let id: PasswordLinkId = queue::new_id();
    let row = [
        (Column::PersonId, owner.into()),
        (Column::Id, id.into()),
        (Column::Purpose, Expr::val(purpose)),
        (Column::Address, address.into()),
        (Column::TokenHash, Option::<String>::None.into()),
        (Column::CreatedDate, db.instant()),
        (Column::ExpiryDate, db.instant_after(purpose.waits())),
    ];
    let kept =
        [Column::Id, Column::Purpose, Column::Address, Column::TokenHash, Column::CreatedDate, Column::ExpiryDate];
    let conflict = OnConflict::column(Column::PersonId).update_columns(kept).to_owned();
    txn.execute_raw(db.build(row_of(Entity, row).on_conflict(conflict))).await?;
    Ok(id)
}

/// A link that goes now.
pub(crate) struct Sendable {
    pub owner: AccountId,
    pub purpose: LinkPurpose,
    pub token: String,
}

/// Gives a link its secret, and its time from now on. Nothing: nobody waits for it any more.
pub(crate) async fn ready_to_send(db: &Database, id: PasswordLinkId) -> Result<Option<Sendable>, DbErr> {
    let Some(link) = Entity::find().filter(Column::Id.eq(id)).one(db.reader()).await? else { return Ok(None) };
    let token = URL_SAFE_NO_PAD.encode(queue::secret_bytes());
    let ready = Entity::update_many()
        .col_expr(Column::TokenHash, hash_of(&token).into())
        .col_expr(Column::ExpiryDate, db.instant_after(link.purpose.lasts()))
        .filter(Column::Id.eq(id))
        .filter(Expr::col(Column::CreatedDate).gt(db.instant_after(-link.purpose.waits())));
    let is_ready = db.write_query(&ready.into_query()).await? == 1;
    Ok(is_ready.then_some(Sendable { owner: link.person_id, purpose: link.purpose, token }))
}

/// The link that has this secret, while it works.
pub(crate) async fn find(
    db: &Database,
    connection: &impl ConnectionTrait,
    token: &str,
) -> Result<Option<Model>, DbErr> {
    if token.len() > LONGEST_TOKEN {
        return Ok(None);
    }
    let works = Entity::find()
        .filter(Column::TokenHash.eq(hash_of(token)))
        .filter(Expr::col(Column::ExpiryDate).gt(db.instant()));
    works.one(connection).await
}

/// Uses a link up; false: somebody has, or it has ended.
pub(crate) async fn use_up(db: &Database, txn: &impl ConnectionTrait, link: &Model) -> Result<bool, DbErr> {
    let used = Entity::delete_many()
        .filter(Column::Id.eq(link.id))
        .filter(Column::TokenHash.eq(link.token_hash.clone()))
        .filter(Expr::col(Column::ExpiryDate).gt(db.instant()));
    Ok(txn.execute_raw(db.build(&used.into_query())).await?.rows_affected() == 1)
}
