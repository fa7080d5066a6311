//! What the directory calls a group.

use model::{FieldError, Problem, enum_words::is_name};

/// The longest name, in characters.
const LONGEST: usize = 200;
/// The longest id of the directory's own, in characters.
const LONGEST_ID: usize = 254;

/// What the directory calls a group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DirectoryGroupName {
    pub display_name: String,
    /// The directory's own id of it.
    pub external_id: Option<String>,
}

impl DirectoryGroupName {
    /// The same without spaces around, and without what is empty.
    pub(super) fn checked(self) -> Result<DirectoryGroupName, Problem> {
        let display_name = self.display_name.trim().to_owned();
        let external_id = self.external_id.map(|id| id.trim().to_owned()).filter(|id| !id.is_empty());
        let mut wrong = Vec::new();
        if display_name.is_empty() {
            wrong.push(FieldError::new("displayName", "required", "displayName is required."));
        } else if !is_name(&display_name, LONGEST) {
            let message = format!("displayName: use 1 to {LONGEST} visible characters.");
            wrong.push(FieldError::new("displayName", "invalid", message));
        }
        if external_id.as_ref().is_some_and(|id| !is_name(id, LONGEST_ID)) {
            let message = format!("externalId: use 1 to {LONGEST_ID} visible characters.");
            wrong.push(FieldError::new("externalId", "invalid", message));
        }
        match wrong.is_empty() {
            true => Ok(DirectoryGroupName { display_name, external_id }),
            false => Err(Problem::fields(wrong)),
        }
    }
}
