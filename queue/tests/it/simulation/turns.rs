//! Holds everybody who is about to write, and a chunk that is about to commit if told to, and lets one go on at a time. So it
//! is the test that says in which order things happen, and not the machine it runs on.

use std::{
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
};

use async_trait::async_trait;
use queue::{Chunk, Executor, Failure, Run, Step, test_faults::TakeTurn, test_hooks::Probe};
use serde_json::Value;
use tokio::sync::{Notify, oneshot};

use crate::fixture::Steps;

/// Who waits for their turn on one database.
#[derive(Clone, Default)]
pub struct Turns {
    held: Arc<Mutex<Vec<Held>>>,
    /// How many runs and calls are under way and not held.
    going: Arc<AtomicI64>,
    changed: Arc<Notify>,
    /// Nobody is held any more.
    open: Arc<AtomicBool>,
}

/// One who waits.
struct Held {
    number: u64,
    place: Place,
    go: oneshot::Sender<()>,
}

/// Where somebody waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub machine: usize,
    /// At the end of a chunk, with the one writer of the database.
    pub inside: bool,
}

impl Turns {
    /// Those who wait, in the order in which they came.
    pub fn held(&self) -> Vec<Place> {
        self.lock().iter().map(|held| held.place).collect()
    }

    /// Lets one of them go on.
    pub fn release(&self, which: usize) {
        let held = self.lock().remove(which);
        self.going.fetch_add(1, Ordering::SeqCst);
        let _ = held.go.send(());
    }

    /// Whether everybody goes on from here without waiting.
    pub fn open(&self, open: bool) {
        self.open.store(open, Ordering::SeqCst);
        while open && !self.lock().is_empty() {
            self.release(0);
        }
    }

    /// Waits until whoever is under way waits or has ended.
    pub async fn quiet(&self) {
        loop {
            while self.going.load(Ordering::SeqCst) > 0 {
                self.changed.notified().await;
            }
            // What was started and has not come to its first step yet does so now.
            tokio::task::yield_now().await;
            tokio::task::yield_now().await;
            if self.going.load(Ordering::SeqCst) == 0 {
                return;
            }
        }
    }

    /// Counts a call in until this is dropped.
    pub fn going(&self) -> Going {
        self.going.fetch_add(1, Ordering::SeqCst);
        Going(self.clone())
    }

    /// Holds whoever of a machine is about to write.
    pub fn before_writes(&self, machine: usize) -> TakeTurn {
        let turns = self.clone();
        Arc::new(move || turns.clone().wait(Place { machine, inside: false }))
    }

    /// Holds a chunk of a machine that is about to commit, if it is to stall; once.
    pub fn before_commits(&self, machine: usize, stall: Arc<AtomicBool>) -> Probe {
        let turns = self.clone();
        Arc::new(move |at, _| {
            match at == queue::test_hooks::Point::BeforeCommit && stall.swap(false, Ordering::SeqCst) {
                true => turns.clone().wait(Place { machine, inside: true }),
                false => Box::pin(std::future::ready(())),
            }
        })
    }

    fn wait(self, place: Place) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move {
            // The test itself waits for nobody.
            if tokio::task::try_id().is_none() || self.open.load(Ordering::SeqCst) {
                return;
            }
            let (go, gone) = oneshot::channel();
            let mut waiting = self.enter(place, go);
            waiting.released = gone.await.is_ok();
        })
    }

    fn enter(&self, place: Place, go: oneshot::Sender<()>) -> Waiting {
        let mut held = self.lock();
        let number = held.last().map_or(0, |last| last.number + 1);
        held.push(Held { number, place, go });
        drop(held);
        self.stopped();
        Waiting { turns: self.clone(), number, released: false }
    }

    fn stopped(&self) {
        self.going.fetch_sub(1, Ordering::SeqCst);
        self.changed.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Held>> {
        self.held.lock().unwrap()
    }
}

/// A place in the line; whoever is killed there leaves it.
struct Waiting {
    turns: Turns,
    number: u64,
    released: bool,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if !self.released {
            self.turns.lock().retain(|held| held.number != self.number);
            self.turns.going.fetch_add(1, Ordering::SeqCst);
        }
    }
}

/// Somebody who is under way.
pub struct Going(Turns);

impl Drop for Going {
    fn drop(&mut self) {
        self.0.stopped();
    }
}

/// Steps whose runs are counted as under way.
pub struct Counted(pub Steps, pub Turns);

struct CountedRun {
    run: Box<dyn Run>,
    _going: Going,
}

impl Executor for Counted {
    fn kind(&self) -> &'static str {
        self.0.kind()
    }

    fn build(&self, spec: &Value) -> Result<Box<dyn Run>, String> {
        Ok(Box::new(CountedRun { run: self.0.build(spec)?, _going: self.1.going() }))
    }
}

#[async_trait]
impl Run for CountedRun {
    async fn chunk(&mut self, chunk: &Chunk<'_>) -> Result<Step, Failure> {
        self.run.chunk(chunk).await
    }
}
