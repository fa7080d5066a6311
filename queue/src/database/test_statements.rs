//! Texts by which tests and benchmarks write to tables.

use sea_orm::{DbErr, Statement, Value, sea_query::Expr};

use super::Database;

impl Database {
    /// Runs one statement in a transaction of its own; how many rows it changed. Its words are those of
    /// [`Database::test_statement`].
    pub async fn write(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<u64, DbErr> {
        self.write_statement(self.test_statement(sql, values)).await
    }

    /// A statement with two words more: `{now}`, the instant that the database goes by, and `{after:SECONDS}`.
    pub fn test_statement(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> Statement {
        let values: Vec<Value> = values.into_iter().collect();
        if !sql.contains("{now}") && !sql.contains("{after:") {
            return self.statement(sql, values);
        }
        let mut parts: Vec<Expr> = values.into_iter().map(Expr::val).collect();
        let (mut text, mut rest) = (String::new(), sql);
        while let Some((before, after)) = rest.split_once('{') {
            let word = after.split_once('}');
            let instant = word.and_then(|(word, _)| match word.strip_prefix("after:") {
                Some(seconds) => {
                    assert!(!seconds.contains('$'), "seconds are a number here: {sql}");
                    Some(self.instant_after(Expr::cust(seconds.to_owned())))
                }
                None => (word == "now").then(|| self.instant()),
            });
            text += before;
            rest = match (instant, word) {
                (Some(instant), Some((_, after))) => {
                    parts.push(instant);
                    text += &format!("${}", parts.len());
                    after
                }
                _ => {
                    text.push('{');
                    after
                }
            };
        }
        self.composed(&(text + rest), parts)
    }
}
