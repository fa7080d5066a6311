//! Conditions as expressions, and the values of a statement while its text is put together.

use std::borrow::Cow;

use model::PersonId;
use queue::Database;
use sea_orm::{
    Statement, Value,
    sea_query::{Expr, PostgresQueryBuilder, Query},
};
use serde_json::Value as Json;

/// A part of a statement, with expressions in the places of `$1`, `$2`, ….
pub fn sql(text: impl Into<Cow<'static, str>>, parts: impl IntoIterator<Item = Expr>) -> Expr {
    Expr::cust_with_exprs(text, parts)
}

/// A whole statement of such parts, in the words of [`Database::statement`].
pub fn composed(db: &Database, text: impl Into<Cow<'static, str>>, parts: impl IntoIterator<Item = Expr>) -> Statement {
    let mut binds = Binds::default();
    let text = binds.put(sql(text, parts));
    db.statement(&text, binds.values())
}

/// Many values of one sort: people, or texts.
pub enum Many<'a> {
    People(&'a [PersonId]),
    Texts(&'a [String]),
}

impl Many<'_> {
    /// As many as somebody may name, as one value, and a query for them: SQLite looks through the names of all parameters for
    /// each of them, so that ten thousand cost a tenth of a second.
    pub fn query(&self) -> Expr {
        let (text, read, cast) = match self {
            Many::People(ids) => {
                let ids: Vec<String> = ids.iter().map(|id| id.uuid().simple().to_string()).collect();
                (Json::from(ids), "unhex(value)", "::uuid")
            }
            Many::Texts(texts) => (Json::from(texts.to_vec()), "value", ""),
        };
        let query = format!(
            "SELECT {{sqlite:{read} FROM json_each(}}{{postgres:value{cast} FROM json_array_elements_text(}}$1{{postgres:::json}})"
        );
        sql(query, [text.to_string().into()])
    }
}

/// The values so far; each gets the next `$n`.
#[derive(Clone, Default)]
pub struct Binds {
    values: Vec<Value>,
}

impl Binds {
    /// Adds a value and gives its placeholder.
    pub fn add(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("${}", self.values.len())
    }

    /// Adds several and gives `$1, $2, …`.
    pub fn list<V: Into<Value>>(&mut self, values: impl IntoIterator<Item = V>) -> String {
        values.into_iter().map(|value| self.add(value)).collect::<Vec<_>>().join(", ")
    }

    /// Adds the values of a condition and gives its text.
    pub fn condition(&mut self, condition: Expr) -> String {
        format!("({})", self.put(condition))
    }

    /// The same for any other expression.
    pub fn put(&mut self, expr: Expr) -> String {
        // The words and the numbered places are the same for both databases.
        let (text, values) = Query::select().expr(expr).build(PostgresQueryBuilder);
        let before = self.values.len();
        self.values.extend(values.0);
        let mut parts = text["SELECT ".len()..].split('$');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let rest = part.trim_start_matches(|digit: char| digit.is_ascii_digit());
            let number: usize = part[..part.len() - rest.len()].parse().unwrap_or_default();
            text += &format!("${}{rest}", before + number);
        }
        text
    }

    pub fn values(self) -> Vec<Value> {
        self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_the_middle_keeps_its_values_beside_those_of_others() {
        let mut binds = Binds::default();
        let first = binds.add("first");
        let within = sql("b = $1", ["within".into()]);
        let put = binds.put(sql("{sqlite:a}{postgres:b} = $2 AND $1 OR c = $2", [within, "twice".into()]));
        let last = binds.add("last");
        assert_eq!(
            [first, put, last],
            ["$1", "{sqlite:a}{postgres:b} = $2 AND b = $3 OR c = $4", "$5"].map(str::to_owned)
        );
        let values = ["first", "twice", "within", "twice", "last"].map(Value::from);
        assert_eq!(binds.values(), values);
    }

    #[test]
    fn a_query_is_put_as_it_is() {
        let put = Binds::default().put(sql("SELECT SELECT $1", [1.into()]));
        assert_eq!(put, "SELECT SELECT $1");
    }
}
