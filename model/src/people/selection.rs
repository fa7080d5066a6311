//! What staff have picked: people by id, or everybody who matches a filter except a few. Kept on the server under a token.

use serde::{Deserialize, Serialize};

use crate::{PeopleFilter, PersonId, SelectionToken};

/// At most this many people can be picked one by one; beyond it one selects by filter.
pub const MAX_PICKED: usize = 10_000;

/// Who was picked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase", tag = "by")]
// A browser has smaller addresses, and so nothing to expect.
#[cfg_attr(
    not(target_arch = "wasm32"),
    expect(clippy::large_enum_variant, reason = "there is never more than one in hand")
)]
pub enum Selection {
    /// These people, in the order of their ids.
    Picked { ids: Vec<PersonId> },
    /// Everybody who matches, when it is looked at, but not these.
    Matching { filter: PeopleFilter, exclude: Vec<PersonId> },
}

/// A change to a selection, as the people page sends it. Flat, so that a plain form can.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectionRequest {
    /// The selection to change; none begins a new one.
    pub token: Option<SelectionToken>,
    /// The people shown on the page that was sent, comma-separated, so that an unticked box can be told from another page.
    pub shown: String,
    /// Those of `shown` that are ticked, comma-separated.
    pub ticked: String,
}

/// A selection as the selection bar shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectionView {
    pub token: SelectionToken,
    /// How many people it holds now.
    pub count: u64,
    /// Whether it is by filter ("everyone who matches") rather than picked.
    pub matching: bool,
    /// Of the people asked about (those shown on the page), the ones that are in.
    pub ticked: Vec<PersonId>,
    /// The query string of the filter it selects by, if by filter.
    pub filter_query: Option<String>,
    /// Whether it is everyone, with no filter at all; then an extra tick is asked for.
    pub everyone: bool,
}
