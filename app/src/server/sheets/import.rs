//! Uploading people, and preparing what was uploaded, for administrators.

use leptos::prelude::*;

use super::rendered::rendered;
use crate::{
    pages::import::{Import, prepared},
    server::{
        self,
        asked::{Asked, Made},
    },
    url,
};

/// Where a file is chosen.
pub async fn page(asked: Asked<'_>) -> Made {
    let Asked { caseload, actor, search, .. } = asked;
    let prepared = server::answer(caseload.imports().prepared_files(actor).await)?;
    rendered("Import people", view! { <Import prepared refusal=url::refusal(search)/> })
}

/// What a file’s columns are matched to, and what importing it would do.
pub async fn prepared_file(asked: Asked<'_>) -> Made {
    let Asked { caseload, actor, named: id, search } = asked;
    server::answer(caseload.imports().may_import(actor))?;
    let id = server::id(id, "import")?;
    let import = server::answer(caseload.imports().prepared(actor, id).await)?;
    let title = format!("Import {}", import.file.file);
    rendered(title, prepared::view(import, search, url::refusal(search)))
}
