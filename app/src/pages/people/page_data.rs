//! What the people page shows.

use model::{Permission, PersonId, SelectionView, Total};
use serde::{Deserialize, Serialize};

use crate::answer::Html;

/// One page of people as it was loaded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoundPeople {
    /// The people on the page who can be selected, in their order.
    pub ids: Vec<PersonId>,
    /// All who are on the page, for whoever asks again what has become of it.
    pub again: String,
    pub total: Total,
    /// The selection in the address, with those of `ids` that are in it.
    pub picks: Option<SelectionView>,
    /// Whether the address has a selection that is no more.
    pub lost: bool,
    /// What the viewer may do to people.
    pub permissions: Vec<Permission>,
    /// How many match, and what narrows them.
    pub chips: Html,
    /// The table, or what stands in its place.
    pub html: Html,
}
