//! What an export has to say about itself.

use async_trait::async_trait;
use model::{SkipReason, action::Export};
use sea_orm::{DbErr, sea_query::Expr};

use crate::{
    Actor, Caseload, access,
    actions::definition::{Definition, LineWords, Undoing, fact, gone_or_beyond, skipped},
    tasks::locked_people::Part,
};

#[async_trait]
impl Definition for Export {
    fn reasons(&self) -> &'static [SkipReason] {
        &[SkipReason::NotFound, SkipReason::OutOfReach]
    }

    fn verdict(&self, actor: &Actor) -> Expr {
        skipped(gone_or_beyond(access::reach(actor)))
    }

    fn line(&self, _: &Actor) -> LineWords {
        LineWords::of_nothing()
    }

    /// It has a run of its own.
    async fn apply(&self, _: &Part<'_>, _: &Actor) -> Result<(), DbErr> {
        Ok(())
    }

    fn most(&self, caseload: &Caseload) -> Option<(u64, &'static str)> {
        Some((caseload.inner.exports.most, "Narrow the filter."))
    }

    fn facts(&self) -> Vec<(String, String)> {
        let mut groups = vec!["School ID and name"];
        groups.extend(self.columns.iter().map(|group| group.label()));
        vec![fact("Format", self.format.label()), fact("Columns", groups.join("; ")), fact("Order", self.sort.label())]
    }

    fn undoing(&self) -> Option<&dyn Undoing> {
        None
    }
}
