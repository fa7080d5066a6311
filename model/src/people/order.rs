//! The columns of the people list, and its order: by any of them, either way round.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{
    Problem,
    enum_words::{self, Reader, words},
};

words! {
    /// What a list says of people beside each other. The name is always there.
    PersonColumn {
        Name = "name", "Name";
        SchoolId = "schoolId", "School ID";
        ProgramStatus = "programStatus", "Program status";
        StatusSince = "statusSince", "Since";
        StudentType = "studentType", "Student type";
        Major = "major", "Major";
        HomeCampus = "homeCampus", "Campus";
        StartTerm = "startTerm", "Start term";
        Coach = "coach", "Coach";
        PrimaryEmail = "primaryEmail", "Email";
        Activated = "activated", "Activated";
    }
}

impl PersonColumn {
    /// Those that are shown unless somebody chooses others.
    pub const USUAL: &'static [PersonColumn] = &[
        PersonColumn::Name,
        PersonColumn::SchoolId,
        PersonColumn::ProgramStatus,
        PersonColumn::StatusSince,
        PersonColumn::StudentType,
        PersonColumn::Major,
        PersonColumn::HomeCampus,
        PersonColumn::StartTerm,
        PersonColumn::Coach,
    ];

    /// Columns from a list with commas, in the order in which they are shown; the name is among them. Nothing where none is named.
    pub fn listed(list: &str) -> Option<Vec<PersonColumn>> {
        let named: Vec<PersonColumn> =
            list.split(',').take(Self::ALL.len()).filter_map(|name| name.parse().ok()).collect();
        let shown = |column: &PersonColumn| *column == PersonColumn::Name || named.contains(column);
        (!named.is_empty()).then(|| Self::ALL.iter().copied().filter(shown).collect())
    }

    /// The same as such a list.
    pub fn list(columns: &[PersonColumn]) -> String {
        columns.iter().map(|column| column.name()).collect::<Vec<_>>().join(",")
    }
}

words! {
    /// How high the rows of lists are.
    RowHeight {
        Compact = "compact", "Compact";
        Standard = "standard", "Standard";
        Roomy = "comfortable", "Roomy";
    }
}

/// How a list of people looks, where its address says so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListLook {
    pub columns: Option<Vec<PersonColumn>>,
    pub row_height: Option<RowHeight>,
}

impl ListLook {
    /// The keys in an address that say it.
    pub const KEYS: [&str; 2] = ["columns", "rows"];

    /// As the pairs of a query string say; what is unknown says nothing.
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> ListLook {
        let mut look = ListLook::default();
        for (key, value) in pairs {
            match key {
                "columns" => look.columns = PersonColumn::listed(value),
                "rows" => look.row_height = value.parse().ok(),
                _ => {}
            }
        }
        look
    }

    /// The pairs that say it.
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let columns = self.columns.as_ref().map(|columns| ("columns", PersonColumn::list(columns)));
        columns.into_iter().chain(self.row_height.map(|height| ("rows", height.to_string()))).collect()
    }

    /// A query string, with this after it.
    pub fn after(&self, query: &str) -> String {
        let look = serde_urlencoded::to_string(self.pairs()).unwrap_or_default();
        [query, &look].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("&")
    }
}

/// The order of the people list. Who is alike in it goes by name, and who has nothing to go by comes last. Written as the name of
/// the column, with `-` before it when it is the other way round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    pub by: PersonColumn,
    pub descending: bool,
}

impl Sort {
    /// By last name.
    pub const NAME: Sort = Sort::by(PersonColumn::Name);

    /// By this column, from the first on.
    pub const fn by(by: PersonColumn) -> Sort {
        Sort { by, descending: false }
    }

    /// The other way round.
    pub const fn reversed(self) -> Sort {
        Sort { by: self.by, descending: !self.descending }
    }

    /// Every order, as addresses write it.
    pub fn names() -> Vec<String> {
        PersonColumn::ALL
            .iter()
            .flat_map(|by| [Sort::by(*by), Sort::by(*by).reversed()])
            .map(|sort| sort.to_string())
            .collect()
    }

    /// `name, Z to A` is told by the word after the column.
    pub fn label(self) -> String {
        let by = self.by.label();
        if self.descending { format!("{by}, descending") } else { by.to_owned() }
    }

    /// An order from a query string, refused with what there is as the reader knows it.
    pub fn parse(value: &str, reader: Reader) -> Result<Sort, Problem> {
        value.parse().map_err(|()| {
            let message = match reader {
                Reader::Person => {
                    let columns: Vec<_> = PersonColumn::ALL.iter().map(|column| column.label()).collect();
                    enum_words::no_choice(value, &columns)
                }
                Reader::Program => {
                    format!("sort: {} is not one of {}.", enum_words::quoted(value), Sort::names().join(", "))
                }
            };
            Problem::field("sort", "invalid", message)
        })
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.descending { "-" } else { "" }, self.by)
    }
}

impl FromStr for Sort {
    type Err = ();

    fn from_str(text: &str) -> Result<Sort, ()> {
        let (by, descending) = text.strip_prefix('-').map_or((text, false), |by| (by, true));
        Ok(Sort { by: by.parse().map_err(|_| ())?, descending })
    }
}

impl Serialize for Sort {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Sort {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Sort, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(|()| serde::de::Error::custom(format!("{} is not an order", enum_words::quoted(&text))))
    }
}

#[cfg(feature = "openapi")]
mod schema {
    use utoipa::{
        PartialSchema, ToSchema,
        openapi::{ObjectBuilder, RefOr, Schema, Type},
    };

    use super::Sort;

    impl PartialSchema for Sort {
        fn schema() -> RefOr<Schema> {
            let order = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(Sort::names()));
            order.description(Some("The order of the people list; ties go by name.")).into()
        }
    }

    impl ToSchema for Sort {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_written_as_it_is_read() {
        for name in Sort::names() {
            assert_eq!(name.parse::<Sort>().unwrap().to_string(), name);
        }
        assert!("--name".parse::<Sort>().is_err());
        let problem = Sort::parse("rank", Reader::Person).unwrap_err();
        assert!(problem.errors[0].message.starts_with("“rank” is not a choice here. Choose Name, School ID"));
    }

    #[test]
    fn columns_stand_in_their_order_and_the_name_always() {
        let columns = PersonColumn::listed("coach,schoolId,nonsense").unwrap();
        assert_eq!(columns, [PersonColumn::Name, PersonColumn::SchoolId, PersonColumn::Coach]);
        assert_eq!(PersonColumn::list(&columns), "name,schoolId,coach");
        assert_eq!((PersonColumn::listed(""), PersonColumn::listed("nonsense")), (None, None));
    }
}
