//! What statements go by, alone or within a transaction. Whoever asks, and however the statement was made, it passes here on its
//! way to the database: where tests let it break, and keep it. How a transaction begins and ends is `transactions.rs`'s.

use std::{
    pin::Pin,
    sync::{Arc, OnceLock},
};

use async_trait::async_trait;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr, ExecResult, QueryResult, Statement,
    StreamTrait,
};

use crate::database::test_faults::{BROKEN, Faults};

/// A pool of connections, or one within a transaction.
#[derive(Clone, Debug)]
pub struct Connection<C = DatabaseConnection> {
    to: C,
    /// What tests let go wrong.
    faults: Arc<OnceLock<Faults>>,
}

/// A connection within a transaction. [`Database::commit`](crate::Database::commit) ends it; dropped, it is rolled back.
pub type Transaction = Connection<DatabaseTransaction>;

impl<C: ConnectionTrait> Connection<C> {
    pub(super) fn new(to: C, faults: Arc<OnceLock<Faults>>) -> Connection<C> {
        Connection { to, faults }
    }

    /// The statement, or one that breaks.
    fn passed(&self, statement: Statement) -> Statement {
        let Some(faults) = self.faults.get() else { return statement };
        if faults.breaks_statement() {
            return Statement::from_string(ConnectionTrait::get_database_backend(&self.to), BROKEN);
        }
        faults.note(&statement);
        statement
    }
}

impl Connection {
    /// What it leads to, which knows no faults.
    pub(crate) fn inner(&self) -> &DatabaseConnection {
        &self.to
    }
}

impl Transaction {
    pub async fn rollback(self) -> Result<(), DbErr> {
        self.to.rollback().await
    }

    /// For [`Database::commit`](crate::Database::commit), where tests can lose the answer.
    pub(super) fn into_inner(self) -> DatabaseTransaction {
        self.to
    }
}

#[async_trait]
impl<C: ConnectionTrait + Send> ConnectionTrait for Connection<C> {
    fn get_database_backend(&self) -> DbBackend {
        ConnectionTrait::get_database_backend(&self.to)
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.to.execute_raw(self.passed(statement)).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        let statement = self.passed(Statement::from_string(ConnectionTrait::get_database_backend(&self.to), sql));
        self.to.execute_unprepared(&statement.sql).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.to.query_one_raw(self.passed(statement)).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        self.to.query_all_raw(self.passed(statement)).await
    }
}

impl<C: ConnectionTrait + StreamTrait> StreamTrait for Connection<C> {
    type Stream<'a>
        = C::Stream<'a>
    where
        C: 'a;

    fn get_database_backend(&self) -> DbBackend {
        ConnectionTrait::get_database_backend(&self.to)
    }

    fn stream_raw<'a>(
        &'a self,
        statement: Statement,
    ) -> Pin<Box<dyn Future<Output = Result<C::Stream<'a>, DbErr>> + Send + 'a>> {
        self.to.stream_raw(self.passed(statement))
    }
}
