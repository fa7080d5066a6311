//! Somebody who is erased, and how texts name them.

use model::{PersonId, SchoolId};
use queue::Database;
use sea_orm::{ConnectionTrait, DbErr, EntityTrait, TryGetable, Value};

use crate::{Result, people::fold::fold};

/// What takes the place of a text that named somebody.
pub const ERASED: &str = "(erased)";

/// Somebody who is erased. Whatever holds personal data forgets them by its own `forget`.
pub struct Erased {
    pub id: PersonId,
    pub school_id: SchoolId,
    /// What a text names them by: school id, addresses, and the name in either order.
    pub words: Vec<String>,
}

impl Erased {
    pub fn new(id: PersonId, school_id: SchoolId, emails: [Option<String>; 2], first: &str, last: &str) -> Erased {
        let names = match (first.trim(), last.trim()) {
            ("", _) | (_, "") => Vec::new(),
            (first, last) => vec![format!("{first} {last}"), format!("{last} {first}"), format!("{last}, {first}")],
        };
        let words = std::iter::once(school_id.to_string()).chain(emails.into_iter().flatten()).chain(names).collect();
        Erased { id, school_id, words }
    }

    /// Whether a text names them, however it is written: as whole words, so that G1-1 is not found in G1-10.
    pub fn is_named_in(&self, text: &str) -> bool {
        // Folding drops what parts the words of a spec or of a sentence.
        let parted = |c: char| !c.is_alphanumeric() && !matches!(c, '@' | '.' | '-' | '_' | '+');
        let text = fold(&text.replace(parted, " "));
        let id = self.id.to_string();
        self.words.iter().map(|word| fold(word)).chain([id]).any(|word| is_whole(&word, &text))
    }
}

fn is_whole(word: &str, text: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    !word.is_empty()
        && text.match_indices(word).any(|(at, _)| {
            let (before, after) = (text[..at].chars().next_back(), text[at + word.len()..].chars().next());
            !before.is_some_and(part) && !after.is_some_and(part)
        })
}

/// The rows of a statement that gives an id and a text, as far as their text names somebody; ids as the database has them.
pub async fn naming<Id: TryGetable>(
    db: &Database,
    txn: &impl ConnectionTrait,
    erased: &Erased,
    sql: &str,
    values: Vec<Value>,
) -> Result<Vec<(Id, String)>> {
    let rows = txn.query_all_raw(db.statement(sql, values)).await?;
    let rows = rows.iter().map(|row| Ok((row.try_get_by_index(0)?, row.try_get_by_index(1)?)));
    let rows: Vec<(Id, String)> = rows.collect::<Result<_>>()?;
    Ok(rows.into_iter().filter(|(_, text)| erased.is_named_in(text)).collect())
}

/// Writes `instead` for the texts of this column that name somebody.
pub async fn forget_texts<E: EntityTrait>(
    db: &Database,
    txn: &impl ConnectionTrait,
    erased: &Erased,
    column: E::Column,
    instead: Option<&str>,
) -> Result<(), DbErr> {
    queue::replace_texts::<E>(db, txn, column, |text| erased.is_named_in(text), instead).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_them_by_whole_words_only() {
        let emails = [Some("mia@example.org".to_owned()), None];
        let erased = Erased::new(PersonId::from_u128(7), "G1-1".parse().unwrap(), emails, "Mia", "Sørbø");
        for text in [
            "g1-1",
            r#"{"ids":["G1-1"],"x":1}"#,
            "MIA@example.org",
            "sorbo mia",
            "Sørbø, Mia is here",
            "“G1-1” is twice",
        ] {
            assert!(erased.is_named_in(text), "{text}");
        }
        for text in ["G1-10", "G1-1-2", "AG1-1", "Mia", "Sørbø", "mia@example.organisation", ""] {
            assert!(!erased.is_named_in(text), "{text}");
        }
    }
}
