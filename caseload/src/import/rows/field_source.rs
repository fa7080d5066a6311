//! Where the text of a field comes from: a column, or a constant, and what its values mean.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, value::MapAccessDeserializer},
};

/// Written in a mapping as the name of a column, or as a table:
/// `{ column = "result", values = { Pass = "ACTIVE" }, otherwise = "INACTIVE" }` or `{ value = true }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnSource {
    pub origin: Origin,
    /// What each text of the column means; empty when the text stands for itself.
    pub values: BTreeMap<String, String>,
    /// What the texts mean that `values` does not list; without it they make the row a bad one.
    pub otherwise: Option<String>,
    /// How its dates are written; without it as `2004-02-29`.
    pub dates: Option<DateOrder>,
}

/// What a date that is written in three numbers begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DateOrder {
    DayFirst,
    MonthFirst,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    Column(String),
    Constant(String),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Column(column) => f.write_str(column),
            Origin::Constant(text) => write!(f, "Always “{text}”"),
        }
    }
}

impl ColumnSource {
    /// Every text that the mapping itself spells out, to be checked before the file is read.
    pub fn spelled_out(&self) -> impl Iterator<Item = &str> {
        let constant = match &self.origin {
            Origin::Constant(text) => Some(text),
            Origin::Column(_) => None,
        };
        constant.into_iter().chain(self.values.values()).chain(&self.otherwise).map(String::as_str)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ValueTable {
    column: Option<String>,
    value: Option<Constant>,
    #[serde(default)]
    values: BTreeMap<String, String>,
    otherwise: Option<String>,
    dates: Option<DateOrder>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Constant {
    Flag(bool),
    Number(i64),
    Text(String),
}

impl<'de> Deserialize<'de> for ColumnSource {
    /// By hand, because an untagged enum would swallow the name of a key it does not know.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ColumnSource, D::Error> {
        deserializer.deserialize_any(SourceVisitor)
    }
}

struct SourceVisitor;

impl<'de> de::Visitor<'de> for SourceVisitor {
    type Value = ColumnSource;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the name of a column, or a table with `column` or `value`")
    }

    fn visit_str<E: de::Error>(self, column: &str) -> Result<ColumnSource, E> {
        let origin = Origin::Column(column.to_owned());
        Ok(ColumnSource { origin, values: BTreeMap::new(), otherwise: None, dates: None })
    }

    fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<ColumnSource, A::Error> {
        let table = ValueTable::deserialize(MapAccessDeserializer::new(map))?;
        let origin = match (table.column, table.value) {
            (Some(column), None) => Origin::Column(column),
            (None, Some(Constant::Flag(flag))) => Origin::Constant(flag.to_string()),
            (None, Some(Constant::Number(number))) => Origin::Constant(number.to_string()),
            (None, Some(Constant::Text(text))) => Origin::Constant(text),
            _ => return Err(de::Error::custom("exactly one of `column` and `value` is needed")),
        };
        if table.values.is_empty() && table.otherwise.is_some() {
            return Err(de::Error::custom("`otherwise` is for what `values` does not list, and there are no `values`"));
        }
        Ok(ColumnSource { origin, values: table.values, otherwise: table.otherwise, dates: table.dates })
    }
}
