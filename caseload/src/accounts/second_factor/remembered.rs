//! Browsers in which no code is asked for a while, because the owner of an account said so where they had entered one. A browser is told by the
//! secret that it has carried since then, of which only the hash is here; whatever ends an account's sessions forgets all of its browsers.

use model::AccountId;
use queue::{Database, row_of};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryTrait,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use crate::{
    accounts::throttle::Browser,
    entity::accounts::remembered_browser::{Column, Entity},
};

/// For how long, in seconds.
const LASTS: f64 = 30.0 * 86_400.0;

/// Remembers a browser of somebody who has just entered a code there.
pub(super) async fn put_down(
    db: &Database,
    txn: &impl ConnectionTrait,
    owner: AccountId,
    browser: &Browser,
) -> Result<(), DbErr> {
    let Some(secret_hash) = browser.secret_hash(owner) else { return Ok(()) };
    let over = Entity::delete_many()
        .filter(Column::PersonId.eq(owner))
        .filter(Expr::col(Column::ExpiryDate).lte(db.instant()));
    txn.execute_raw(db.build(&over.into_query())).await?;
    let row = [
        (Column::PersonId, owner.into()),
        (Column::SecretHash, secret_hash.into()),
        (Column::ExpiryDate, db.instant_after(LASTS)),
    ];
    let conflict =
        OnConflict::columns([Column::PersonId, Column::SecretHash]).update_column(Column::ExpiryDate).to_owned();
    txn.execute_raw(db.build(row_of(Entity, row).on_conflict(conflict))).await.map(drop)
}

/// Whether no code is asked of somebody in this browser.
pub(crate) async fn is_remembered(
    db: &Database,
    connection: &impl ConnectionTrait,
    owner: AccountId,
    browser: Option<&Browser>,
) -> Result<bool, DbErr> {
    let Some(secret_hash) = browser.and_then(|browser| browser.secret_hash(owner)) else { return Ok(false) };
    let found = Entity::find_by_id((owner, secret_hash)).filter(Expr::col(Column::ExpiryDate).gt(db.instant()));
    Ok(found.one(connection).await?.is_some())
}
