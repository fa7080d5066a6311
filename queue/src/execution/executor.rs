//! What runs a kind of task. A crate that has work to do registers an executor; the queue knows nothing else of it.
//!
//! An executor runs one chunk at a time, inside a transaction that the queue has opened and fenced. Whatever it writes there
//! is committed together with the bookmark it returns, or not at all.

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use model::Instant;
use sea_orm::DbErr;
use serde_json::Value;

use crate::{
    Database, Failure, NewTask, Task, TaskError, Transaction, execution::background_threads::BackgroundThreads,
};

/// One kind of task.
pub trait Executor: Send + Sync {
    /// The kind, as it stands in the table: at most 150 characters, never renamed.
    fn kind(&self) -> &'static str;

    /// Reads a spec and readies a run of it. The error says what is wrong with the spec; the task then could not start.
    fn build(&self, spec: &Value) -> Result<Box<dyn Run>, String>;

    /// Whether its tasks count toward what one owner may have running at once.
    fn counts_toward_owner(&self) -> bool {
        true
    }

    /// What happens to a task whose process died.
    fn recovery(&self) -> Recovery {
        Recovery::Retry
    }
}

/// What happens to a task whose process died.
#[derive(Clone, Copy, Debug)]
pub enum Recovery {
    /// It goes on from its bookmark.
    Retry,
    /// It ends, and the task that this makes of it undoes what it did.
    Compensate(fn(&Task) -> NewTask),
    /// It ends, and the operator hears of it.
    Abandon,
}

/// One attempt at a task.
#[async_trait]
pub trait Run: Send {
    /// Outside work for the next chunk, when no transaction is open. Most kinds have none. It is dropped wherever it waits
    /// when the process stops, unless the run [owes](Run::owes), and done again when the chunk is.
    async fn prepare(&mut self, _: &ChunkContext<'_>) -> Result<(), Failure> {
        Ok(())
    }

    /// The next piece of work, from the chunk's bookmark on.
    async fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<Step, Failure>;

    /// Whether something is under way outside whose end is still to be written down. A stop of the process waits for that,
    /// within the grace time, and [`Chunk::stopping`] tells the run to begin nothing new. Such a run is also not built anew
    /// after a chunk of unknown end: it finds out from its bookmark whether that chunk stands.
    fn owes(&self) -> bool {
        false
    }

    /// The task was taken away from a run that [owes](Run::owes). Of a task that has ended, it may still say what became of
    /// what it had begun before, through [`crate::add_late`].
    async fn taken_away(&mut self, _: &ChunkContext<'_>) -> Result<(), DbErr> {
        Ok(())
    }
}

/// What a run knows before a chunk.
pub struct ChunkContext<'a> {
    pub db: &'a Database,
    /// The task as it was claimed, with its counters as of the last chunk.
    pub task: &'a Task,
    /// What the last committed chunk returned; `{}` at first.
    pub bookmark: &'a Value,
    pub(crate) aside: &'a BackgroundThreads,
}

impl ChunkContext<'_> {
    /// Does something long on threads that take what the rest of the process leaves of the processors, with connections of
    /// their own for reading. It is finished there even when this is dropped, so it should end by itself.
    pub async fn aside<T, F>(&self, work: impl FnOnce(Database) -> F + Send + 'static) -> Result<T, Failure>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Failure>>,
    {
        self.aside.run(self.db.clone(), work).await
    }
}

/// What a run is given for one piece of work.
pub struct Chunk<'a> {
    pub db: &'a Database,
    /// The transaction: begun, and past the fence.
    pub txn: &'a Transaction,
    /// The task as it was claimed, with its counters as of the last chunk.
    pub task: &'a Task,
    /// What the last committed chunk returned; `{}` at first.
    pub bookmark: &'a Value,
    /// How many people or rows this chunk should treat.
    pub size: u64,
    /// When the chunk passed the fence, by the database's clock. What it then waits for may have been written later: whoever
    /// takes further locks goes by [`Database::now_in`] after them.
    pub fenced: Instant,
    /// Whether the process is stopping: what is begun outside now may not be heard of any more.
    pub stopping: bool,
}

/// What a chunk did.
#[derive(Debug)]
pub enum Step {
    /// There is more to do, from this bookmark.
    More(Progress),
    /// There is more to do, but of another sort: how long it took so far says nothing of what follows.
    Turn(Progress),
    /// There is more to do, but not before this instant, and perhaps something is wrong until then. The task goes back to the
    /// queue; no failure is counted.
    Until(Progress, Instant, Option<TaskError>),
    Done(Progress),
}

/// How far a chunk has come. The counters are what this chunk adds.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    pub bookmark: Value,
    /// Set when the chunk has found out how many there are.
    pub total: Option<i64>,
    pub succeeded: i64,
    pub skipped: i64,
    pub failed: i64,
    pub uncertain: i64,
}

impl std::ops::AddAssign for Progress {
    /// Adds the counters.
    fn add_assign(&mut self, other: Progress) {
        self.succeeded += other.succeeded;
        self.skipped += other.skipped;
        self.failed += other.failed;
        self.uncertain += other.uncertain;
    }
}

/// The kinds that this process knows.
#[derive(Clone, Default)]
pub struct Registry {
    executors: BTreeMap<&'static str, Arc<dyn Executor>>,
}

impl Registry {
    pub fn with(mut self, executor: impl Executor + 'static) -> Self {
        self.executors.insert(executor.kind(), Arc::new(executor));
        self
    }

    pub fn get(&self, kind: &str) -> Option<&Arc<dyn Executor>> {
        self.executors.get(kind)
    }

    /// The kinds that do not count toward their owner.
    pub fn uncounted(&self) -> impl Iterator<Item = &'static str> {
        self.executors.values().filter(|executor| !executor.counts_toward_owner()).map(|executor| executor.kind())
    }

    pub fn kinds(&self) -> impl Iterator<Item = &'static str> {
        self.executors.keys().copied()
    }
}
