//! Two pairs of eyes: a task above so many people, or of some kinds, waits until somebody else than its owner approves it.
//!
//! Its people are written down when it is submitted ([`ask`]), and nobody joins them afterwards. Whoever decides sees the numbers as they
//! were then and as they are now ([`counts`]), and needs what running it takes: the permission, and all of its people within reach ([`deciders`]).
//! A decision is one transaction that begins at the state of the task ([`decide`]), so that of two who decide, or cancel, or come too late, one
//! wins. The table beside the task says what was asked and decided; whether it still waits says the task alone.

pub(crate) mod ask;
mod counts;
mod decide;
mod deciders;
mod expire;
mod in_force;
mod outcome;
mod read;
mod rule;

use sea_orm::{ConnectionTrait, DbErr};

use crate::{
    entity::tasks::approval::{Column, Entity},
    erase::erased::{ERASED, Erased, forget_texts},
};

pub(crate) use expire::end_expired;
pub use rule::ApprovalRule;

/// Takes notes that name somebody who is erased off the decisions.
pub async fn forget(db: &queue::Database, txn: &impl ConnectionTrait, erased: &Erased) -> Result<(), DbErr> {
    forget_texts::<Entity>(db, txn, erased, Column::Note, Some(ERASED)).await
}
