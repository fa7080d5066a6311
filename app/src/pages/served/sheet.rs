//! What the server makes of a page.

use serde::{Deserialize, Serialize};

use crate::answer::Html;

/// A page as the server rendered it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    pub title: String,
    pub html: Html,
    /// The query string that it answers.
    #[serde(default)]
    pub of: String,
    /// Set on a page that moves by itself.
    #[serde(default)]
    pub pulse: Option<Pulse>,
}

/// What a page that moves by itself listens to, and what it then asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pulse {
    /// The topics of the event stream.
    pub topics: String,
    /// The query string that brings what is on the page as it is by then.
    pub again: String,
}
