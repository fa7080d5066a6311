//! The server's door of the page of a file.

use std::collections::BTreeMap;

use leptos::prelude::*;

use crate::refusal::Refusal;

/// Does what was pressed on the page of a file, `chosen` on it being what its columns are; the last press leads to the task.
#[server(name = PrepareImport, prefix = "/api/page", endpoint = "admin/import")]
pub async fn prepare_import(
    id: String,
    #[server(default)]
    #[server(rename = "do")]
    pressed: String,
    #[server(flatten)] chosen: BTreeMap<String, String>,
) -> Result<(), Refusal> {
    use crate::{server, server::forms, url};
    let (caseload, actor) = server::caller()?;
    let form = forms::import::ChosenColumns(chosen);
    let done = form.press(&caseload, &actor, &id, &pressed).await;
    forms::lead(done, &url::below(forms::import::PAGE, &id), &form.to_keep())
}
