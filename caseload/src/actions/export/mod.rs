//! Export: people to a file. Nobody is changed, so there is no ledger and nobody is frozen: each person who matches is written
//! at most once, in the order of the list. What was disclosed is in the audit.

mod columns;
mod publish;
mod run;
mod xlsx;

use std::time::Duration;

use model::{
    Sort,
    action::{ColumnGroup, ExportFormat},
};
pub use run::Export;

use super::Line;
use crate::{Actor, access, binds::Binds, files::Files};

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

/// See [`super::verdict`].
pub fn verdict(actor: &Actor, binds: &mut Binds) -> String {
    let reach = access::reach(actor, binds);
    format!("CASE WHEN p.id IS NULL THEN 'NOT_FOUND' WHEN NOT {reach} THEN 'OUT_OF_REACH' END")
}

/// See [`super::line`]: nobody becomes anything.
pub(crate) fn line() -> Line {
    Line { before: "''".to_owned(), after: "''".to_owned(), former: "p.status_date".to_owned() }
}

/// See [`super::facts`].
pub fn facts(format: ExportFormat, columns: &[ColumnGroup], sort: Sort) -> Vec<(String, String)> {
    let fact = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let mut groups = vec!["School id and name"];
    groups.extend(columns.iter().map(|group| group.label()));
    vec![fact("Format", format.label()), fact("Columns", &groups.join("; ")), fact("Order", sort.label())]
}
