//! An action on what another one did.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Kind;
use crate::{Action, Permission, people};

/// Puts back what a task changed, as far as it is still as that task left it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Undo {
    pub task: Uuid,
    /// What that task did.
    #[cfg_attr(feature = "openapi", schema(no_recursion))]
    pub of: Box<Action>,
}

impl Undo {
    pub const KIND: &str = "undo";
}

impl Kind for Undo {
    fn kind(&self) -> &'static str {
        Undo::KIND
    }

    fn permission(&self) -> Permission {
        self.of.permission()
    }

    fn can_be_repeated(&self) -> bool {
        false
    }

    fn title(&self) -> String {
        format!("Undo “{}”", self.of.title())
    }

    fn button(&self, count: u64) -> String {
        format!("Put back {}", people(count))
    }

    fn will(&self) -> String {
        "will be put back".to_owned()
    }

    fn pending_label(&self) -> String {
        "put back".to_owned()
    }
}
