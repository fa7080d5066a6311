//! Which tasks a list shows.

use serde::{Deserialize, Serialize};

use super::state::TaskState;
use crate::Cursor;

/// Which tasks are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaskQuery {
    /// Empty means every state.
    pub states: Vec<TaskState>,
    pub kind: Option<String>,
    pub scope: TaskScope,
    pub limit: Option<u32>,
    pub after: Option<Cursor>,
}

/// Whose tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum TaskScope {
    #[default]
    Mine,
    /// Those of all staff; managers and administrators only.
    All,
}
