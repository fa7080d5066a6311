//! Why an import as a whole was refused. A row that is wrong is no such reason; it is a line of the report.

use sea_orm::DbErr;

/// Nothing was written, except with the last two, which may come after some batches.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The mapping is not one; the sentence names the line or the key.
    #[error("The mapping cannot be used. {0}")]
    Mapping(String),
    /// The file's header does not fit the mapping; the sentences name the columns.
    #[error("{0}")]
    Header(String),
    /// The file could not be read on.
    #[error("The file cannot be read: {0}")]
    Read(#[from] csv::Error),
    #[error(transparent)]
    Database(#[from] DbErr),
}

impl ImportError {
    /// What is wrong, for a place that says already whether it is the mapping or the file.
    pub fn beside_its_field(&self) -> String {
        match self {
            ImportError::Mapping(why) | ImportError::Header(why) => why.clone(),
            ImportError::Read(_) | ImportError::Database(_) => self.to_string(),
        }
    }
}
