//! The one door of served pages.

use leptos::prelude::*;

use crate::answer::Answer;

/// The page at an address: a [`super::sheet::Sheet`].
#[server(name = ReadSheet, prefix = "/api/page", endpoint = "sheet")]
pub async fn sheet(path: String, #[server(default)] search: String) -> Answer {
    use super::sheet::Sheet;
    use crate::{answer::Raw, server};
    if let Some(sheet) = server::sheets::open(&path, &search) {
        return sheet.map(Raw::of);
    }
    let (caseload, actor) = server::caller()?;
    let sheet = server::sheets::of(&caseload, &actor, &path, &search).await?;
    Ok(Raw::of(Sheet { of: search, ..sheet }))
}
