//! What an import was asked to do.

use model::TaskKind;
use queue::Task;
use serde::{Deserialize, Serialize};

/// The name of the uploaded file among a task's files.
pub const UPLOAD: &str = "upload.csv";

/// What an import was asked to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ImportSpec {
    /// What the file was called where it came from.
    pub file: String,
    /// The mapping, as TOML.
    pub mapping: String,
    /// The hash of each block of the uploaded file. Without them in tasks of former versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<String>,
}

impl ImportSpec {
    /// The spec of a task, if it is an import.
    pub fn of(task: &Task) -> Option<ImportSpec> {
        let text =
            task.execution_spec.as_deref().filter(|_| task.execution_component_name == TaskKind::Import.name())?;
        serde_json::from_str(text).ok()
    }
}
