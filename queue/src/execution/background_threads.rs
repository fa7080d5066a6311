//! Threads for long work that no transaction waits for, such as reading everybody for an export. They take what the rest of
//! the process leaves of the processors, so that nobody waits for a page because somebody else exports. What is read of a
//! SQLite file there is read by connections of its own, since SQLite works on a thread of each connection, and a thread begins
//! as important as the one that begins it.

use std::{
    fmt::Display,
    io,
    sync::{Arc, OnceLock},
    thread::available_parallelism,
};

use model::TaskErrorCode;
use tokio::{
    runtime::{Builder, Runtime},
    sync::Semaphore,
};

use crate::{Database, Failure};

/// How many steps less important than the rest of the process, on the scale of nice(1), where one is about a quarter of the
/// share.
#[cfg(target_os = "linux")]
const STEPS: i32 = 10;

/// The threads, made when they are needed.
pub struct BackgroundThreads {
    threads: OnceLock<Runtime>,
    /// Each thread that is ready to go on has a share of the processors, however small it is: many at once would together take
    /// as much as what is more important.
    turns: Arc<Semaphore>,
}

impl BackgroundThreads {
    pub fn new() -> BackgroundThreads {
        let at_once = available_parallelism().map_or(1, |processors| processors.get().div_ceil(2));
        BackgroundThreads { threads: OnceLock::new(), turns: Arc::new(Semaphore::new(at_once)) }
    }

    /// Does something there, with the connections that are for that. It is finished there even when nobody waits for it any
    /// more, so it should end by itself.
    pub async fn run<T, F>(&self, db: Database, work: impl FnOnce(Database) -> F + Send + 'static) -> Result<T, Failure>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Failure>>,
    {
        let threads = self.threads().map_err(internal)?;
        let handle = threads.handle().clone();
        let turn = self.turns.clone().acquire_owned().await.map_err(internal)?;
        let work = move || {
            let _turn = turn;
            handle.block_on(work(db.aside()))
        };
        match threads.spawn_blocking(work).await {
            Ok(done) => done,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(error) => Err(internal(error)),
            },
        }
    }

    fn threads(&self) -> io::Result<&Runtime> {
        if let Some(threads) = self.threads.get() {
            return Ok(threads);
        }
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(1).enable_all().thread_name("aside").on_thread_start(step_back());
        let threads = builder.build()?;
        // Another one may have been quicker.
        if let Err(threads) = self.threads.set(threads) {
            threads.shutdown_background();
        }
        self.threads.get().ok_or_else(|| io::Error::other("there are no threads"))
    }
}

fn internal(error: impl Display) -> Failure {
    Failure::transient(TaskErrorCode::Internal, error.to_string())
}

impl Drop for BackgroundThreads {
    fn drop(&mut self) {
        // Whoever drops it may be a future, which must not wait.
        if let Some(threads) = self.threads.take() {
            threads.shutdown_background();
        }
    }
}

/// What makes a thread less important than the one that is asked for it. Elsewhere than on Linux there is no such thing for one
/// thread.
#[cfg(target_os = "linux")]
fn step_back() -> impl Fn() + Send + Sync + 'static {
    use rustix::process::{getpriority_process, setpriority_process};
    let wanted = getpriority_process(None).map(|now| now + STEPS);
    // Once and not each time, since a thread that is begun there is as little important as they are.
    move || {
        if let Err(error) = wanted.and_then(|wanted| setpriority_process(None, wanted)) {
            tracing::debug!(%error, "a thread could not be made less important");
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn step_back() -> impl Fn() + Send + Sync + 'static {
    || ()
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        time::Duration,
    };

    use futures::future::join_all;

    use super::*;
    use crate::Clock;

    testkit::tests!(on one thread; half_of_the_processors_are_left_to_what_is_more_important);

    async fn half_of_the_processors_are_left_to_what_is_more_important() {
        let at_once = available_parallelism().unwrap().get().div_ceil(2);
        let db = Database::connect("sqlite::memory:", Clock::default(), 1).await.unwrap();
        let (aside, now, most) =
            (BackgroundThreads::new(), Arc::<AtomicUsize>::default(), Arc::<AtomicUsize>::default());
        let works = (0..8 * at_once).map(|_| {
            let (now, most) = (now.clone(), most.clone());
            aside.run(db.clone(), |_| async move {
                most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(5)).await;
                now.fetch_sub(1, Ordering::SeqCst);
                Ok(())
            })
        });
        for done in join_all(works).await {
            done.unwrap();
        }
        let most = most.load(Ordering::SeqCst);
        assert!((1..=at_once).contains(&most), "{most} at once");
    }
}
