//! The one door of served pages.

use leptos::prelude::*;

use crate::answer::Answer;

/// The page at an address: a [`super::Sheet`].
#[server(name = ReadSheet, prefix = "/api/page", endpoint = "sheet")]
pub async fn sheet(path: String, #[server(default)] search: String) -> Answer {
    use crate::{answer::Raw, server};
    if let Some(sheet) = server::sheets::open(&path, &search) {
        return sheet.map(Raw::of);
    }
    let (caseload, actor) = server::caller()?;
    let sheet = server::sheets::of(&caseload, &actor, &path, &search).await?;
    Ok(Raw::of(super::Sheet { of: search, ..sheet }))
}
