//! `POST /admin/import`: people from an uploaded file, which goes into the store as it comes in. It leads to the task, or back
//! to the page with what is wrong.

use app::refusal::Refusal;
use axum::{extract::State, response::Response};
use caseload::{
    Caseload,
    import::{LONGEST_MAPPING, Upload},
};
use model::Problem;

use crate::{auth::actor::Caller, forms::settings::back, forms::upload::Form, web::redirect};

const PAGE: &str = "/admin/import";
/// The largest form: the largest file with what else is in the form.
pub const LARGEST: usize = caseload::import::LARGEST as usize + 1024 * 1024;

pub async fn upload(State(caseload): State<Caseload>, Caller(actor): Caller, mut form: Form) -> Response {
    let mut incoming = match caseload.imports().begin_upload(&actor) {
        Ok(incoming) => incoming,
        Err(error) => return form.refused(PAGE, error.into()).await,
    };
    let mut given = Given::default();
    if let Err(problem) = read(&mut form, &mut incoming, &mut given).await {
        incoming.abandon().await;
        return form.refused(PAGE, Refusal(problem).keeping(&[("mapping", &given.mapping)]).0).await;
    }
    match caseload.imports().submit(&actor, &given.name, &given.mapping, incoming).await {
        Ok(task) => redirect::to(&format!("/tasks/{}", task.id)),
        Err(error) => back(PAGE, Refusal(error.into()).keeping(&[("mapping", &given.mapping)]).0),
    }
}

/// What is in the form beside the file itself.
#[derive(Default)]
struct Given {
    name: String,
    mapping: String,
}

async fn read(form: &mut Form, incoming: &mut Upload, given: &mut Given) -> Result<(), Problem> {
    let unreadable = |_| Problem::field("file", "unreadable", "The upload failed. The file may be too large.");
    while let Some(mut field) = form.next_field().await.map_err(unreadable)? {
        if field.name() == Some("mapping") {
            // A form ends its lines with CRLF.
            given.mapping = field.text::<LONGEST_MAPPING>("mapping").await?.replace("\r\n", "\n");
            continue;
        }
        given.name = field.file_name().unwrap_or("file").to_owned();
        while let Some(piece) = field.chunk().await.map_err(unreadable)? {
            incoming.put(piece).await.map_err(Problem::from)?;
        }
    }
    Ok(())
}
