//! `notice`: a message of Docket's own, to one address, and what became of it.

use model::Instant;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "notice")]
pub struct Model {
    /// Of the task or token that it tells of; where there is none, its own.
    #[sea_orm(primary_key, auto_increment = false)]
    pub task_id: Uuid,
    #[sea_orm(primary_key, auto_increment = false)]
    pub purpose: Purpose,
    pub address: String,
    pub subject: String,
    pub body: String,
    pub state: State,
    pub tries: i32,
    pub created_date: Instant,
    pub state_date: Instant,
}

/// What it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum Purpose {
    /// A task is over.
    #[sea_orm(string_value = "ENDED")]
    Ended,
    /// A task has failed for good.
    #[sea_orm(string_value = "DEAD")]
    Dead,
    /// There is a new access token.
    #[sea_orm(string_value = "TOKEN")]
    Token,
    /// Somebody can choose a password.
    #[sea_orm(string_value = "PASSWORD_LINK")]
    PasswordLink,
    /// A password is a new one.
    #[sea_orm(string_value = "PASSWORD_CHANGE")]
    PasswordChange,
    /// A task waits for the approval of a second person.
    #[sea_orm(string_value = "APPROVAL_ASKED")]
    ApprovalAsked,
    /// It was approved or declined, or nobody decided in time.
    #[sea_orm(string_value = "APPROVAL_DECIDED")]
    ApprovalDecided,
    /// A second factor was set up, changed or used up in part.
    #[sea_orm(string_value = "SECOND_FACTOR")]
    SecondFactor,
    /// An address is not somebody's own any more.
    #[sea_orm(string_value = "ADDRESS_CHANGE")]
    AddressChange,
    /// Somebody wants to see how an email looks.
    #[sea_orm(string_value = "TEST")]
    Test,
    /// Somebody says that an address is theirs.
    #[sea_orm(string_value = "ADDRESS")]
    Address,
}

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, DeriveActiveEnum)]
#[sea_orm(rs_type = "String", db_type = "Text")]
pub enum State {
    /// It will be sent by schedule.
    #[sea_orm(string_value = "WAITING")]
    Waiting,
    /// Whoever asked for it sends it: its text is kept nowhere else.
    #[sea_orm(string_value = "AT_ONCE")]
    AtOnce,
    /// It is on its way. It stays so where a process died, and is never sent again.
    #[sea_orm(string_value = "SENDING")]
    Sending,
    #[sea_orm(string_value = "SENT")]
    Sent,
    /// It may or may not have left.
    #[sea_orm(string_value = "UNCERTAIN")]
    Uncertain,
    #[sea_orm(string_value = "FAILED")]
    Failed,
    /// Nobody is to hear of it any more.
    #[sea_orm(string_value = "NOT_WANTED")]
    NotWanted,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
