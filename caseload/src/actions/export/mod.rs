//! Export: people to a file. Nobody is changed, so there is no ledger and nobody is frozen: each person who matches is written
//! at most once, in the order of the list. What was disclosed is in the audit.

mod columns;
mod definition;
mod order;
mod parts;
mod publish;
mod run;
mod xlsx;

pub use publish::withdraw_all;
pub use run::ExportTask;
