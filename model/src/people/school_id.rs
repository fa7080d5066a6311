//! The id by which a college knows somebody.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::Problem;

/// The id by which a college knows somebody, as it writes it: checked where it comes in, and taken as it is from the database.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[cfg_attr(feature = "orm", derive(sea_orm::DeriveValueType))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(value_type = String))]
pub struct SchoolId(String);

/// Why a text is no school id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoSchoolId {
    #[error("Enter a school ID.")]
    Blank,
    #[error("This is too long for a school ID.")]
    TooLong,
    #[error("This contains characters that a school ID cannot have.")]
    Invalid,
}

impl NoSchoolId {
    /// As the refusal of a field.
    pub fn of(self, field: &str) -> Problem {
        let code = match self {
            NoSchoolId::Blank => "required",
            NoSchoolId::TooLong => "too_long",
            NoSchoolId::Invalid => "invalid",
        };
        Problem::field(field, code, self.to_string())
    }
}

impl SchoolId {
    /// Characters of the longest.
    const LONGEST: usize = 200;
    /// Bytes that the longest can have.
    pub const BYTES: usize = 4 * SchoolId::LONGEST;

    /// Of somebody who is made up: the same for the same seed and number.
    pub fn made_up(seed: u64, number: u64) -> SchoolId {
        SchoolId(format!("G{seed}-{number:07}"))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SchoolId {
    type Err = NoSchoolId;

    fn from_str(text: &str) -> Result<SchoolId, NoSchoolId> {
        if text.len() > SchoolId::BYTES {
            return Err(NoSchoolId::TooLong);
        }
        match text.trim() {
            "" => Err(NoSchoolId::Blank),
            id if id.chars().count() > SchoolId::LONGEST => Err(NoSchoolId::TooLong),
            id if id.chars().any(char::is_control) => Err(NoSchoolId::Invalid),
            id => Ok(SchoolId(id.to_owned())),
        }
    }
}

impl TryFrom<String> for SchoolId {
    type Error = NoSchoolId;

    fn try_from(text: String) -> Result<SchoolId, NoSchoolId> {
        text.parse()
    }
}

impl From<SchoolId> for String {
    fn from(id: SchoolId) -> String {
        id.0
    }
}

impl fmt::Display for SchoolId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_a_line_that_could_be_imported() {
        assert_eq!(" G1-1\n".parse::<SchoolId>().unwrap().as_str(), "G1-1");
        assert!("Ø".repeat(200).parse::<SchoolId>().is_ok());
        for (text, why) in [
            (String::new(), NoSchoolId::Blank),
            (" \t".to_owned(), NoSchoolId::Blank),
            ("x".repeat(201), NoSchoolId::TooLong),
            (" ".repeat(801), NoSchoolId::TooLong),
            ("a\0b".to_owned(), NoSchoolId::Invalid),
            ("a\nb".to_owned(), NoSchoolId::Invalid),
        ] {
            assert_eq!(text.parse::<SchoolId>(), Err(why), "{text:?}");
        }
        assert!(serde_json::from_str::<SchoolId>("\"\"").is_err());
    }
}
