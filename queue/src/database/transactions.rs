//! How a write begins and ends, and the instant that the database goes by.

use model::Instant;
use sea_orm::{
    ConnectionTrait, DbErr, SqliteTransactionMode, Statement, StatementBuilder, TransactionOptions, TransactionTrait,
};
use tokio::sync::OwnedSemaphorePermit;

use super::{
    Connection, Database, Transaction,
    test_faults::{self, Commit, Faults},
};

/// A transaction of bulk work; on SQLite it holds the lane until it ends.
pub struct ChunkTransaction {
    pub(crate) txn: Transaction,
    _lane: Option<OwnedSemaphorePermit>,
}

impl ChunkTransaction {
    pub(crate) async fn commit(self, db: &Database) -> Result<(), DbErr> {
        db.commit(self.txn).await
    }

    pub(crate) async fn rollback(self) -> Result<(), DbErr> {
        self.txn.rollback().await
    }
}

impl Database {
    /// Begins a transaction that writes. Whoever begins it commits it; dropping it rolls back.
    pub async fn begin_write(&self) -> Result<Transaction, DbErr> {
        self.turn().await;
        self.begin().await
    }

    /// Waits as long as a test wants.
    async fn turn(&self) {
        if let Some(faults) = self.inner.faults.get() {
            faults.turn().await;
        }
    }

    async fn begin(&self) -> Result<Transaction, DbErr> {
        let writer = self.writer().inner().clone();
        let options = TransactionOptions {
            // A deferred transaction that reads first cannot be upgraded under a concurrent writer.
            sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
            ..TransactionOptions::default()
        };
        // In a task of its own, joined here: a caller that is dropped midway (a browser that hangs up) would otherwise put
        // a connection back into the pool with its BEGIN on the way.
        #[expect(clippy::disallowed_methods, reason = "the one place that begins a transaction, for the reason above")]
        let begun = tokio::spawn(async move { writer.begin_with_options(options).await });
        let begun = begun.await.map_err(|error| DbErr::Custom(error.to_string()))??;
        Ok(Connection::new(begun, self.inner.faults.clone()))
    }

    /// Commits a transaction of [`Database::begin_write`]. After an error nobody knows whether it was committed: the answer
    /// may have been lost on the way. Whoever needs to know looks at what is there.
    #[expect(clippy::disallowed_methods, reason = "the one place that commits, where tests can lose the answer")]
    pub async fn commit(&self, txn: Transaction) -> Result<(), DbErr> {
        let txn = txn.into_inner();
        match self.inner.faults.get().map_or(Commit::Answered, Faults::commit) {
            Commit::Answered => txn.commit().await,
            Commit::Refused => {
                txn.rollback().await?;
                Err(test_faults::cut())
            }
            Commit::Unanswered => {
                txn.commit().await?;
                Err(test_faults::cut())
            }
            Commit::Late => {
                tokio::spawn(async move {
                    tokio::time::sleep(test_faults::LATE).await;
                    txn.commit().await
                });
                Err(test_faults::cut())
            }
        }
    }

    /// Runs one statement in a transaction of its own; how many rows it changed.
    pub async fn write_statement(&self, statement: Statement) -> Result<u64, DbErr> {
        let txn = self.begin_write().await?;
        let done = txn.execute_raw(statement).await?;
        self.commit(txn).await?;
        Ok(done.rows_affected())
    }

    /// The same for one that is a value.
    pub async fn write_query(&self, query: &impl StatementBuilder) -> Result<u64, DbErr> {
        self.write_statement(self.build(query)).await
    }

    /// Begins a transaction of bulk work, waiting for the lane first.
    pub(crate) async fn begin_chunk(&self) -> Result<ChunkTransaction, DbErr> {
        self.turn().await;
        let lane = match &self.inner.lane {
            Some(lane) => lane.clone().acquire_owned().await.ok(),
            None => None,
        };
        Ok(ChunkTransaction { txn: self.begin().await?, _lane: lane })
    }

    /// The instant that the database goes by.
    pub async fn now(&self) -> Result<Instant, DbErr> {
        self.now_in(self.reader()).await
    }

    /// The instant that the database goes by, asked for within a transaction: not before what it has locked was last written.
    pub async fn now_in(&self, txn: &impl ConnectionTrait) -> Result<Instant, DbErr> {
        if !self.is_postgres() {
            return Ok(self.inner.clock.now());
        }
        let row = txn.query_one_raw(self.composed("SELECT $1 AS now", [self.instant()])).await?;
        row.ok_or_else(|| DbErr::RecordNotFound("now".into()))?.try_get("", "now")
    }
}
