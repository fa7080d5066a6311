//! What machines do and what happens to them in a history: they look, sweep, start and stop, are heard of or not, and time jumps.

use std::time::Duration;

use queue::Database;
use rand::RngExt;
use sea_orm::ConnectionTrait;

use super::{history::History, machine::Machine};
use crate::fixture::LEASE;

/// The jumps of time: a moment, half of a lease, a lease.
const JUMPS: [u64; 3] = [1, 301, 601];

impl History<'_> {
    pub fn sweep(&mut self, n: usize) {
        self.listen(n);
        self.machines[n].begin_sweep(&self.calls);
    }

    /// Notes who seems dead from there.
    pub fn listen(&mut self, n: usize) {
        let now = now(self.machine(n));
        let silent = self.heard.iter().filter(|(_, heard)| now.saturating_sub(**heard) >= LEASE);
        self.silent.extend(silent.map(|(process, _)| process.clone()));
    }

    pub async fn look(&mut self, n: usize) {
        if self.machines[n].look.is_none() && !self.machines[n].frozen {
            self.machines[n].begin_look(&self.calls);
        }
    }

    pub fn jump(&mut self) {
        let by = Duration::from_secs(JUMPS[self.rng.random_range(0..JUMPS.len())]);
        self.pass(by);
    }

    /// Lets time pass for all. Whoever waits for a date looks at the line then.
    pub fn pass(&mut self, by: Duration) {
        self.passed += by;
        for machine in self.machines.iter_mut() {
            machine.clock.advance(by);
            machine.told = true;
        }
        for operator in self.operators.iter() {
            operator.machine.clock.advance(by);
        }
    }

    /// Later by the next choice that falls on it.
    pub async fn start_at_once_or_later(&mut self, n: usize) {
        if self.rng.random_bool(0.5) {
            self.start(n).await;
        }
    }

    pub async fn start(&mut self, n: usize) {
        self.machines[n].start().await;
        self.is_heard(n);
    }

    pub async fn beat(&mut self, n: usize) {
        if let Some(process) = &self.machines[n].process {
            process.beat().await;
            self.is_heard(n);
        }
    }

    fn is_heard(&mut self, n: usize) {
        if let Some(process) = &self.machines[n].process {
            self.heard.insert(process.process().to_owned(), now(&self.machines[n]));
        }
    }

    /// A machine stands still for a lease, and another notices.
    pub async fn stand_still(&mut self, n: usize) {
        self.happens("a machine stands still");
        self.machines[n].frozen = true;
        self.pass(LEASE + Duration::from_secs(1));
        for other in (0..self.machines.len()).filter(|other| *other != n) {
            self.beat(other).await;
            if self.machines[other].sweep.is_none() && !self.machines[other].frozen {
                self.sweep(other);
                self.turns.quiet().await;
            }
        }
    }

    /// A process ends in good order.
    pub async fn stop(&mut self, n: usize) {
        let machine = &self.machines[n];
        let Some(process) = machine.process.clone() else { return };
        if machine.look.is_some() || machine.sweep.is_some() {
            return;
        }
        self.happens("a process ends in good order");
        let drained = std::cell::Cell::new(false);
        let drain = async {
            process.drain().await;
            drained.set(true);
        };
        let going_on = async {
            // Else what goes wrong with a commit could befall this word instead of whoever is let go on.
            while !says_that_it_stops(&self.machines[n].db, process.process()).await {}
            while !drained.get() {
                self.turns.quiet().await;
                // Whoever is at the end of a chunk has the one writer, for which the others would wait.
                let held = self.turns.held();
                let here = |inside| held.iter().position(|place| place.machine == n && place.inside == inside);
                match here(true).or_else(|| here(false)) {
                    Some(which) => self.let_go(which).await,
                    None => tokio::task::yield_now().await,
                }
            }
        };
        tokio::join!(drain, going_on);
        // It is no longer on the list, which is as good as silence.
        self.silent.insert(process.process().to_owned());
        process.leave().await;
        self.machines[n].process = None;
        self.start_at_once_or_later(n).await;
    }
}

async fn says_that_it_stops(db: &Database, process: &str) -> bool {
    let sql = "SELECT 1 FROM process WHERE id = $1 AND stopping";
    db.reader().query_one_raw(db.statement(sql, [process.into()])).await.unwrap().is_some()
}

fn now(machine: &Machine) -> Duration {
    Duration::from_micros(machine.clock.offset_micros().unsigned_abs())
}
