//! What the two databases say differently, as words of our own in one text for both.

use model::WorkflowStatus;
use sea_orm::{
    Statement, StatementBuilder, Value,
    sea_query::{Expr, ExprTrait, LikeExpr, extension::postgres::PgExpr},
};

use super::Database;

impl Database {
    /// Whether several processes may use it at once. A file of SQLite is used by one.
    pub fn is_shared(&self) -> bool {
        self.is_postgres()
    }

    /// Whether there is one writer at a time. Whoever has such a database needs no locks on rows, and keeps all others from
    /// writing for as long.
    pub fn has_one_writer(&self) -> bool {
        !self.is_postgres()
    }

    /// Whether it chooses its ways by how many rows it expects, and a poor one where it expects wrong.
    pub fn guesses(&self) -> bool {
        self.is_postgres()
    }

    /// Whether a text contains these words, whatever the case; SQLite knows that of ASCII alone.
    pub fn contains(&self, text: impl ExprTrait, words: &str) -> Expr {
        let words = words.replace('\\', r"\\").replace('%', r"\%").replace('_', r"\_");
        let pattern = LikeExpr::new(format!("%{words}%"));
        // For PostgreSQL a backslash is what escapes unless it is told.
        if self.is_postgres() { text.ilike(pattern) } else { text.like(pattern.escape('\\')) }
    }

    /// A statement for both databases, with `$1`, `$2`, … for its values and words of our own, which stand where no expression can:
    /// `{for update}`, a row lock where there is such a thing, and `{for update, or skip}`, one that leaves out whoever is locked;
    /// `{by INDEX}` after a table, the index by which SQLite shall find its rows; `{is in queue}`, `{is running}`, `{has failed}`, `{has failed or waits}` and `{is finished}` after the state of a task;
    /// and `{postgres:TEXT}` and `{sqlite:TEXT}`, a text for one of them.
    pub fn statement(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> Statement {
        Statement::from_sql_and_values(self.backend(), self.spoken(sql), values.into_iter().collect::<Vec<_>>())
    }

    /// A text in our words as this database understands it.
    pub(super) fn spoken(&self, sql: &str) -> String {
        let (mut spoken, mut rest) = (String::with_capacity(sql.len()), sql);
        while let Some((before, after)) = rest.split_once('{') {
            spoken += before;
            let Some((word, after)) =
                after.split_once('}').and_then(|(word, after)| Some((DialectWord::read(word)?, after)))
            else {
                spoken.push('{');
                rest = after;
                continue;
            };
            match word {
                DialectWord::OneOf(states) => spoken += &one_of(states),
                DialectWord::Postgres(text) if self.is_postgres() => spoken += text,
                DialectWord::Sqlite(text) if !self.is_postgres() => spoken += text,
                DialectWord::By(index) if !self.is_postgres() => spoken = spoken + "INDEXED BY " + index,
                DialectWord::Postgres(_) | DialectWord::Sqlite(_) | DialectWord::By(_) => {}
            }
            rest = after;
        }
        spoken + rest
    }

    /// A statement that was put together as a value.
    pub fn build(&self, query: &impl StatementBuilder) -> Statement {
        self.backend().build(query)
    }

    /// The instant that the database goes by.
    pub fn instant(&self) -> Expr {
        match self.is_postgres() {
            // As a subquery it is evaluated once and can be compared through an index.
            true => Expr::cust_with_values(
                "(SELECT clock_timestamp() + $1 * interval '1 microsecond')",
                [self.inner.clock.offset_micros() as f64],
            ),
            false => Expr::val(self.inner.clock.now()),
        }
    }

    /// That instant and so many seconds.
    pub fn instant_after(&self, seconds: impl Into<Expr>) -> Expr {
        self.seconds_after(self.instant(), seconds)
    }

    /// An instant and so many seconds.
    pub fn seconds_after(&self, instant: Expr, seconds: impl Into<Expr>) -> Expr {
        let parts = [instant, seconds.into()];
        match self.is_postgres() {
            true => Expr::cust_with_exprs("($1 + ($2) * interval '1 second')", parts),
            false => Expr::cust_with_exprs("strftime('%Y-%m-%dT%H:%M:%f+00:00', ?, (?) || ' seconds')", parts),
        }
    }
}

/// A word of our own.
enum DialectWord<'a> {
    By(&'a str),
    OneOf(&'static [WorkflowStatus]),
    Postgres(&'a str),
    Sqlite(&'a str),
}

impl<'a> DialectWord<'a> {
    /// What stands between braces; nothing if it is none of ours.
    fn read(word: &'a str) -> Option<DialectWord<'a>> {
        Some(match word {
            "for update" => DialectWord::Postgres("FOR UPDATE"),
            "for update, or skip" => DialectWord::Postgres("FOR UPDATE SKIP LOCKED"),
            "is in queue" => DialectWord::OneOf(WorkflowStatus::IN_QUEUE),
            "is running" => DialectWord::OneOf(WorkflowStatus::RUNNING),
            "has failed" => DialectWord::OneOf(WorkflowStatus::FAILED),
            "has failed or waits" => DialectWord::OneOf(WorkflowStatus::FAILED_OR_QUEUED),
            "is finished" => DialectWord::OneOf(WorkflowStatus::FINISHED),
            other => match (other.split_once(':'), other.strip_prefix("by ")) {
                (Some(("postgres", text)), _) => DialectWord::Postgres(text),
                (Some(("sqlite", text)), _) => DialectWord::Sqlite(text),
                (_, Some(index)) => DialectWord::By(index),
                _ => return None,
            },
        })
    }
}

/// Their names in the text, in their order: indexes of some states only are found by no parameter.
fn one_of(states: &[WorkflowStatus]) -> String {
    let names: Vec<String> = states.iter().map(|state| format!("'{state}'")).collect();
    format!("IN ({})", names.join(", "))
}
