//! The people of a preview, and what is said of each, as parts of a statement.

use model::PreviewToken;
use sea_orm::sea_query::Expr;

use crate::{
    Actor,
    actions::all_actions::definition,
    people::targeted_people::{self, TargetedPeople},
    statement::sql,
    submit::preview::record::PreviewRecord,
    tasks::ledger_lines,
};

/// The people of a preview as `p`.
pub(crate) struct Judged {
    /// The tables that they are read from.
    pub from: Expr,
    /// The condition that it is one of them.
    pub is_targeted: Expr,
    /// What is said of each.
    pub verdict: Expr,
}

/// Lines with the people that they are about.
const LINES: &str = "task_person tp LEFT JOIN person p ON p.id = tp.person_id AND p.student";

pub(crate) fn judged(actor: &Actor, token: PreviewToken, record: &PreviewRecord) -> Judged {
    judged_by(targeted_people::condition, actor, token, record)
}

/// A form of the condition of the people.
pub(crate) type Condition = fn(&TargetedPeople, &Actor) -> Expr;

/// The same by another form of it.
pub(crate) fn judged_by(condition: Condition, actor: &Actor, token: PreviewToken, record: &PreviewRecord) -> Judged {
    let (from, is_targeted) = match (&record.targeted, record.frozen) {
        (TargetedPeople::Ledger { task, outcomes }, false) => {
            let again = ledger_lines::to_treat_again(*task, outcomes);
            (LINES, sql("tp.task_id = $1 AND $2", [(*task).into(), again]))
        }
        (targeted, false) => ("person p", condition(targeted, actor)),
        _ => (LINES, sql("tp.task_id = $1", [token.into()])),
    };
    let verdict = match record.frozen {
        true => definition(&record.action).verdict_among(token.task(), actor),
        false => definition(&record.action).verdict(actor),
    };
    Judged { from: Expr::cust(from), is_targeted, verdict }
}
