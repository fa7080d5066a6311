//! `POST /people/reassign`: people and their new coaches from an uploaded list. It leads to the check of what would happen.

use axum::{extract::State, response::Response};
use caseload::{Caseload, LIST};
use model::{Problem, TaskKind};

use crate::{auth::actor::Caller, forms::settings::back, forms::upload::Form, web::redirect};

const PAGE: &str = "/people/reassign";

pub async fn upload(State(caseload): State<Caseload>, Caller(actor): Caller, mut form: Form) -> Response {
    let read = match actor.require(TaskKind::ReassignByList.right()) {
        Ok(()) => read(&mut form).await,
        Err(error) => Err(error.into()),
    };
    let (name, text) = match read {
        Ok(read) => read,
        Err(problem) => return form.refused(PAGE, problem).await,
    };
    match caseload.actions().preview_list(&actor, &name, &text).await {
        Ok(preview) => {
            let token = preview.preview_token.to_string();
            redirect::to(&redirect::with_query("/actions/new/reassign-list", &[("sel", &token)]))
        }
        Err(error) => back(PAGE, error.into()),
    }
}

/// What the list is called, and the list.
async fn read(form: &mut Form) -> Result<(String, String), Problem> {
    let unreadable = |_| {
        Problem::field(
            "file",
            "unreadable",
            "The upload failed. The file may be too large. Check its size, and try again.",
        )
    };
    while let Some(mut field) = form.next_field().await.map_err(unreadable)? {
        if field.name() == Some("file") {
            let name = field.file_name().filter(|name| !name.is_empty()).unwrap_or("list").to_owned();
            return Ok((name, field.text::<LIST>("file").await?));
        }
    }
    Err(Problem::field("file", "required", "Choose a file."))
}
