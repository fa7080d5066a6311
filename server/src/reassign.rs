//! `POST /people/reassign`: people and their new coaches from an uploaded list. It leads to the check of what would happen.

use axum::{
    extract::{Multipart, State},
    response::{IntoResponse, Redirect, Response},
};
use caseload::Caseload;
use model::Problem;

use crate::{account::back, actor::Caller, local};

const PAGE: &str = "/people/reassign";

pub async fn upload(State(caseload): State<Caseload>, Caller(actor): Caller, mut form: Multipart) -> Response {
    let unreadable = || Problem::field("file", "unreadable", "The file is not text in UTF-8, or too large.");
    loop {
        match form.next_field().await {
            Ok(Some(field)) if field.name() == Some("file") => {
                let name = field.file_name().filter(|name| !name.is_empty()).unwrap_or("list").to_owned();
                let text = field.bytes().await.ok().and_then(|bytes| String::from_utf8(bytes.into()).ok());
                let Some(text) = text else { return back(PAGE, unreadable()) };
                return match caseload.preview_list(&actor, &name, &text).await {
                    Ok(preview) => {
                        let token = preview.preview_token.to_string();
                        Redirect::to(&local::with_query("/actions/new/reassign-list", &[("sel", &token)]))
                            .into_response()
                    }
                    Err(error) => back(PAGE, error.into()),
                };
            }
            Ok(Some(_)) => {}
            Ok(None) => return back(PAGE, Problem::field("file", "required", "Choose a file.")),
            Err(_) => return back(PAGE, unreadable()),
        }
    }
}
