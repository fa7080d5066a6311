//! What a database with several writers, which guesses its ways, has to be told. SQLite has one writer and keeps to the
//! indexes: there nothing is done.

use std::time::Duration;

use sea_orm::{ConnectionTrait, DbErr, Statement};

use super::{Database, Transaction};

impl Database {
    /// Locks the rows that a query names until the transaction ends.
    pub async fn lock_rows(&self, txn: &Transaction, query: Statement) -> Result<(), DbErr> {
        if !self.has_one_writer() {
            txn.execute_raw(query).await?;
        }
        Ok(())
    }

    /// Lets the statements of a transaction wait for a locked row for so long, and fail then.
    pub async fn wait_for_rows(&self, txn: &Transaction, at_most: Duration) -> Result<(), DbErr> {
        if !self.has_one_writer() {
            txn.execute_unprepared(&format!("SET LOCAL lock_timeout = {}", at_most.as_millis())).await?;
        }
        Ok(())
    }

    /// Lets each statement of a transaction be planned for the rows that are there now. A plan that was kept from when a
    /// table was empty reads all of it each time, until somebody analyzes the table: at 100,000 people that was nine tenths
    /// of the time of an import.
    pub async fn plan_each_time(&self, txn: &Transaction) -> Result<(), DbErr> {
        if self.guesses() {
            txn.execute_unprepared("SET LOCAL plan_cache_mode = force_custom_plan").await?;
        }
        Ok(())
    }

    /// Tells how many rows of a table there are by now.
    pub async fn count_rows_for_plans(&self, txn: &impl ConnectionTrait, table: &'static str) -> Result<(), DbErr> {
        if self.guesses() {
            txn.execute_raw(self.statement(&format!("ANALYZE {table}"), [])).await?;
        }
        Ok(())
    }
}
