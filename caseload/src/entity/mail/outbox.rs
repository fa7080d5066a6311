//! `outbox`: one row for each message of an email, at the position of its ledger line.

use model::{AccountId, Instant, PersonId, TaskId, person::MessageState};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "outbox")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub task_id: TaskId,
    #[sea_orm(primary_key, auto_increment = false)]
    pub position: i64,
    /// Absent for the copy of the whole action, and for somebody who was erased.
    pub person_id: Option<PersonId>,
    pub address: Option<String>,
    /// In small letters.
    pub address_key: Option<String>,
    pub copy_address: Option<String>,
    pub message_id: String,
    pub state: MessageState,
    pub attempt: i32,
    pub tries: i32,
    /// When it is tried again.
    pub next_date: Option<Instant>,
    /// What the mail server said.
    pub reply: Option<String>,
    pub state_date: Instant,
    pub bounce_note: Option<String>,
    pub bounce_date: Option<Instant>,
    pub bounce_by: Option<AccountId>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
