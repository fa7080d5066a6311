//! Export: people to a file. Nobody is changed, so there is no ledger and nobody is frozen: each person who matches is written
//! at most once, in the order of the list. What was disclosed is in the audit.

mod columns;
mod publish;
mod run;
mod xlsx;

use std::time::Duration;

use async_trait::async_trait;
use model::{SkipReason, action::Export};
pub use run::ExportTask;
use sea_orm::DbErr;

use super::{Line, Rules, fact};
use crate::{Actor, Caseload, access, binds::Binds, files::Files, part::Part};

/// Where exports go, and their bounds.
#[derive(Clone)]
pub struct Exports {
    pub files: Files,
    /// The most people of one export.
    pub most: u64,
    /// How long a file can be downloaded.
    pub kept: Duration,
}

impl Exports {
    /// As the settings have it unless somebody wishes otherwise, with these files.
    pub fn usual(files: Files) -> Exports {
        Exports { files, most: 1_000_000, kept: Duration::from_secs(7 * 86_400) }
    }
}

#[async_trait]
impl Rules for Export {
    fn reasons(&self) -> &'static [SkipReason] {
        &[SkipReason::NotFound, SkipReason::OutOfReach]
    }

    fn verdict(&self, actor: &Actor, binds: &mut Binds) -> String {
        let reach = access::reach(actor, binds);
        format!("CASE WHEN p.id IS NULL THEN 'NOT_FOUND' WHEN NOT {reach} THEN 'OUT_OF_REACH' END")
    }

    fn line(&self, _: &Actor, _: &mut Binds) -> Line {
        Line::of_nothing()
    }

    /// It has a run of its own.
    async fn apply(&self, _: &Part<'_>, _: &Actor) -> Result<(), DbErr> {
        Ok(())
    }

    fn most(&self, caseload: &Caseload) -> Option<(u64, &'static str)> {
        Some((caseload.inner.exports.most, "Narrow the filter."))
    }

    fn facts(&self) -> Vec<(String, String)> {
        let mut groups = vec!["School id and name"];
        groups.extend(self.columns.iter().map(|group| group.label()));
        vec![fact("Format", self.format.label()), fact("Columns", groups.join("; ")), fact("Order", self.sort.label())]
    }
}
