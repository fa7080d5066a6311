//! What a page is made from, and what comes of it.

use caseload::{Actor, Caseload};
use leptos::prelude::AnyView;

use crate::{components::frame::PageContent, refusal::Refusal};

/// What a page is made from.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    pub caseload: &'a Caseload,
    pub actor: &'a Actor,
    /// What stands where the address has a name.
    pub named: &'a str,
    pub search: &'a str,
}

/// A page for its frame, or why there is none.
pub type Made = Result<PageContent, Refusal>;

/// What strangers may see: its title, and what is on it.
pub type OpenPage = (&'static str, AnyView);
