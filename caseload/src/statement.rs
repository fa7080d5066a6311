//! Statements that are put together: conditions are expressions, and stand in the places of a text for both databases.

use std::borrow::Cow;

use model::{PersonId, SchoolId};
use queue::Database;
use sea_orm::{
    ConnectionTrait, Statement, Value,
    sea_query::{Expr, PostgresQueryBuilder, Query},
};
use serde_json::Value as Json;

use crate::{Error, Result};

/// A part of a statement, with expressions in the places of `$1`, `$2`, ….
pub fn sql(text: impl Into<Cow<'static, str>>, parts: impl IntoIterator<Item = Expr>) -> Expr {
    Expr::cust_with_exprs(text, parts)
}

/// A whole statement of such parts, in the words of [`Database::statement`].
pub fn composed(db: &Database, text: impl Into<Cow<'static, str>>, parts: impl IntoIterator<Item = Expr>) -> Statement {
    let (text, values) = written(sql(text, parts));
    db.statement(&text, values)
}

/// The text of an expression, and the values of its numbered places. Both databases have them alike, and our words stay as they are.
fn written(expr: Expr) -> (String, Vec<Value>) {
    let (mut text, values) = Query::select().expr(expr).build(PostgresQueryBuilder);
    // There is no other way to have an expression written out.
    text.drain(.."SELECT ".len());
    (text, values.0)
}

/// How many rows at most, behind LIMIT. It stands in the text: a statement that PostgreSQL has kept is planned for a tenth of all
/// rows otherwise, which for a count of few people takes twice as long.
pub fn at_most(rows: impl Into<Value>) -> Expr {
    Expr::Constant(rows.into())
}

/// The instant that the database goes by, and so many seconds.
pub fn after(db: &Database, seconds: impl Into<Expr>) -> Expr {
    let text = "{sqlite:strftime('%Y-%m-%dT%H:%M:%f+00:00', }{postgres:(}$1{sqlite:, (}{postgres: + (}$2\
        {sqlite:) || ' seconds')}{postgres:) * interval '1 second')}";
    sql(text, [db.instant(), seconds.into()])
}

/// What a column says, by whose index SQLite shall not find the rows: it would do so even where it then had to sort half of a table
/// for one page.
pub fn not_by(column: Expr) -> Expr {
    sql("{sqlite:+}$1", [column])
}

/// The same for PostgreSQL as well, of a text.
pub fn by_no_index(text: Expr) -> Expr {
    sql("{sqlite:+}$1{postgres: || ''}", [text])
}

/// A text that both databases compare byte by byte, whatever language PostgreSQL was set up for.
pub fn byte_by_byte(text: Expr) -> Expr {
    sql("$1{postgres: COLLATE \"C\"}", [text])
}

/// An instant as a text that is sorted as instants are.
pub fn moment_as_text(at: Expr) -> Expr {
    sql("{postgres:to_char(}$1{postgres: AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US')}", [at])
}

/// The day of an instant in UTC, as text.
pub fn day(at: Expr) -> Expr {
    sql(
        "{postgres:CAST(CAST(}{sqlite:SUBSTR(}$1{postgres: AT TIME ZONE 'UTC' AS date) AS text)}{sqlite:, 1, 10)}",
        [at],
    )
}

/// A condition that the person `p` meets, which SQLite shall look up before it goes anywhere else.
pub fn looked_up_first(condition: Expr) -> Expr {
    sql("{sqlite:p.id IN (SELECT p.id FROM person p WHERE }$1{sqlite:)}", [condition])
}

/// Asks an index of SQLite for the person `p` alone, so that their row need not be read. The condition begins with its column.
pub fn asked_by(condition: Expr, index: &str) -> Expr {
    sql(
        "{postgres:p.}{sqlite:EXISTS (SELECT 1 FROM person k INDEXED BY $2 WHERE k.id = p.id AND k.}$1{sqlite:)}",
        [condition, Expr::cust(index.to_owned())],
    )
}

/// The texts of a list that is one value.
const TEXTS: &str = "SELECT value FROM {sqlite:json_each(}{postgres:json_array_elements_text(}$1{postgres:::json})";

/// Many values of one sort.
pub enum ValueList<'a> {
    People(&'a [PersonId]),
    SchoolIds(&'a [SchoolId]),
    Texts(&'a [String]),
}

impl ValueList<'_> {
    /// As many as somebody may name, as one value, and a query for them: SQLite looks through the names of all parameters for
    /// each of them, so that ten thousand cost a tenth of a second.
    pub fn query(&self) -> Expr {
        let (all, query): (Json, _) = match self {
            ValueList::People(ids) => (
                ids.iter().map(|id| Json::from(id.uuid().simple().to_string())).collect(),
                "SELECT {sqlite:unhex(value) FROM json_each(}{postgres:value::uuid FROM json_array_elements_text(}$1{postgres:::json})",
            ),
            ValueList::SchoolIds(ids) => (ids.iter().map(|id| Json::from(id.as_str())).collect(), TEXTS),
            ValueList::Texts(texts) => (texts.iter().map(|text| Json::from(text.as_str())).collect(), TEXTS),
        };
        sql(query, [all.to_string().into()])
    }
}

/// A query for the names and texts of an object, as columns `key` and `value`.
pub fn named_texts(object: &Json) -> Expr {
    let query = "SELECT key, value FROM {sqlite:json_each(}{postgres:json_each_text(}$1{postgres:::json})";
    sql(query, [object.to_string().into()])
}

/// The number a counting statement gives in its column `count`.
pub(crate) async fn count(connection: &impl ConnectionTrait, counting: Statement) -> Result<u64> {
    let row = connection.query_one_raw(counting).await?;
    let count: i64 = row.ok_or_else(|| Error::Internal("a count without a row".to_owned()))?.try_get("", "count")?;
    Ok(count.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_the_middle_keeps_its_values_beside_those_of_others() {
        let within = sql("b = $1", ["within".into()]);
        let (text, values) = written(sql("{sqlite:a}{postgres:b} = $2 AND $1 OR c = $2", [within, "twice".into()]));
        assert_eq!(text, "{sqlite:a}{postgres:b} = $1 AND b = $2 OR c = $3");
        assert_eq!(values, ["twice", "within", "twice"].map(Value::from));
    }

    #[test]
    fn a_query_is_written_as_it_is() {
        assert_eq!(written(sql("SELECT SELECT $1", [1.into()])).0, "SELECT SELECT $1");
    }
}
