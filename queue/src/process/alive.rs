//! The one rule of who lives.

use std::time::Duration;

use sea_orm::sea_query::{Expr, ExprTrait};

use crate::{Database, entity::process::Column};

/// The condition that the process of this alias has beaten within a time.
pub fn has_beaten_within(db: &Database, alias: &'static str, time: Duration) -> Expr {
    Expr::col((alias, Column::HeartbeatDate)).gt(db.instant_after(-time.as_secs_f64()))
}

/// The condition that it lives. Where there is one process only, it does not beat, and to be on the list is to live (see
/// [`super::single_runtime`]).
pub fn lives(db: &Database, alias: &'static str, lease: Duration) -> Expr {
    if db.is_shared() { has_beaten_within(db, alias, lease) } else { Expr::cust("TRUE") }
}
