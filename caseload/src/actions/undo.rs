//! Undo: what an earlier task changed is put back, for those who are still as it left them. The others are listed. How it is
//! put back stands with each action.

use async_trait::async_trait;
use model::{SkipReason, action::Undo};
use sea_orm::{
    DbErr,
    sea_query::{Expr, ExprTrait},
};

use super::{
    all_actions::definition,
    definition::{Definition, LineWords, Undoing, gone_or_beyond, skipped},
};
use crate::{Actor, tasks::ledger_lines, tasks::locked_people::Part};

#[async_trait]
impl Definition for Undo {
    fn reasons(&self) -> &'static [SkipReason] {
        &[SkipReason::NotFound, SkipReason::OutOfReach, SkipReason::ChangedSince]
    }

    fn verdict(&self, actor: &Actor) -> Expr {
        let (within, as_left) = match definition(&self.of).undoing() {
            Some(undoing) => (undoing.within(actor), undoing.as_left(self.task, actor)),
            None => (Expr::cust("TRUE"), Expr::cust("FALSE")),
        };
        skipped(gone_or_beyond(within).into_iter().chain([(as_left.not(), SkipReason::ChangedSince)]))
    }

    fn line(&self, actor: &Actor) -> LineWords {
        match definition(&self.of).undoing() {
            Some(undoing) => undoing.line_back(self.task, actor),
            None => LineWords::of_nothing(),
        }
    }

    async fn apply(&self, part: &Part<'_>, actor: &Actor) -> Result<(), DbErr> {
        ledger_lines::write_verdicts(part, self, actor).await?;
        match definition(&self.of).undoing() {
            Some(undoing) => undoing.put_back(part, self.task, actor).await,
            None => Ok(()),
        }
    }

    fn is_personal(&self) -> bool {
        definition(&self.of).is_personal()
    }

    fn facts(&self) -> Vec<(String, String)> {
        // Its title and the link to the task say what it undoes.
        Vec::new()
    }

    fn undoing(&self) -> Option<&dyn Undoing> {
        None
    }
}
