//! `POST /people/reassign`: people and their new coaches from an uploaded list. It leads to the check of what would happen.

use app::refusal::Refusal;
use axum::{extract::State, response::Response};
use caseload::{Caseload, LIST};
use model::{Problem, TaskKind};

use crate::{auth::actor::Caller, forms::settings::back, forms::upload::Form, web::redirect};

const PAGE: &str = "/people/reassign";
/// Of the name of a file, so many characters are told.
const NAME: usize = 120;

pub async fn upload(State(caseload): State<Caseload>, Caller(actor): Caller, mut form: Form) -> Response {
    let read = match actor.require(TaskKind::ReassignByList.right()) {
        Ok(()) => read(&mut form).await,
        Err(error) => Err(error.into()),
    };
    let (name, text) = match read {
        Ok(read) => read,
        Err(problem) => return form.refused(PAGE, problem).await,
    };
    match caseload.actions().preview_list(&actor, name.as_deref().unwrap_or("list"), &text).await {
        Ok(preview) => {
            let token = preview.preview_token.to_string();
            redirect::to(&redirect::with_query("/actions/new/reassign-list", &[("sel", &token)]))
        }
        Err(error) => back(PAGE, named(error.into(), name.as_deref())),
    }
}

/// What the file is called, and the list in it.
async fn read(form: &mut Form) -> Result<(Option<String>, String), Problem> {
    let unreadable = |_| {
        Problem::field(
            "file",
            "unreadable",
            "The upload failed. The file may be too large. Check its size, and try again.",
        )
    };
    while let Some(mut field) = form.next_field().await.map_err(unreadable)? {
        if field.name() == Some("file") {
            let name = field.file_name().filter(|name| !name.is_empty());
            let name: Option<String> = name.map(|name| name.chars().take(NAME).collect());
            let text = field.text::<LIST>("file").await;
            return text.map_err(|problem| named(problem, name.as_deref())).map(|text| (name, text));
        }
    }
    Err(Problem::field("file", "required", "Choose a file."))
}

/// The refusal with the name of the file, which a browser does not show any more by then.
fn named(problem: Problem, file: Option<&str>) -> Problem {
    match file {
        Some(file) => Refusal(problem).keeping(&[("file", file)]).0,
        None => problem,
    }
}
