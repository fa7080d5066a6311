//! Program status change: judge each person, close their open history row, open the next, and set the status.

use async_trait::async_trait;
use model::{ChangeReason, SkipReason, TaskId, action::StatusChange};
use sea_orm::{
    DbErr,
    sea_query::{Expr, ExprTrait},
};

use super::definition::{Definition, LineWords, Undoing, fact, gone_or_beyond, said, skipped};
use crate::people::status_words::worded;
use crate::{
    Actor, access,
    entity::people::{
        person::{Column, P},
        program_status_history::Column as History,
    },
    people::status::{self, NewPeriod},
    statement::sql,
    tasks::ledger_lines,
    tasks::locked_people::Part,
};

#[async_trait]
impl Definition for StatusChange {
    fn reasons(&self) -> &'static [SkipReason] {
        use SkipReason::*;
        &[NotFound, OutOfReach, NotActivated, AlreadyThere]
    }

    /// Non-participating for another reason is a change.
    fn verdict(&self, actor: &Actor) -> Expr {
        let reason = self.change_reason.map_or("", ChangeReason::name);
        let same = P.col(Column::ProgramStatus).eq(self.program_status.name());
        let same = same.and(sql("COALESCE(p.change_reason, '') = $1", [reason.into()]));
        skipped(
            gone_or_beyond(access::reach(actor))
                .into_iter()
                .chain([(P.col(Column::Activated).not(), SkipReason::NotActivated), (same, SkipReason::AlreadyThere)]),
        )
    }

    fn line(&self, _: &Actor) -> LineWords {
        let reason = self.change_reason.map(|reason| format!(" ({})", reason.label())).unwrap_or_default();
        let after = said(format!("{}{reason}", self.program_status.label()));
        LineWords { before: own_status(), after, former: P.col(Column::StatusDate) }
    }

    async fn apply(&self, part: &Part<'_>, actor: &Actor) -> Result<(), DbErr> {
        ledger_lines::write_verdicts(part, self, actor).await?;
        let reason = self.change_reason.map(ChangeReason::name);
        status::set(part, self.program_status.name().into(), reason.into()).await?;
        turn(part, actor, self.comment.as_deref()).await
    }

    fn facts(&self) -> Vec<(String, String)> {
        let mut facts = vec![fact("Change", format!("Program status to {}", self.program_status.label()))];
        facts.extend(self.change_reason.map(|reason| fact("Why", reason.label())));
        facts.extend(self.comment.clone().map(|comment| fact("Comment", comment)));
        facts
    }

    fn skip_label(&self, reason: SkipReason) -> String {
        match reason {
            SkipReason::AlreadyThere => format!("already {}", self.program_status.label()),
            reason => reason.label().to_owned(),
        }
    }

    fn undoing(&self) -> Option<&dyn Undoing> {
        Some(self)
    }
}

#[async_trait]
impl Undoing for StatusChange {
    fn within(&self, actor: &Actor) -> Expr {
        access::reach(actor)
    }

    fn as_left(&self, task: TaskId, _: &Actor) -> Expr {
        sql("EXISTS $1", [written(task, History::Id)])
    }

    fn line_back(&self, task: TaskId, _: &Actor) -> LineWords {
        let after = former(task, worded(of_former(History::ProgramStatus), of_former(History::ChangeReason)));
        LineWords { before: own_status(), after, former: P.col(Column::StatusDate) }
    }

    async fn put_back(&self, part: &Part<'_>, task: TaskId, actor: &Actor) -> Result<(), DbErr> {
        let [status, reason] =
            [History::ProgramStatus, History::ChangeReason].map(|column| former(task, of_former(column)));
        status::set(part, status, reason).await?;
        turn(part, actor, None).await
    }
}

/// Writes into the history what the people of a part carry now.
async fn turn(part: &Part<'_>, actor: &Actor, comment: Option<&str>) -> Result<(), DbErr> {
    let change = NewPeriod { by: actor.person_id, task: Some(part.range.task_id), comment, at: part.at };
    status::turn(part.db, part.txn, &change, &part.range.done()).await.map(drop)
}

/// Of the person `p`, a column of the open history row `h`, if `task` wrote it and something was there before.
fn written(task: TaskId, column: History) -> Expr {
    sql(
        "(SELECT $1 FROM program_status_history h
         WHERE h.person_id = p.id AND h.expiration_date IS NULL AND h.task_id = $2 AND EXISTS (
            SELECT 1 FROM program_status_history b WHERE b.person_id = h.person_id AND b.expiration_date = h.effective_date))",
        [Expr::col(("h", column)), task.into()],
    )
}

/// The status of the person `p`, in words.
fn own_status() -> Expr {
    worded(P.col(Column::ProgramStatus), P.col(Column::ChangeReason))
}

/// A column of the history row `f`.
fn of_former(column: History) -> Expr {
    Expr::col(("f", column))
}

/// Of the person `p`, a column of the history row `f` that ended when the one that `task` wrote began.
fn former(task: TaskId, column: Expr) -> Expr {
    sql(
        "(SELECT $1 FROM program_status_history f
         WHERE f.person_id = p.id AND f.expiration_date = $2 ORDER BY f.id DESC LIMIT 1)",
        [column, written(task, History::EffectiveDate)],
    )
}
