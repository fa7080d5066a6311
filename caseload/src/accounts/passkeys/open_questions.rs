//! Questions that are open, as rows. Each is for the browser that has its secret, for one purpose and one account, and for five minutes. It
//! is taken out by whoever answers it, whatever the answer is worth.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use model::{AccountId, Code, Problem};
use queue::{Database, row_of};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QueryTrait,
    sea_query::{Expr, ExprTrait, Query},
};

use super::questions::DeviceQuestion;
use crate::{
    Result,
    accounts::tokens::secret::hash_of,
    entity::accounts::passkeys::question::{Column, Entity},
};

/// For how long somebody may look for their device, in seconds. The library ends its questions then as well.
const LASTS: f64 = 300.0;
/// How many questions of one account are open at the same time, for each purpose.
const OF_ONE: u64 = 20;
/// How many are open of people who have not said who they are.
const OF_ANYBODY: u64 = 10_000;
/// Longer than any secret, in bytes.
const LONGEST_SECRET: usize = 64;

/// What an answer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PasskeyPurpose {
    Add,
    BesidePassword,
    WholeSignIn,
}

impl PasskeyPurpose {
    /// As the table has it.
    fn name(self) -> &'static str {
        match self {
            PasskeyPurpose::Add => "ADD",
            PasskeyPurpose::BesidePassword => "BESIDE_PASSWORD",
            PasskeyPurpose::WholeSignIn => "WHOLE_SIGN_IN",
        }
    }
}

/// What a browser brings: the secret of its question, and what the device answered, as JSON.
#[derive(Clone, Copy, Debug)]
pub struct PasskeyAnswer<'a> {
    pub secret: &'a str,
    pub answer: &'a str,
}

/// Puts a question down; its secret is for the browser that asked.
pub(super) async fn put_down(
    db: &Database,
    purpose: PasskeyPurpose,
    owner: Option<AccountId>,
    question: &DeviceQuestion,
) -> Result<String> {
    let secret = URL_SAFE_NO_PAD.encode(queue::secret_bytes());
    let txn = db.begin_write().await?;
    let over = Entity::delete_many().filter(Expr::col(Column::ExpiryDate).lte(db.instant()));
    txn.execute_raw(db.build(&over.into_query())).await?;
    let (of, most) = match owner {
        Some(owner) => (Column::PersonId.eq(owner), OF_ONE),
        None => (Column::PersonId.is_null(), OF_ANYBODY),
    };
    if Entity::find().filter(of).filter(Column::Purpose.eq(purpose.name())).count(&txn).await? >= most {
        let detail = "Too many passkeys are being asked for right now. Wait a few minutes, or use another way.";
        return Err(Problem::new(429, Code::THROTTLED, "Too many attempts", detail).with("retryAfter", 300).into());
    }
    let row = [
        (Column::SecretHash, hash_of(&secret).into()),
        (Column::Purpose, purpose.name().into()),
        (Column::PersonId, owner.into()),
        (Column::State, question.state.clone().into()),
        (Column::ExpiryDate, db.instant_after(LASTS)),
    ];
    txn.execute_raw(db.build(&row_of(Entity, row))).await?;
    db.commit(txn).await?;
    Ok(secret)
}

/// Takes the question of this secret out: what its answer is compared with, if it was open for this.
pub(super) async fn take(
    db: &Database,
    secret: &str,
    purpose: PasskeyPurpose,
    owner: Option<AccountId>,
) -> Result<Option<String>, DbErr> {
    if secret.len() > LONGEST_SECRET {
        return Ok(None);
    }
    let is_owners = match owner {
        Some(owner) => Column::PersonId.eq(owner),
        None => Column::PersonId.is_null(),
    };
    let taken = Query::delete()
        .from_table(Entity)
        .and_where(Column::SecretHash.eq(hash_of(secret)))
        .and_where(Column::Purpose.eq(purpose.name()))
        .and_where(is_owners)
        .and_where(Expr::col(Column::ExpiryDate).gt(db.instant()))
        .returning_col(Column::State)
        .take();
    let txn = db.begin_write().await?;
    let row = txn.query_one_raw(db.build(&taken)).await?;
    db.commit(txn).await?;
    row.map(|row| row.try_get("", "state")).transpose()
}
