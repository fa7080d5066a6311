//! `POST /people/ids`: people by their school ids, pasted or from a file. It leads back to the page, which says who was found.
//!
//! The ids are taken from what comes in as it comes, so that nothing is kept but those that differ, and no more of them than
//! can be picked.

use std::collections::BTreeMap;

use app::refusal::Refusal;
use axum::{extract::State, response::Response};
use caseload::Caseload;
use model::{Problem, SchoolId, grouped, school_id::NoSchoolId, selection::MAX_PICKED};

use crate::{auth::actor::Caller, forms::settings::back, forms::upload::Form, web::redirect};

const PAGE: &str = "/people/ids";
/// As refusals name what was pasted.
const FIELD: &str = "schoolIds";
/// Unknown ids that are named; of more there is a number.
const NAMED: usize = 200;
/// What they take of an address at most, in bytes.
const NAMES: usize = 4096;
const UNKNOWN: &str = "unknown";
/// The most that is read, in bytes.
const MOST: usize = 1024 * 1024;
/// What was pasted comes back to the page up to this length, in bytes of an address.
const PASTED: usize = 2_000;

pub async fn choose(State(caseload): State<Caseload>, Caller(actor): Caller, mut form: Form) -> Response {
    let mut ids = Ids::default();
    let read = read(&mut form, &mut ids).await;
    let pasted = ids.pasted();
    if let Err(problem) = read {
        return form.refused(PAGE, keeping(problem, &pasted)).await;
    }
    let (given, repeated) = (ids.found.len() as u64, ids.given_again().count() as u64);
    match caseload.selections().select_school_ids(&actor, ids.in_order()).await {
        Ok((selected, unknown)) => {
            // Two ways to write one person's say it twice as well.
            let repeated = repeated + given.saturating_sub(unknown.len() as u64 + selected.count);
            let lengths = unknown.iter().scan(0, |all, id| {
                *all += encoded(id.as_str()) + UNKNOWN.len() + 2;
                Some(*all)
            });
            let named = lengths.take(NAMED).take_while(|all| *all <= NAMES).count();
            let more = unknown.len() - named;
            let mut query = vec![("sel", selected.token.to_string())];
            query.extend(unknown.into_iter().take(named).map(|id| (UNKNOWN, id.into())));
            query.extend((more > 0).then(|| ("more", more.to_string())));
            query.extend((repeated > 0).then(|| ("repeated", repeated.to_string())));
            query.extend((!pasted.is_empty()).then_some(("pasted", pasted)));
            let query: Vec<(&str, &str)> = query.iter().map(|(key, value)| (*key, value.as_str())).collect();
            redirect::to(&redirect::with_query(PAGE, &query))
        }
        Err(error) => back(PAGE, keeping(error.into(), &pasted)),
    }
}

/// With what was pasted, so that it is put right and not pasted again.
fn keeping(problem: Problem, pasted: &str) -> Problem {
    Refusal(problem).keeping(&[(FIELD, pasted)]).0
}

async fn read(form: &mut Form, ids: &mut Ids) -> Result<(), Problem> {
    let unreadable =
        |_| wrong("unreadable", "The upload failed. The file may be too large. Check its size, and try again.");
    while let Some(mut field) = form.next_field().await.map_err(unreadable)? {
        let sort = if field.name() == Some("file") { ColumnOrder::Table } else { ColumnOrder::Words };
        let mut read = Ok(());
        while let Some(piece) = field.chunk().await.map_err(unreadable)? {
            let is_kept = matches!(sort, ColumnOrder::Words) && ids.keep(&piece);
            read = read.and_then(|()| ids.take(sort, &piece));
            // The rest of what was pasted comes back as well.
            if read.is_err() && !is_kept {
                break;
            }
        }
        read?;
        ids.end(sort)?;
    }
    Ok(())
}

/// How long a text is in an address, in bytes.
fn encoded(text: &str) -> usize {
    url::form_urlencoded::byte_serialize(text.as_bytes()).map(str::len).sum()
}

fn wrong(code: &str, message: impl Into<String>) -> Problem {
    Problem::field(FIELD, code, message)
}

/// How ids stand in a text.
#[derive(Clone, Copy)]
enum ColumnOrder {
    /// As people paste them, with anything between them.
    Words,
    /// In the first cell of each line.
    Table,
}

/// The ids of a text that comes in pieces, cut anywhere.
#[derive(Default)]
struct Ids {
    /// Each with where it was given first, and whether it was given again.
    found: BTreeMap<SchoolId, (usize, bool)>,
    /// The beginning of an id whose end is still to come.
    open: Vec<u8>,
    /// Whether the rest of the line is of other cells.
    beyond: bool,
    read: usize,
    /// What was pasted, as far as it could come back.
    pasted: Vec<u8>,
}

impl Ids {
    fn take(&mut self, sort: ColumnOrder, piece: &[u8]) -> Result<(), Problem> {
        self.read += piece.len();
        if self.read > MOST {
            return Err(wrong("too_long", "Paste at most 1 MB of school IDs, or select people with a filter."));
        }
        for &byte in piece {
            match (sort, byte) {
                (ColumnOrder::Words, b',' | b';') => self.close(sort)?,
                (ColumnOrder::Words, byte) if byte.is_ascii_whitespace() => self.close(sort)?,
                (ColumnOrder::Table, b'\n') => {
                    self.close(sort)?;
                    self.beyond = false;
                }
                (ColumnOrder::Table, b',' | b';' | b'\t') => {
                    self.close(sort)?;
                    self.beyond = true;
                }
                _ if self.beyond => {}
                _ if self.open.len() == SchoolId::BYTES => return Err(NoSchoolId::TooLong.of(FIELD)),
                _ => self.open.push(byte),
            }
        }
        Ok(())
    }

    /// What is open ends here.
    fn close(&mut self, sort: ColumnOrder) -> Result<(), Problem> {
        let open = std::mem::take(&mut self.open);
        let text =
            std::str::from_utf8(&open).map_err(|_| wrong("unreadable", "This file is not plain text (UTF-8)."))?;
        match sort {
            ColumnOrder::Words => text.split_whitespace().try_for_each(|id| self.add(id))?,
            ColumnOrder::Table => {
                let cell = text.trim_start_matches('\u{feff}').trim().trim_matches('"');
                let title = cell.to_lowercase().replace([' ', '_'], "");
                if !cell.is_empty() && !matches!(title.as_str(), "schoolid" | "id" | "studentid" | "idstudent") {
                    self.add(cell)?;
                }
            }
        }
        // Its room is for the next one.
        self.open = open;
        self.open.clear();
        Ok(())
    }

    fn add(&mut self, id: &str) -> Result<(), Problem> {
        match id.parse() {
            Ok(id) => {
                let place = self.found.len();
                self.found.entry(id).and_modify(|(_, again)| *again = true).or_insert((place, false));
            }
            Err(NoSchoolId::Blank) => {}
            Err(why) => return Err(why.of(FIELD)),
        }
        match self.found.len() > MAX_PICKED {
            true => {
                let most = grouped(MAX_PICKED as u64);
                Err(wrong("too_many", format!("List at most {most} people, or select them with a filter.")))
            }
            false => Ok(()),
        }
    }

    /// Those that were given more than once.
    fn given_again(&self) -> impl Iterator<Item = &SchoolId> {
        self.found.iter().filter(|(_, (_, again))| *again).map(|(id, _)| id)
    }

    /// Each once, in the order that they were given in.
    fn in_order(self) -> Vec<SchoolId> {
        let mut ids: Vec<_> = self.found.into_iter().collect();
        ids.sort_by_key(|(_, (place, _))| *place);
        ids.into_iter().map(|(id, _)| id).collect()
    }

    /// Keeps what was pasted; false once that is too long to come back.
    fn keep(&mut self, piece: &[u8]) -> bool {
        self.pasted.extend(piece.iter().take((PASTED + 1).saturating_sub(self.pasted.len())));
        self.pasted.len() <= PASTED
    }

    /// What was pasted, whole; nothing of what is too long for an address.
    fn pasted(&self) -> String {
        let text = std::str::from_utf8(&self.pasted).unwrap_or_default().trim();
        if encoded(text) > PASTED { String::new() } else { text.to_owned() }
    }

    /// A field ends, and the next one begins with nothing open.
    fn end(&mut self, sort: ColumnOrder) -> Result<(), Problem> {
        self.close(sort)?;
        self.beyond = false;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ids of a text, whole and byte by byte.
    fn ids(sort: ColumnOrder, text: &str) -> Vec<String> {
        let in_pieces_of = |bytes: usize| {
            let mut ids = Ids::default();
            text.as_bytes().chunks(bytes).for_each(|piece| ids.take(sort, piece).unwrap());
            ids.end(sort).unwrap();
            ids.in_order().into_iter().map(String::from).collect::<Vec<_>>()
        };
        assert_eq!(in_pieces_of(1), in_pieces_of(text.len()));
        in_pieces_of(text.len())
    }

    #[test]
    fn ids_are_read_as_people_paste_them() {
        let pasted = "G1-1, G1-2;G1-3\n\tG1-4 G1-1\u{3000}Ø-5";
        assert_eq!(ids(ColumnOrder::Words, pasted), ["G1-1", "G1-2", "G1-3", "G1-4", "Ø-5"]);
    }

    #[test]
    fn what_is_given_again_is_told_once() {
        let mut ids = Ids::default();
        ids.take(ColumnOrder::Words, b"G1-1 G1-2 G1-1 G1-1 G1-3").unwrap();
        ids.end(ColumnOrder::Words).unwrap();
        assert_eq!(ids.given_again().map(SchoolId::as_str).collect::<Vec<_>>(), ["G1-1"]);
    }

    /// Those that are not found came back sorted, and nobody found them again in their own list.
    #[test]
    fn ids_keep_the_order_that_they_were_pasted_in() {
        assert_eq!(ids(ColumnOrder::Words, "Z-9 A-1 Z-9 M-5"), ["Z-9", "A-1", "M-5"]);
    }

    /// Whoever had mistyped one of thirty ids pasted all of them again.
    #[test]
    fn what_was_pasted_comes_back_whole_or_not_at_all() {
        let pasted = |text: &str| {
            let mut ids = Ids::default();
            text.as_bytes().chunks(7).all(|piece| ids.keep(piece));
            ids.pasted()
        };
        assert_eq!(pasted(" G1-1,\nØ-5 \n"), "G1-1,\nØ-5");
        assert_eq!(pasted(&"G1-1 ".repeat(500)), "");
        assert_eq!(pasted(&"Ø\n".repeat(250)), "");
    }

    #[test]
    fn of_a_table_the_first_column_counts() {
        let table = "\u{feff}School ID,Name\r\n\"G1-1\",Lund\n\n\" \",Nobody\nG1-2;Sørbø\nG1-3\n";
        assert_eq!(ids(ColumnOrder::Table, table), ["G1-1", "G1-2", "G1-3"]);
    }

    #[test]
    fn a_text_that_never_ends_is_given_up_at_the_ten_thousand_and_first_id() {
        let mut ids = Ids::default();
        let pieces = (0..).map(|n: u32| format!("G1-{n:07} "));
        let refused = pieces.map(|piece| ids.take(ColumnOrder::Words, piece.as_bytes())).find_map(Result::err).unwrap();
        assert_eq!(refused.errors[0].code, "too_many");
        assert_eq!((ids.found.len(), ids.read), (MAX_PICKED + 1, 11 * (MAX_PICKED + 1)));
    }

    #[test]
    fn eight_mebibytes_of_one_word_are_given_up_after_one() {
        let mut ids = Ids::default();
        let refused =
            (0..2_048).map(|_| ids.take(ColumnOrder::Words, &b"G1-1 ".repeat(820))).find_map(Result::err).unwrap();
        assert_eq!((refused.errors[0].code.as_str(), ids.found.len()), ("too_long", 1));
        assert!(ids.read <= MOST + 4_100, "{}", ids.read);
        let mut ids = Ids::default();
        assert_eq!(ids.take(ColumnOrder::Words, &[b'x'; 5_000]).unwrap_err().errors[0].code, "too_long");
        assert_eq!(ids.open.len(), SchoolId::BYTES);
    }
}
