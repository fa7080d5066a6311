//! Importing people. `POST /admin/import` takes a file, which goes into the store as it comes in, and leads to its page. What is chosen
//! there comes to `POST /admin/import/{id}`, with the button that was pressed; the last one leads to the task.

use app::refusal::Refusal;
use axum::{
    Form as PlainForm,
    extract::{Path, State},
    response::Response,
};
use caseload::{Actor, Caseload, import::Upload};
use model::{Problem, TaskId};

use crate::{auth::actor::Caller, forms::settings::back, forms::upload::Form, web::redirect};

const PAGE: &str = "/admin/import";
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
        Ok(id) => redirect::to(&page_of(id)),
        Err(error) => back(PAGE, error.into()),
    }
}

/// The file of a form, which goes into the store; its name.
async fn read(form: &mut Form, incoming: &mut Upload) -> Result<String, Problem> {
    let unreadable = |_| Problem::field("file", "unreadable", "The upload failed. The file may be too large.");
    let mut name = "file".to_owned();
    while let Some(mut field) = form.next_field().await.map_err(unreadable)? {
        let is_file = field.name() == Some("file");
        if is_file {
            name = field.file_name().filter(|name| !name.is_empty()).unwrap_or("file").replace('\0', "");
        }
        while let Some(piece) = field.chunk().await.map_err(unreadable)? {
            if is_file {
                incoming.put(piece).await.map_err(Problem::from)?;
            }
        }
    }
    Ok(name)
}

/// What was chosen on the page of a file.
pub async fn prepared(
    State(caseload): State<Caseload>,
    Caller(actor): Caller,
    Path(id): Path<String>,
    PlainForm(pairs): PlainForm<Vec<(String, String)>>,
) -> Response {
    match act(&caseload, &actor, &id, &pairs).await {
        Ok(address) => redirect::to(&address),
        Err(problem) => {
            back(&format!("{PAGE}/{}", redirect::segment(&id)), Refusal(problem).keeping(&to_keep(&pairs)).0)
        }
    }
}

/// Does what the button says, and gives where that leads.
async fn act(caseload: &Caseload, actor: &Actor, id: &str, pairs: &[(String, String)]) -> Result<String, Problem> {
    let imports = caseload.imports();
    imports.may_import(actor)?;
    let id: TaskId = id.parse().map_err(|_| Problem::not_found("import"))?;
    let saved = || match given(pairs, "start") {
        "" => Ok(None),
        start => start.parse().map(Some).map_err(|_| Problem::not_found("saved matching")),
    };
    match given(pairs, "do") {
        "import" => {
            let name = (!given(pairs, "save").is_empty()).then(|| given(pairs, "matchingName"));
            let task = imports.import_prepared(actor, id, pairs, name).await?;
            return Ok(format!("/tasks/{}", task.id));
        }
        "cancel" => {
            imports.discard(actor, id).await?;
            return Ok(PAGE.to_owned());
        }
        "use" => imports.start_from(actor, id, saved()?).await?,
        "forget" => {
            if let Some(matching) = saved()? {
                imports.forget_matching(actor, matching).await?;
            }
        }
        _ => {
            imports.choose(actor, id, pairs).await?;
            return Ok(redirect::with_query(&page_of(id), &to_keep(pairs)));
        }
    }
    Ok(page_of(id))
}

/// What was typed for keeping the matching, which no press but the last one is about.
fn to_keep(pairs: &[(String, String)]) -> Vec<(&'static str, &str)> {
    let typed = ["matchingName", "save"].map(|name| (name, given(pairs, name)));
    typed.into_iter().filter(|(_, value)| !value.is_empty()).collect()
}

/// What the form has in a field; of several the last one.
fn given<'a>(pairs: &'a [(String, String)], name: &str) -> &'a str {
    pairs.iter().rfind(|(key, _)| key == name).map_or("", |(_, value)| value.as_str())
}

fn page_of(id: TaskId) -> String {
    format!("{PAGE}/{id}")
}
