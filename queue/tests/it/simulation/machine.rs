//! A machine with a process on it: its own connections, its own clock, and what it does at the moment.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use queue::{
    Clock, Database, Queue, Registry, Runtime, Settings,
    test_faults::{Commit, Faults},
};
use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;

use super::turns::{Counted, Turns};
use crate::fixture::{Mood, Steps};

pub struct Machine {
    pub number: usize,
    pub db: Database,
    pub clock: Clock,
    pub queue: Queue,
    faults: Faults,
    stall: Arc<AtomicBool>,
    turns: Turns,
    pub process: Option<Runtime>,
    /// What its process is doing: a look at the line, and a sweep.
    pub look: Option<JoinHandle<queue::Result<usize>>>,
    pub sweep: Option<JoinHandle<queue::Result<usize>>>,
    /// Whether it is to look at the line.
    pub told: bool,
    /// Whether it stands still, as a machine does that has no processor for a while.
    pub frozen: bool,
}

impl Machine {
    pub async fn new(number: usize, url: &str, settings: Settings, mood: &Mood, turns: &Turns) -> Machine {
        let clock = Clock::default();
        let db = Database::connect(url, clock.clone(), 2).await.unwrap();
        let faults = Faults::in_turns(turns.before_writes(number));
        db.disturb(faults.clone());
        let stall = Arc::<AtomicBool>::default();
        let registry = Registry::default().with(Counted(Steps(mood.clone()), turns.clone()));
        let probe = turns.before_commits(number, stall.clone());
        let queue = Queue::with_probe(db.clone(), registry, settings, probe);
        let (process, look, sweep, turns) = (None, None, None, turns.clone());
        Machine { number, db, clock, queue, faults, stall, turns, process, look, sweep, told: false, frozen: false }
    }

    /// A process starts, and looks at the line.
    pub async fn start(&mut self) {
        self.process = Some(Runtime::unguarded(&self.queue).await.unwrap());
        (self.told, self.frozen) = (true, false);
    }

    /// Its process dies wherever it is.
    pub async fn kill(&mut self) {
        for doing in [self.look.take(), self.sweep.take()].into_iter().flatten() {
            doing.abort();
            let _ = doing.await;
        }
        if let Some(process) = self.process.take() {
            process.kill();
            process.idle().await;
        }
    }

    /// What becomes of the next commit here, and whether the next chunk stalls before it.
    pub fn prepare(&self, commit: Option<Commit>, stalls: bool) {
        self.faults.next_commit(commit);
        self.stall.store(stalls, Ordering::SeqCst);
    }

    /// Nothing goes wrong from here; whether it did.
    pub fn went_wrong(&self, commit: Option<Commit>) -> bool {
        self.stall.store(false, Ordering::SeqCst);
        self.faults.next_commit(None).is_none() && commit.is_some()
    }

    pub fn begin_look(&mut self, calls: &TaskTracker) {
        let Some(process) = self.process.clone() else { return };
        let going = self.turns.going();
        self.told = false;
        self.look = Some(calls.spawn(async move {
            let claimed = process.tick().await;
            drop(going);
            claimed
        }));
    }

    pub fn begin_sweep(&mut self, calls: &TaskTracker) {
        let Some(process) = self.process.clone() else { return };
        let going = self.turns.going();
        self.sweep = Some(calls.spawn(async move {
            let taken = process.rescue().await;
            drop(going);
            taken
        }));
    }

    /// Puts away what it has done. Gives how many it has claimed.
    pub async fn has_done(&mut self) -> usize {
        if self.sweep.as_ref().is_some_and(JoinHandle::is_finished)
            && let Some(sweep) = self.sweep.take()
        {
            // What failed is done again by the next one.
            let _ = sweep.await.unwrap();
        }
        if self.look.as_ref().is_some_and(JoinHandle::is_finished)
            && let Some(look) = self.look.take()
        {
            let claimed = look.await.unwrap();
            // After an error a process looks again soon.
            self.told |= claimed.is_err();
            return claimed.unwrap_or_default();
        }
        0
    }

    /// Sets the clock so far ahead of where all are.
    pub fn set(&self, from_all: Duration) {
        let ahead = Duration::from_micros(self.clock.offset_micros().unsigned_abs());
        self.clock.advance(from_all.saturating_sub(ahead));
    }
}
