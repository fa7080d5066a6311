//! Undo: what an earlier task changed is put back, for those who are still as it left them. The others are listed. How it is
//! put back stands with each action.

use async_trait::async_trait;
use model::{SkipReason, action::Undo};
use sea_orm::DbErr;

use super::{
    registry::rules,
    rules::{Line, Rules, fact},
};
use crate::{Actor, binds::Binds, tasks::lines, tasks::part::Part};

#[async_trait]
impl Rules for Undo {
    fn reasons(&self) -> &'static [SkipReason] {
        &[SkipReason::NotFound, SkipReason::OutOfReach, SkipReason::ChangedSince]
    }

    fn verdict(&self, actor: &Actor, binds: &mut Binds) -> String {
        let (within, as_left) = match rules(&self.of).undoing() {
            Some(undoing) => (undoing.within(actor, binds), undoing.as_left(self.task, actor, binds)),
            None => ("TRUE".to_owned(), "FALSE".to_owned()),
        };
        format!(
            "CASE WHEN p.id IS NULL THEN 'NOT_FOUND' WHEN NOT {within} THEN 'OUT_OF_REACH'
                  WHEN NOT {as_left} THEN 'CHANGED_SINCE' END"
        )
    }

    fn line(&self, actor: &Actor, binds: &mut Binds) -> Line {
        match rules(&self.of).undoing() {
            Some(undoing) => undoing.line_back(self.task, actor, binds),
            None => Line::of_nothing(),
        }
    }

    async fn apply(&self, part: &Part<'_>, actor: &Actor) -> Result<(), DbErr> {
        lines::judge(part, self, actor).await?;
        match rules(&self.of).undoing() {
            Some(undoing) => undoing.put_back(part, self.task, actor).await,
            None => Ok(()),
        }
    }

    fn is_personal(&self) -> bool {
        rules(&self.of).is_personal()
    }

    fn facts(&self) -> Vec<(String, String)> {
        vec![fact("Puts back", self.of.title())]
    }
}
