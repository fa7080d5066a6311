//! `email_draft`: the email that somebody is writing.

use model::{AccountId, Instant, Revision, composer::Saved};
use queue::row_of;
use sea_orm::{
    QueryTrait,
    entity::prelude::*,
    sea_query::{DeleteStatement, ExprTrait, InsertStatement, OnConflict, UpdateStatement},
};

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "email_draft")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub owner_id: AccountId,
    /// What was typed, as JSON.
    pub content: String,
    pub saved_date: Instant,
    pub revision: Revision,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

/// Keeps somebody's first draft, or the same one once more; another one stays.
pub fn first(owner: AccountId, content: String, saved: Saved) -> InsertStatement {
    let row = [
        (Column::OwnerId, owner.into()),
        (Column::Content, content.into()),
        (Column::SavedDate, saved.date.into()),
        (Column::Revision, saved.revision.into()),
    ];
    let same = Expr::col((Entity, Column::Revision)).eq(Expr::col(("excluded", Column::Revision)));
    let again = OnConflict::column(Column::OwnerId)
        .update_columns([Column::Content, Column::SavedDate])
        .action_and_where(same)
        .to_owned();
    row_of(Entity, row).on_conflict(again).take()
}

/// Keeps somebody's draft over the one that was seen, or the same one once more.
pub fn over(owner: AccountId, content: String, saved: Saved, seen: Revision) -> UpdateStatement {
    Entity::update_many()
        .col_expr(Column::Content, content.into())
        .col_expr(Column::SavedDate, saved.date.into())
        .col_expr(Column::Revision, saved.revision.into())
        .filter(Column::OwnerId.eq(owner))
        .filter(Column::Revision.is_in([saved.revision, seen]))
        .into_query()
}

/// Forgets somebody's draft, if it is still this one.
pub fn discarded(owner: AccountId, seen: Revision) -> DeleteStatement {
    Entity::delete_many().filter(Column::OwnerId.eq(owner)).filter(Column::Revision.eq(seen)).into_query()
}
