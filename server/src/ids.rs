//! `POST /people/ids`: people by their school ids, pasted or from a file. It leads back to the page, which says who was found.

use axum::{
    extract::{Multipart, State},
    response::{IntoResponse, Redirect, Response},
};
use caseload::Caseload;
use model::Problem;

use crate::{account::back, actor::Caller, local};

const PAGE: &str = "/people/ids";
/// Unknown ids that are named; of more there is a number.
const NAMED: usize = 50;

pub async fn choose(State(caseload): State<Caseload>, Caller(actor): Caller, mut form: Multipart) -> Response {
    let mut given = Vec::new();
    loop {
        match form.next_field().await {
            Ok(Some(field)) => match (field.name().unwrap_or_default().to_owned(), field.text().await) {
                (name, Ok(text)) if name == "file" => given.extend(first_cells(&text)),
                (_, Ok(text)) => given.extend(words(&text)),
                (_, Err(_)) => {
                    let message = "The file is not text in UTF-8, or too large.";
                    return back(PAGE, Problem::field("schoolIds", "unreadable", message));
                }
            },
            Ok(None) => break,
            Err(_) => return back(PAGE, Problem::field("schoolIds", "unreadable", "The form could not be read.")),
        }
    }
    match caseload.select_school_ids(&actor, given).await {
        Ok((selected, unknown)) => {
            let more = unknown.len().saturating_sub(NAMED);
            let mut query = vec![("sel", selected.token.to_string())];
            query.extend(unknown.into_iter().take(NAMED).map(|id| ("unknown", id)));
            query.extend((more > 0).then(|| ("more", more.to_string())));
            let query: Vec<(&str, &str)> = query.iter().map(|(key, value)| (*key, value.as_str())).collect();
            Redirect::to(&local::with_query(PAGE, &query)).into_response()
        }
        Err(error) => back(PAGE, error.into()),
    }
}

/// Ids as people paste them.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';')).filter(|id| !id.is_empty()).map(str::to_owned)
}

/// The first cell of each line, but for a line of titles.
fn first_cells(text: &str) -> impl Iterator<Item = String> {
    let text = text.trim_start_matches('\u{feff}');
    let cells = text.lines().filter_map(|line| line.split([',', ';', '\t']).next());
    let cells = cells.map(|cell| cell.trim().trim_matches('"').to_owned()).filter(|cell| !cell.is_empty());
    cells.filter(|cell| {
        !matches!(cell.to_lowercase().replace([' ', '_'], "").as_str(), "schoolid" | "id" | "studentid" | "idstudent")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_people_paste_them() {
        assert_eq!(words("G1-1, G1-2;G1-3\n\tG1-4 ").collect::<Vec<_>>(), ["G1-1", "G1-2", "G1-3", "G1-4"]);
    }

    #[test]
    fn of_a_table_the_first_column_counts() {
        let table = "\u{feff}School id,Name\n\"G1-1\",Lund\n\nG1-2;Sørbø\nG1-3\n";
        assert_eq!(first_cells(table).collect::<Vec<_>>(), ["G1-1", "G1-2", "G1-3"]);
    }
}
