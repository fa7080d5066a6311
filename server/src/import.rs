//! `POST /admin/import`: people from an uploaded file. It leads to the task, or back to the page with what is wrong.

use app::refusal::Refusal as FormRefusal;
use axum::{
    body::Bytes,
    extract::{Multipart, State},
    response::{IntoResponse, Redirect, Response},
};
use caseload::Caseload;
use model::Problem;

use crate::{account::back, actor::Caller};

const PAGE: &str = "/admin/import";
/// The largest file.
pub const LARGEST: usize = 64 * 1024 * 1024;

pub async fn upload(State(caseload): State<Caseload>, Caller(actor): Caller, mut form: Multipart) -> Response {
    if let Err(error) = caseload.may_import(&actor) {
        return back(PAGE, error.into());
    }
    let (mut name, mut content, mut mapping) = (String::new(), Bytes::new(), String::new());
    let unreadable =
        || Problem::field("file", "unreadable", "The file could not be read; it may be larger than 64 MB.");
    loop {
        match form.next_field().await {
            Ok(Some(field)) if field.name() == Some("mapping") => match field.text().await {
                // A form ends its lines with CRLF.
                Ok(text) => mapping = text.replace("\r\n", "\n"),
                Err(_) => return back(PAGE, unreadable()),
            },
            Ok(Some(field)) => {
                name = field.file_name().unwrap_or("file").to_owned();
                match field.bytes().await {
                    Ok(bytes) => content = bytes,
                    Err(_) => return back(PAGE, unreadable()),
                }
            }
            Ok(None) => break,
            Err(_) => return back(PAGE, unreadable()),
        }
    }
    match caseload.import(&actor, &name, &mapping, content).await {
        Ok(task) => Redirect::to(&format!("/tasks/{}", task.id)).into_response(),
        Err(error) => back(PAGE, FormRefusal(error.into()).keeping(&[("mapping", &mapping)]).0),
    }
}
