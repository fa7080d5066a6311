//! The key under which the server signs and seals what it leaves with a browser. It is in the database, because the next request
//! may come to another process, or to this one after a start; what is sealed is with the browser alone.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use cookie::Key;
use queue::{Database, row_of};
use sea_orm::{DbErr, EntityTrait, sea_query::OnConflict};

use crate::entity::server_key::{Column, Entity};

/// The row of the one key.
const ONE: i32 = 1;

/// The key of this database, made if there is none yet.
pub async fn of(db: &Database) -> Result<Key, DbErr> {
    if let Some(key) = kept(db).await? {
        return Ok(key);
    }
    // Four version 4 ids: 488 random bits.
    let secret = std::array::from_fn::<_, 4, _>(|_| queue::secret_bytes()).concat();
    let row = [
        (Column::Id, ONE.into()),
        (Column::Secret, URL_SAFE_NO_PAD.encode(secret).into()),
        (Column::CreatedDate, db.instant()),
    ];
    let nothing = OnConflict::column(Column::Id).do_nothing().to_owned();
    db.write_query(row_of(Entity, row).on_conflict(nothing)).await?;
    // Another process may have been first.
    kept(db).await?.ok_or_else(|| DbErr::RecordNotFound("server_key".to_owned()))
}

async fn kept(db: &Database) -> Result<Option<Key>, DbErr> {
    let Some(row) = Entity::find_by_id(ONE).one(db.reader()).await? else { return Ok(None) };
    let secret = URL_SAFE_NO_PAD.decode(row.secret);
    let key = secret.ok().and_then(|secret| Key::try_from(secret.as_slice()).ok());
    key.map(Some).ok_or_else(|| DbErr::Custom("the key in the table server_key is damaged: delete its row".to_owned()))
}
