//! What every action has to say about itself.

use async_trait::async_trait;
use model::{Action, SkipReason, TaskId};
use queue::Transaction;
use sea_orm::{
    DbErr,
    sea_query::{CaseStatement, Expr, ExprTrait},
};

use crate::{
    Actor, Caseload, Result,
    entity::people::person::{Column, P},
    statement::sql,
    tasks::locked_people::Part,
};

/// Whom an action skips and why, what it does to the others, and how it is told.
#[async_trait]
pub(crate) trait Definition: Sync {
    /// The action with what the database knows of its choices, or which of them is wrong. `None`: as it is.
    async fn resolve(&self, _: &Caseload) -> Result<Option<Action>> {
        Ok(None)
    }

    /// The reasons that [`Definition::verdict`] can give, in the order in which it tests them.
    fn reasons(&self) -> &'static [SkipReason];

    /// What gives, for the person `p` (null when they are gone), the reason for which they are skipped, or null when they will
    /// be changed. Previews and runs use the same one.
    fn verdict(&self, actor: &Actor) -> Expr;

    /// The same for people who are written down under a preview's token or a task's id, as `tp`, where that says more.
    fn verdict_among(&self, _: TaskId, actor: &Actor) -> Expr {
        self.verdict(actor)
    }

    /// What the ledger will say of a person who is changed.
    fn line(&self, actor: &Actor) -> LineWords;

    /// Does it to the people of a part, all of them in a few statements.
    async fn apply(&self, part: &Part<'_>, actor: &Actor) -> Result<(), DbErr>;

    /// What was chosen, for the details of a task.
    fn facts(&self) -> Vec<(String, String)>;

    /// What became of parts of it that are no ledger line, for the details of a task.
    async fn details(&self, _: &Caseload, _: TaskId) -> Result<Vec<(String, String)>> {
        Ok(Vec::new())
    }

    /// A skip reason in its own words: `already Inactive`.
    fn skip_label(&self, reason: SkipReason) -> String {
        reason.label().to_owned()
    }

    /// How a task of its own puts back what it did, if that can be.
    fn undoing(&self) -> Option<&dyn Undoing>;

    /// The most people of one task, and what to do about more.
    fn most(&self, _: &Caseload) -> Option<(u64, &'static str)> {
        None
    }

    /// What follows when a page has submitted it, in the same transaction.
    async fn submitted(&self, _: &Caseload, _: &Transaction, _: &Actor) -> Result<()> {
        Ok(())
    }

    /// Whether those of whom it is uncertain can be treated again, too.
    fn treats_again(&self) -> bool {
        false
    }

    /// Whether those who failed can be treated again as they are.
    fn retries_failed(&self) -> bool {
        // Those whom it has a verb of its own for are treated by that one.
        !self.treats_again()
    }

    /// Whether it changes something of the submitter's own, so that nobody can do it again or put it back for them.
    fn is_personal(&self) -> bool {
        false
    }
}

/// How what a task did is put back, for those who are still as it left them.
#[async_trait]
pub(crate) trait Undoing: Sync {
    /// The condition that the actor may put back the person `p`.
    fn within(&self, actor: &Actor) -> Expr;

    /// The condition that the person `p` is as the task left them.
    fn as_left(&self, task: TaskId, actor: &Actor) -> Expr;

    /// See [`Definition::line`].
    fn line_back(&self, task: TaskId, actor: &Actor) -> LineWords;

    /// Puts back the people of a part who are judged.
    async fn put_back(&self, part: &Part<'_>, task: TaskId, actor: &Actor) -> Result<(), DbErr>;
}

/// Who is skipped, by what is so of the person `p`, the first of them that is.
pub(crate) fn skipped(reasons: impl IntoIterator<Item = (Expr, SkipReason)>) -> Expr {
    let verdict = CaseStatement::new();
    let case = |verdict: CaseStatement, (so, reason): (Expr, SkipReason)| {
        verdict.case(so, Expr::Constant(reason.name().into()))
    };
    reasons.into_iter().fold(verdict, case).into()
}

/// The first reasons of nearly every action: the person is gone, or is none of the actor's.
pub(crate) fn gone_or_beyond(within: Expr) -> [(Expr, SkipReason); 2] {
    [(P.col(Column::Id).is_null(), SkipReason::NotFound), (within.not(), SkipReason::OutOfReach)]
}

/// What a line of the ledger says of the person `p`.
pub(crate) struct LineWords {
    /// What is there now, in words.
    pub before: Expr,
    /// What will be there.
    pub after: Expr,
    /// Since when what is there now has been; null when nothing is.
    pub former: Expr,
}

impl LineWords {
    /// Of an action that finds nothing in a person's way, and leaves nothing.
    pub fn of_nothing() -> LineWords {
        let nothing = || Expr::cust("CAST(NULL AS text)");
        LineWords { before: nothing(), after: nothing(), former: Expr::cust("CAST(NULL AS timestamptz)") }
    }
}

/// A text that a line says of everybody.
pub(crate) fn said(text: impl Into<String>) -> Expr {
    sql("CAST($1 AS text)", [text.into().into()])
}

/// A fact of [`Definition::facts`].
pub(crate) fn fact(name: &str, value: impl Into<String>) -> (String, String) {
    (name.to_owned(), value.into())
}
