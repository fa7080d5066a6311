//! Uploading people, and preparing what was uploaded, for administrators.

use leptos::prelude::*;
use model::TaskId;

use super::rendered::rendered;
use crate::{
    components::blank::Blank,
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
    let import = match caseload.imports().prepared(actor, id).await {
        Ok(import) => import,
        Err(error) => match server::answer(caseload.imports().became_task(actor, id).await)? {
            Some(task) => return rendered("Import people", imported(task)),
            None => return server::answer(Err(error)),
        },
    };
    let title = format!("Import {}", import.file.file);
    rendered(title, prepared::view(import, search, url::refusal(search)))
}

/// In place of a file that was imported: whoever comes back to it finds its task.
fn imported(task: TaskId) -> impl IntoView {
    view! {
        <Blank whole=true icon="done" title="This file was imported" text="Its task says what became of each line.">
            <a class="button primary" href=format!("/tasks/{task}")>"See the task"</a>
            <a class="button quiet" href="/admin/import">"Import another file"</a>
        </Blank>
    }
}
