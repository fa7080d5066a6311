//! Statements whose parts are values: conditions that several places put together, in texts that are tuned for either database.

use sea_orm::{
    Statement, Value,
    sea_query::{Expr, InsertStatement, IntoIden, IntoTableRef, Query, SelectStatement, UnionType},
};

use super::Database;

impl Database {
    /// A statement in these words, with expressions in the places of `$1`, `$2`, …: conditions that were put together, and values.
    pub fn composed(&self, sql: &str, parts: impl IntoIterator<Item = Expr>) -> Statement {
        let whole = Query::select().expr(self.condition(sql, parts)).take();
        let mut statement = self.backend().build(&whole);
        // There is no other way to have an expression written out with its values.
        statement.sql.drain(.."SELECT ".len());
        statement
    }

    /// A part of a statement in these words, with expressions in the places of `$1`, `$2`, ….
    pub fn condition(&self, sql: &str, parts: impl IntoIterator<Item = Expr>) -> Expr {
        let (sql, parts) = (self.spoken(sql), parts.into_iter().collect::<Vec<_>>());
        if self.is_postgres() {
            return Expr::cust_with_exprs(sql, parts);
        }
        // There they are taken in the order in which they stand.
        let (mut texts, mut in_order) = (sql.split('$'), Vec::new());
        let mut all = texts.next().unwrap_or_default().to_owned();
        for text in texts {
            let rest = text.trim_start_matches(|digit: char| digit.is_ascii_digit());
            let number = text[..text.len() - rest.len()].parse::<usize>().ok();
            in_order.extend(number.and_then(|number| parts.get(number - 1)).cloned());
            all += "?";
            all += rest;
        }
        Expr::cust_with_exprs(all, in_order)
    }

    /// Queries as one, in their order; nothing without any.
    pub fn one_after_the_other(&self, queries: impl IntoIterator<Item = Expr>) -> Option<Expr> {
        queries.into_iter().reduce(|all, next| self.condition("$1 UNION ALL $2", [all, next]))
    }

    /// The seconds from one instant to another.
    pub fn seconds_between(&self, from: Expr, to: Expr) -> Expr {
        let seconds = "{postgres:EXTRACT(EPOCH FROM ($2 - $1))}{sqlite:((julianday($2) - julianday($1)) * 86400.0)}";
        self.condition(seconds, [from, to])
    }

    /// The minute that an instant is in, as an instant.
    pub fn minute_of(&self, at: Expr) -> Expr {
        self.condition("{postgres:date_trunc('minute', $1)}{sqlite:strftime('%Y-%m-%dT%H:%M:00+00:00', $1)}", [at])
    }

    /// The later of two instants.
    pub fn later_of(&self, one: Expr, other: Expr) -> Expr {
        self.condition("{postgres:GREATEST}{sqlite:MAX}($1, $2)", [one, other])
    }

    /// The number that the database counts on by itself in this column, for the next row. Whoever has come last so far is asked on
    /// SQLite, which has one writer.
    pub fn next_in(&self, table: &str, column: &str) -> Expr {
        Expr::cust(match self.is_shared() {
            true => format!("nextval(pg_get_serial_sequence('{table}', '{column}'))"),
            false => format!("(SELECT COALESCE(MAX({column}), 0) + 1 FROM {table})"),
        })
    }

    /// The bytes of an id.
    pub fn bytes_of(&self, id: Expr) -> Expr {
        self.condition("{postgres:uuid_send}($1)", [id])
    }

    /// What a column says, for a condition by whose index SQLite shall not find the rows.
    pub fn not_by(&self, column: Expr) -> Expr {
        if self.is_postgres() { column } else { Expr::cust_with_expr("+?", column) }
    }
}

/// A row of a table: each column with a value, or with an expression such as the database's own instant.
pub fn row_of<C: IntoIden, const N: usize>(table: impl IntoTableRef, row: [(C, Expr); N]) -> InsertStatement {
    let (columns, values): (Vec<C>, Vec<Expr>) = row.into_iter().unzip();
    Query::insert().into_table(table).columns(columns).values_panic(values).take()
}

/// A value in the text of a statement.
pub fn literal(value: impl Into<Value>) -> Expr {
    Expr::Constant(value.into())
}

/// The rows of these queries as one, in their order.
pub fn union_all(queries: impl IntoIterator<Item = SelectStatement>) -> SelectStatement {
    let mut queries = queries.into_iter();
    let mut first = queries.next().unwrap_or_default();
    first.unions(queries.map(|query| (UnionType::All, query)));
    first
}
