//! Notices as rows: put down with what they tell of, moved on, and dropped where nobody is to hear of them any more.

use model::{AccessTokenId, Instant, PasswordLinkId, TaskId};
use queue::Database;
use sea_orm::{
    ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QueryTrait, Set,
    sea_query::{Expr, ExprTrait, OnConflict, Query},
};
use uuid::Uuid;

use crate::{
    entity::mail::notice::{ActiveModel, Column, Entity, Purpose, State},
    erase::erased::{Erased, naming},
};

/// What a notice says.
#[derive(Default)]
pub(super) struct Words {
    pub subject: String,
    pub body: String,
}

/// What a notice tells of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// That a task is over.
    End(TaskId),
    /// That a task has failed for good.
    Death(TaskId),
    NewToken(AccessTokenId),
    /// How somebody can choose a password.
    PasswordLink(PasswordLinkId),
    /// That a password is a new one.
    PasswordChange(Uuid),
    /// That somebody can approve a task; one for each of them.
    ApprovalAsked(Uuid),
    /// What became of it.
    ApprovalDecided(TaskId),
    /// What became of a second factor.
    SecondFactor(Uuid),
    /// How an email looks.
    Test(Uuid),
    /// That an address is not somebody's own any more.
    AddressChange(Uuid),
    /// That an address is somebody's own.
    Address(Uuid),
}

impl About {
    /// Its key.
    pub fn key(self) -> (Uuid, Purpose) {
        match self {
            About::End(task) => (task.uuid(), Purpose::Ended),
            About::Death(task) => (task.uuid(), Purpose::Dead),
            About::NewToken(token) => (token.uuid(), Purpose::Token),
            About::PasswordLink(id) => (id.uuid(), Purpose::PasswordLink),
            About::PasswordChange(id) => (id, Purpose::PasswordChange),
            About::ApprovalAsked(id) => (id, Purpose::ApprovalAsked),
            About::ApprovalDecided(task) => (task.uuid(), Purpose::ApprovalDecided),
            About::SecondFactor(id) => (id, Purpose::SecondFactor),
            About::AddressChange(id) => (id, Purpose::AddressChange),
            About::Test(id) => (id, Purpose::Test),
            About::Address(id) => (id, Purpose::Address),
        }
    }
}

/// Puts a notice down. One about the same is replaced: the task died once more.
pub(super) async fn put(
    db: &Database,
    txn: &impl ConnectionTrait,
    about: About,
    address: &str,
    words: Words,
    state: State,
) -> Result<(), DbErr> {
    let mut conflict = OnConflict::columns([Column::TaskId, Column::Purpose]);
    conflict.update_columns([
        Column::Address,
        Column::Subject,
        Column::Body,
        Column::State,
        Column::Tries,
        Column::CreatedDate,
        Column::StateDate,
    ]);
    let row = row(about, address, words, state, db.now_in(txn).await?);
    insert(db, txn, row, conflict).await
}

/// Writes down that nobody wants to hear of something, unless there is a notice about it.
pub(super) async fn not_wanted(db: &Database, txn: &impl ConnectionTrait, about: About) -> Result<(), DbErr> {
    let row = row(about, "", Words::default(), State::NotWanted, db.now_in(txn).await?);
    insert(db, txn, row, OnConflict::new().do_nothing().to_owned()).await
}

fn row(about: About, address: &str, words: Words, state: State, now: Instant) -> ActiveModel {
    let (task_id, purpose) = about.key();
    ActiveModel {
        task_id: Set(task_id),
        purpose: Set(purpose),
        address: Set(address.to_owned()),
        subject: Set(words.subject),
        body: Set(words.body),
        state: Set(state),
        tries: Set(0),
        created_date: Set(now),
        state_date: Set(now),
    }
}

async fn insert(
    db: &Database,
    txn: &impl ConnectionTrait,
    row: ActiveModel,
    conflict: OnConflict,
) -> Result<(), DbErr> {
    let row = Entity::insert(row).on_conflict(conflict).into_query();
    txn.execute_raw(db.build(&row)).await.map(drop)
}

/// Moves a notice from one state to another, with so many tries more; false: it was not in the first one any more.
pub(super) async fn moved(
    db: &Database,
    (id, purpose): (Uuid, Purpose),
    from: State,
    to: State,
    tries: i32,
) -> Result<bool, DbErr> {
    let txn = db.begin_write().await?;
    let update = Entity::update_many()
        .col_expr(Column::State, Expr::val(to))
        .col_expr(Column::Tries, Expr::col(Column::Tries).add(tries))
        .col_expr(Column::StateDate, db.instant())
        .filter(Column::TaskId.eq(id))
        .filter(Column::Purpose.eq(purpose))
        .filter(Column::State.eq(from))
        .into_query();
    let moved = txn.execute_raw(db.build(&update)).await?.rows_affected() == 1;
    db.commit(txn).await?;
    Ok(moved)
}

/// Tasks that go on have not ended: their next end is told of anew.
pub async fn forget_of(db: &Database, txn: &impl ConnectionTrait, tasks: &[TaskId]) -> Result<(), DbErr> {
    if tasks.is_empty() {
        return Ok(());
    }
    let of = Column::TaskId.is_in(tasks.iter().map(|task| task.uuid()));
    let ended = Query::delete().from_table(Entity).and_where(of).and_where(Column::Purpose.eq(Purpose::Ended)).take();
    txn.execute_raw(db.build(&ended)).await.map(drop)
}

/// Drops the notices that name somebody who is erased.
pub async fn forget(db: &Database, txn: &impl ConnectionTrait, erased: &Erased) -> crate::Result<()> {
    let sql = "SELECT task_id, subject || ' ' || body FROM notice WHERE state <> 'NOT_WANTED'";
    for (id, _) in naming::<Uuid>(db, txn, erased, sql, vec![]).await? {
        let drop = Entity::update_many()
            .col_expr(Column::State, Expr::val(State::NotWanted))
            .col_expr(Column::Subject, Expr::val(""))
            .col_expr(Column::Body, Expr::val(""))
            .filter(Column::TaskId.eq(id))
            .into_query();
        txn.execute_raw(db.build(&drop)).await?;
    }
    Ok(())
}
