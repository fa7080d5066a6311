//! What the two databases say differently, as words of our own in one text for both.

use model::{Instant, WorkflowStatus};
use sea_orm::{Statement, StatementBuilder, Value, sea_query::Expr};

use super::Database;

impl Database {
    /// A statement for both databases, with `$1`, `$2`, … for its values and words of our own: `{now}`, the instant that the
    /// database goes by; `{after:SECONDS}`, that instant plus an expression in seconds; `{for update}`, a row lock where there
    /// is such a thing; `{not by}` before a column, by whose index SQLite shall not find the rows, which it would do even when
    /// it then had to sort half of a table for one page; `{by INDEX}` after a table, the index by which SQLite shall find
    /// them; `{is open}`, `{is running}`, `{has failed}`, `{has failed or waits}` and `{is finished}` after the state of a task;
    /// and `{postgres:TEXT}` and `{sqlite:TEXT}`, a text for one of them.
    pub fn statement(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> Statement {
        let (sql, values) = self.spoken(sql, values.into_iter().collect());
        Statement::from_sql_and_values(self.backend(), sql, values)
    }

    /// A text in our words as this database understands it, with what is in its places.
    pub(super) fn spoken<P: From<f64> + From<Instant>>(&self, sql: &str, mut parts: Vec<P>) -> (String, Vec<P>) {
        let (for_update, not_by) = if self.is_postgres() { ("FOR UPDATE", "") } else { ("", "+") };
        let sql = only(sql, "{postgres:", self.is_postgres());
        let sql = only(&sql, "{sqlite:", !self.is_postgres());
        let mut sql = sql.replace("{for update}", for_update).replace("{not by}", not_by);
        for (word, states) in STATES {
            if sql.contains(word) {
                sql = sql.replace(word, &one_of(states));
            }
        }
        while let Some((before, rest)) = sql.split_once("{by ") {
            let Some((index, after)) = rest.split_once('}') else { break };
            let by = if self.is_postgres() { String::new() } else { format!("INDEXED BY {index}") };
            sql = format!("{before}{by}{after}");
        }
        if sql.contains("{now}") || sql.contains("{after:") {
            let parameter = format!("${}", parts.len() + 1);
            let now = if self.is_postgres() {
                parts.push((self.inner.clock.offset_micros() as f64).into());
                // As a subquery it is evaluated once and can be compared through an index.
                format!("(SELECT clock_timestamp() + {parameter} * interval '1 microsecond')")
            } else {
                parts.push(self.inner.clock.now().into());
                parameter
            };
            sql = sql.replace("{now}", &now);
            while let Some((before, rest)) = sql.split_once("{after:") {
                let Some((seconds, after)) = rest.split_once('}') else { break };
                let later = if self.is_postgres() {
                    format!("({now} + ({seconds}) * interval '1 second')")
                } else {
                    format!("strftime('%Y-%m-%dT%H:%M:%f+00:00', {now}, ({seconds}) || ' seconds')")
                };
                sql = format!("{before}{later}{after}");
            }
        }
        (sql, parts)
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
        let parts = [self.instant(), seconds.into()];
        match self.is_postgres() {
            true => Expr::cust_with_exprs("($1 + ($2) * interval '1 second')", parts),
            false => Expr::cust_with_exprs("strftime('%Y-%m-%dT%H:%M:%f+00:00', ?, (?) || ' seconds')", parts),
        }
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
}

/// The words for several states of a task.
const STATES: [(&str, &[WorkflowStatus]); 5] = [
    ("{is open}", WorkflowStatus::OPEN),
    ("{is running}", WorkflowStatus::RUNNING),
    ("{has failed}", WorkflowStatus::FAILED),
    ("{has failed or waits}", WorkflowStatus::FAILED_OR_QUEUED),
    ("{is finished}", WorkflowStatus::FINISHED),
];

/// Their names in the text, in their order: indexes of some states only are found by no parameter.
fn one_of(states: &[WorkflowStatus]) -> String {
    let names: Vec<String> = states.iter().map(|state| format!("'{state}'")).collect();
    format!("IN ({})", names.join(", "))
}

/// Keeps or drops the texts of a word that is for one database only.
fn only(sql: &str, word: &str, kept: bool) -> String {
    let mut parts = sql.split(word);
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (text, rest) = part.split_once('}').unwrap_or((part, ""));
        all.push_str(if kept { text } else { "" });
        all.push_str(rest);
    }
    all
}
