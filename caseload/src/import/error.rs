//! Why an import as a whole was refused. A row that is wrong is no such reason; it is a line of the report.

use sea_orm::DbErr;

/// Nothing was written, except with the last two, which may come after some batches.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The mapping is not one; the text names the key.
    #[error("the mapping: {0}")]
    Mapping(String),
    /// The file's header does not fit the mapping; the text names the columns.
    #[error("the header line: {0}")]
    Header(String),
    /// The file could not be read on.
    #[error("reading the file: {0}")]
    Read(#[from] csv::Error),
    #[error(transparent)]
    Database(#[from] DbErr),
}
