//! What the form in which an email is written sends.

use model::composer::Typed;
use serde::{Deserialize, Serialize};

/// The form of the email composer, with the button that was pressed.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Composer {
    #[serde(rename = "do")]
    pub button: String,
    /// Of the draft that the page has before it, and of the one that it leaves.
    pub revision: String,
    pub next: String,
    pub sel: String,
    pub from: String,
    pub person: String,
    #[serde(flatten)]
    pub typed: Typed,
    pub start: String,
    pub offset: String,
    pub reason: String,
    pub template_name: String,
    pub template: String,
}
