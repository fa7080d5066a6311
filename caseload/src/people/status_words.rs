//! The words of a status, for statements that give what people read.

use model::{ChangeReason, ProgramStatus};
use sea_orm::sea_query::{CaseStatement, Expr, ExprTrait};

use crate::statement::sql;

/// A status with its reason, in words: `Non-participating (Health)`.
pub fn worded(status: Expr, change_reason: Expr) -> Expr {
    sql("($1 || COALESCE(' (' || $2 || ')', ''))", [label(status), reason(change_reason)])
}

/// The words that people read for a reason.
pub fn reason(column: Expr) -> Expr {
    called(column, ChangeReason::ALL.iter().map(|reason| (reason.name(), reason.label())))
}

/// The word that people read for a status.
pub fn label(column: Expr) -> Expr {
    called(column, ProgramStatus::ALL.iter().map(|status| (status.name(), status.label())))
}

fn called(column: Expr, words: impl Iterator<Item = (&'static str, &'static str)>) -> Expr {
    let word = |text: &'static str| Expr::Constant(text.into());
    words
        .fold(CaseStatement::new(), |cases, (name, label)| cases.case(column.clone().eq(word(name)), word(label)))
        .into()
}
