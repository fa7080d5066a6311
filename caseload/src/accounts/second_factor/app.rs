//! The app of an account, as its row: put down once its owner has shown a code of it, and asked whether a code is right.

use model::AccountId;
use queue::{Database, row_of};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryTrait,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use super::{
    app_key::{AppKey, CodeVerdict},
    kept_key,
};
use crate::{
    Caseload, Result,
    entity::accounts::authenticator_app::{Column, Entity},
};

/// Keeps the key of an app, in place of a former one. The code by which it was confirmed is of this step.
pub(super) async fn put_down(
    db: &Database,
    txn: &impl ConnectionTrait,
    owner: AccountId,
    sealed: String,
    step: i64,
) -> Result<(), DbErr> {
    let row = [
        (Column::PersonId, owner.into()),
        (Column::SealedKey, sealed.into()),
        (Column::LastStep, step.into()),
        (Column::CreatedDate, db.instant()),
        (Column::UsedDate, db.instant()),
    ];
    let kept = [Column::SealedKey, Column::LastStep, Column::CreatedDate, Column::UsedDate];
    let conflict = OnConflict::column(Column::PersonId).update_columns(kept).to_owned();
    txn.execute_raw(db.build(row_of(Entity, row).on_conflict(conflict))).await.map(drop)
}

/// Whether an account has one.
pub(super) async fn is_there(connection: &impl ConnectionTrait, owner: AccountId) -> Result<bool, DbErr> {
    Ok(Entity::find_by_id(owner).one(connection).await?.is_some())
}

/// Drops it; false: there is none.
pub(super) async fn forget(db: &Database, txn: &impl ConnectionTrait, owner: AccountId) -> Result<bool, DbErr> {
    let gone = Entity::delete_by_id(owner);
    Ok(txn.execute_raw(db.build(&gone.into_query())).await?.rows_affected() == 1)
}

/// What a code of an account's app is now. One that is right is not used up by looking at it.
pub(super) async fn judge(caseload: &Caseload, owner: AccountId, code: &str) -> Result<Option<(CodeVerdict, String)>> {
    let db = caseload.db();
    let Some(app) = Entity::find_by_id(owner).one(db.reader()).await? else { return Ok(None) };
    let key: AppKey = kept_key::opened(caseload, &app.sealed_key)?;
    Ok(Some((key.judge(code, db.now().await?, app.last_step), app.sealed_key)))
}

/// Uses a code up, with all before it; false: it was used meanwhile, or the app is another one.
pub(super) async fn use_up(
    db: &Database,
    txn: &impl ConnectionTrait,
    owner: AccountId,
    sealed: &str,
    step: i64,
) -> Result<bool, DbErr> {
    let used = Entity::update_many()
        .col_expr(Column::LastStep, step.into())
        .col_expr(Column::UsedDate, db.instant())
        .filter(Column::PersonId.eq(owner))
        .filter(Column::SealedKey.eq(sealed))
        .filter(Expr::col(Column::LastStep).lt(step));
    Ok(txn.execute_raw(db.build(&used.into_query())).await?.rows_affected() == 1)
}
