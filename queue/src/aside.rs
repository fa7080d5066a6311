//! Threads for long work that no transaction waits for, such as reading everybody for an export. They take what the rest of
//! the process leaves of the processors, so that nobody waits for a page because somebody else exports. What is read of a
//! SQLite file there is read by connections of its own, since SQLite works on a thread of each connection, and a thread begins
//! as important as the one that begins it.

use std::{io, sync::OnceLock};

use model::TroubleCode;
use tokio::runtime::{Builder, Runtime};

use crate::{Database, Failure};

/// How many steps less important than the rest of the process, on the scale of nice(1), where one is about a quarter of the
/// share.
#[cfg(target_os = "linux")]
const STEPS: i32 = 10;

/// The threads, made when they are needed.
#[derive(Default)]
pub struct Aside(OnceLock<Runtime>);

impl Aside {
    /// Does something there, with the connections that are for that. It is finished there even when nobody waits for it any
    /// more, so it should end by itself.
    pub async fn run<T, F>(&self, db: Database, work: impl FnOnce(Database) -> F + Send + 'static) -> Result<T, Failure>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Failure>>,
    {
        let threads = self.threads().map_err(|error| Failure::transient(TroubleCode::Internal, error.to_string()))?;
        let handle = threads.handle().clone();
        match threads.spawn_blocking(move || handle.block_on(work(db.aside()))).await {
            Ok(done) => done,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(error) => Err(Failure::transient(TroubleCode::Internal, error.to_string())),
            },
        }
    }

    fn threads(&self) -> io::Result<&Runtime> {
        if let Some(threads) = self.0.get() {
            return Ok(threads);
        }
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(1).enable_all().thread_name("aside").on_thread_start(step_back);
        let threads = builder.build()?;
        // Another one may have been quicker.
        if let Err(threads) = self.0.set(threads) {
            threads.shutdown_background();
        }
        self.0.get().ok_or_else(|| io::Error::other("there are no threads"))
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        // Whoever drops it may be a future, which must not wait.
        if let Some(threads) = self.0.take() {
            threads.shutdown_background();
        }
    }
}

/// Makes the thread that calls it less important. Elsewhere than on Linux there is no such thing for one thread.
fn step_back() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::nice(STEPS) {
        tracing::debug!(%error, "a thread could not be made less important");
    }
}
