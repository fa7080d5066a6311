//! Recovery codes: each opens an account once, in place of a second factor that is lost. They are short enough to be written down, and so
//! they are kept as passwords are.

use model::AccountId;
use queue::{Database, row_of};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QueryTrait};

use crate::{
    Result,
    accounts::passwords::{clear_letters, hashing::KNOWN},
    entity::accounts::recovery_code::{Column, Entity, Model},
};

/// How many there are of an account.
pub const MADE: usize = 8;
/// The letters of one: 39 bits, behind argon2 and a throttle.
pub(super) const LETTERS: usize = 8;

/// New codes, as they are shown this once.
pub(in crate::accounts) struct FreshCodes {
    pub codes: Vec<String>,
    hashes: Vec<String>,
}

impl FreshCodes {
    pub async fn make() -> Result<FreshCodes> {
        let codes: Vec<String> = (0..MADE).map(|_| clear_letters::drawn(LETTERS)).collect();
        let mut hashes = Vec::new();
        for code in &codes {
            hashes.push(KNOWN.hash(code.replace('-', "")).await?);
        }
        Ok(FreshCodes { codes, hashes })
    }

    /// Keeps them in place of all former ones.
    pub async fn put_down(&self, db: &Database, txn: &impl ConnectionTrait, owner: AccountId) -> Result<(), DbErr> {
        forget(db, txn, owner).await?;
        for (place, hash) in (1_i32..).zip(&self.hashes) {
            let row = [
                (Column::PersonId, owner.into()),
                (Column::Place, place.into()),
                (Column::CodeHash, hash.clone().into()),
                (Column::CreatedDate, db.instant()),
            ];
            txn.execute_raw(db.build(&row_of(Entity, row))).await?;
        }
        Ok(())
    }
}

/// How many an account has left.
pub(super) async fn left(connection: &impl ConnectionTrait, owner: AccountId) -> Result<u64, DbErr> {
    unused(owner).count(connection).await
}

/// The one that was typed, if it has not been used.
pub(super) async fn find(db: &Database, owner: AccountId, code: &str) -> Result<Option<Model>> {
    let mut unused = unused(owner).order_by_asc(Column::Place).all(db.reader()).await?;
    let hashes = unused.iter().map(|row| row.code_hash.clone()).collect();
    let place = KNOWN.which(code.to_owned(), hashes).await?;
    Ok(place.map(|place| unused.swap_remove(place)))
}

/// Uses it up; false: somebody has, or there are others by now.
pub(super) async fn use_up(db: &Database, txn: &impl ConnectionTrait, code: &Model) -> Result<bool, DbErr> {
    let used = Entity::update_many()
        .col_expr(Column::UsedDate, db.instant())
        .filter(Column::PersonId.eq(code.person_id))
        .filter(Column::CodeHash.eq(code.code_hash.clone()))
        .filter(Column::UsedDate.is_null());
    Ok(txn.execute_raw(db.build(&used.into_query())).await?.rows_affected() == 1)
}

/// Drops all of an account.
pub(in crate::accounts) async fn forget(
    db: &Database,
    txn: &impl ConnectionTrait,
    owner: AccountId,
) -> Result<(), DbErr> {
    let gone = Entity::delete_many().filter(Column::PersonId.eq(owner));
    txn.execute_raw(db.build(&gone.into_query())).await.map(drop)
}

fn unused(owner: AccountId) -> sea_orm::Select<Entity> {
    Entity::find().filter(Column::PersonId.eq(owner)).filter(Column::UsedDate.is_null())
}
