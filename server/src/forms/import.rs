//! `POST /admin/import` takes a file of people, which goes into the store as it comes in, and leads to its page.

use app::server::forms::import::PAGE;
use axum::{extract::State, response::Response};
use caseload::{Caseload, import::Upload};
use model::Problem;

use crate::{auth::actor::Caller, forms::settings::back, forms::upload::Form, web::redirect};

/// The largest form: the largest file with what else is in the form.
pub const LARGEST: usize = caseload::import::LARGEST as usize + 1024 * 1024;

pub async fn upload(State(caseload): State<Caseload>, Caller(actor): Caller, mut form: Form) -> Response {
    let mut incoming = match caseload.imports().begin_upload(&actor) {
        Ok(incoming) => incoming,
        Err(error) => return form.refused(PAGE, error.into()).await,
    };
    let name = match read(&mut form, &mut incoming).await {
        Ok(name) => name,
        Err(problem) => {
            incoming.abandon().await;
            return form.refused(PAGE, problem).await;
        }
    };
    match caseload.imports().prepare(&actor, &name, incoming).await {
        Ok(id) => redirect::to(&format!("{PAGE}/{id}")),
        Err(error) => back(PAGE, error.into()),
    }
}

/// The file of a form, which goes into the store; its name.
async fn read(form: &mut Form, incoming: &mut Upload) -> Result<String, Problem> {
    let unreadable = |_| {
        Problem::field(
            "file",
            "unreadable",
            "The upload failed. The file may be too large. Check its size, and try again.",
        )
    };
    let mut name = String::new();
    while let Some(mut field) = form.next_field().await.map_err(unreadable)? {
        let is_file = field.name() == Some("file");
        if is_file {
            name = field.file_name().unwrap_or_default().replace('\0', "");
        }
        while let Some(piece) = field.chunk().await.map_err(unreadable)? {
            if is_file {
                incoming.put(piece).await.map_err(Problem::from)?;
            }
        }
    }
    Ok(name)
}
