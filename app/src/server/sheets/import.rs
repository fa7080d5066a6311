//! Uploading people, and preparing what was uploaded, for administrators.

use caseload::{Actor, Caseload};
use leptos::prelude::*;

use super::rendered::rendered;
use crate::{
    components::frame::PageContent,
    pages::import::{Import, prepared},
    refusal::Refusal,
    server, url,
};

/// Where a file is chosen.
pub async fn sheet(caseload: &Caseload, actor: &Actor, search: &str) -> Result<PageContent, Refusal> {
    let prepared = server::answer(caseload.imports().prepared_files(actor).await)?;
    rendered("Import people", view! { <Import prepared refusal=url::refusal(search)/> })
}

/// What a file’s columns are matched to, and what importing it would do.
pub async fn one(caseload: &Caseload, actor: &Actor, id: &str, search: &str) -> Result<PageContent, Refusal> {
    server::answer(caseload.imports().may_import(actor))?;
    let id = server::id(id, "import")?;
    let import = server::answer(caseload.imports().prepared(actor, id).await)?;
    let title = format!("Import {}", import.file.file);
    rendered(title, prepared::view(import, search, url::refusal(search)))
}
