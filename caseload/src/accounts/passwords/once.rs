//! A password that was made for somebody: it opens one session, in which it has to be changed.

use model::{AccountId, Code, Problem, account::PasswordState};
use queue::Database;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryTrait};

use crate::{Result, entity::accounts::account};

/// Uses up a password that was made for somebody; false: it had been used, or is not theirs any more.
pub(crate) async fn spend(db: &Database, txn: &impl ConnectionTrait, person_id: AccountId, hash: &str) -> Result<bool> {
    use account::{
        Column::{PasswordHash, PasswordState as State, PersonId},
        Entity,
    };
    let spent = Entity::update_many()
        .col_expr(State, PasswordState::Spent.name().into())
        .filter(PersonId.eq(person_id))
        .filter(PasswordHash.eq(hash))
        .filter(State.eq(PasswordState::Once));
    Ok(txn.execute_raw(db.build(&spent.into_query())).await?.rows_affected() == 1)
}

/// Said to those who know the password only.
pub(crate) fn spent() -> Problem {
    let detail = "That was a one-time password. Ask your Docket administrator for a new one.";
    Problem::new(401, Code::PASSWORD_SPENT, "That password has been used", detail)
}
