//! Passkeys as rows.

use model::{AccountId, PasskeyId, account::Passkey};
use queue::{Database, row_of};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QueryTrait};

use super::answers::NewKey;
use crate::entity::accounts::passkeys::passkey::{Column, Entity, Model};

/// Those of an account, in the order in which they were added.
pub(super) async fn of(connection: &impl ConnectionTrait, owner: AccountId) -> Result<Vec<Model>, DbErr> {
    let of = Entity::find().filter(Column::PersonId.eq(owner));
    of.order_by_asc(Column::CreatedDate).order_by_asc(Column::Id).all(connection).await
}

/// The same as their owner sees them.
pub(crate) async fn listed(connection: &impl ConnectionTrait, owner: AccountId) -> Result<Vec<Passkey>, DbErr> {
    let shown = |key: Model| Passkey {
        id: key.id,
        name: key.name,
        added: key.created_date,
        used: key.used_date,
        signs_in_alone: key.signs_in_alone,
    };
    Ok(of(connection, owner).await?.into_iter().map(shown).collect())
}

/// How many an account has.
pub(crate) async fn count(connection: &impl ConnectionTrait, owner: AccountId) -> Result<u64, DbErr> {
    Entity::find().filter(Column::PersonId.eq(owner)).count(connection).await
}

/// The one that its device knows by this.
pub(super) async fn by_credential(
    connection: &impl ConnectionTrait,
    credential_id: &str,
) -> Result<Option<Model>, DbErr> {
    Entity::find().filter(Column::CredentialId.eq(credential_id)).one(connection).await
}

/// Keeps a new one; nothing where another account, or this one, has it already.
pub(super) async fn put_down(
    db: &Database,
    txn: &impl ConnectionTrait,
    owner: AccountId,
    name: &str,
    key: NewKey,
) -> Result<Option<PasskeyId>, DbErr> {
    if by_credential(txn, &key.credential_id).await?.is_some() {
        return Ok(None);
    }
    let id: PasskeyId = queue::new_id();
    let row = [
        (Column::Id, id.into()),
        (Column::PersonId, owner.into()),
        (Column::Name, name.into()),
        (Column::CredentialId, key.credential_id.into()),
        (Column::PublicKey, key.public_key.into()),
        (Column::DeviceState, key.device_state.into()),
        (Column::Transports, key.transports.into()),
        (Column::SignsInAlone, key.signs_in_alone.into()),
        (Column::CreatedDate, db.instant()),
    ];
    txn.execute_raw(db.build(&row_of(Entity, row))).await?;
    Ok(Some(id))
}

/// Notes that somebody came in with it, and what its device says of itself from now on; false: somebody did meanwhile, or it is gone.
pub(super) async fn used(
    db: &Database,
    txn: &impl ConnectionTrait,
    key: &Model,
    device_state: &str,
) -> Result<bool, DbErr> {
    let used = Entity::update_many()
        .col_expr(Column::DeviceState, device_state.into())
        .col_expr(Column::UsedDate, db.instant())
        .filter(Column::Id.eq(key.id))
        .filter(Column::DeviceState.eq(key.device_state.clone()));
    Ok(txn.execute_raw(db.build(&used.into_query())).await?.rows_affected() == 1)
}

/// Drops one of an account; false: it has none of this id.
pub(super) async fn drop_one(
    db: &Database,
    txn: &impl ConnectionTrait,
    owner: AccountId,
    id: PasskeyId,
) -> Result<bool, DbErr> {
    let gone = Entity::delete_many().filter(Column::Id.eq(id)).filter(Column::PersonId.eq(owner));
    Ok(txn.execute_raw(db.build(&gone.into_query())).await?.rows_affected() == 1)
}

/// Drops all of an account; how many that were.
pub(crate) async fn forget(db: &Database, txn: &impl ConnectionTrait, owner: AccountId) -> Result<u64, DbErr> {
    let gone = Entity::delete_many().filter(Column::PersonId.eq(owner));
    Ok(txn.execute_raw(db.build(&gone.into_query())).await?.rows_affected())
}
