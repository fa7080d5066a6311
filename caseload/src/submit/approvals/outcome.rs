//! What became of the asking, as it is written down.

use model::{AccountId, TaskId};
use queue::Database;
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryTrait, sea_query::Expr};

use crate::entity::tasks::approval::{Column, Decision, Entity};

/// Writes down what became of it.
pub(super) async fn decided(
    db: &Database,
    txn: &impl ConnectionTrait,
    id: TaskId,
    decision: Decision,
    by: Option<AccountId>,
    said: Option<&str>,
) -> Result<(), DbErr> {
    let write = Entity::update_many()
        .col_expr(Column::Decision, Expr::val(decision))
        .col_expr(Column::DecidedBy, Expr::val(by))
        .col_expr(Column::DecidedDate, db.instant())
        .col_expr(Column::Note, Expr::val(said))
        .filter(Column::TaskId.eq(id));
    txn.execute_raw(db.build(&write.into_query())).await.map(drop)
}
