//! A process from its start to its stop: what it does again and again, and how it ends in good order.

use std::{sync::atomic::Ordering, time::Duration};

use tokio_util::{sync::CancellationToken, task::TaskTracker};

use super::{Runtime, Turn};
#[cfg(feature = "rabbitmq")]
use crate::{Hints, wake};
use crate::{
    claim::due::BrokerHints,
    metrics::{self, Woken},
    process::scaler::{self, Scaler},
};

/// After an error, how long until the next try.
const AFTER_ERROR: Duration = Duration::from_secs(1);

impl Runtime {
    /// Works until `stop`, then drains.
    pub async fn run(&self, stop: CancellationToken) {
        let beside = self.inner.killed.child_token();
        let loops = TaskTracker::new();
        let settings = self.inner.queue.settings().clone();
        if self.inner.process.beats() {
            self.inner.process.begin_beating();
            let (runtime, ended) = (self.clone(), beside.clone());
            loops.spawn(every(settings.heartbeat, ended, async move || runtime.beat().await));
        }
        let (runtime, ended) = (self.clone(), beside.clone());
        loops.spawn(every(settings.sweep, ended, async move || {
            if let Err(error) = runtime.rescue().await {
                tracing::error!(%error, "cannot look for tasks to take back; trying again soon");
            }
        }));
        let (runtime, ended) = (self.clone(), beside.clone());
        loops.spawn(async move {
            while ended.run_until_cancelled(runtime.inner.look.notified()).await.is_some() {
                if let Err(error) = runtime.rescue().await {
                    tracing::error!(%error, "cannot look for tasks to take back; trying again soon");
                }
            }
        });
        if let Some(bounds) = settings.scaling {
            let (runtime, ended) = (self.clone(), beside.clone());
            let mut scaler = Scaler::new(bounds, settings.slots);
            loops.spawn(every(bounds.interval, ended, async move || runtime.scale(&mut scaler).await));
        }
        #[cfg(feature = "rabbitmq")]
        if let Hints::Rabbit(broker) = settings.hints {
            let (runtime, stop, gone) = (self.clone(), stop.clone(), beside.clone());
            loops.spawn(async move {
                let queue = runtime.inner.queue.clone();
                wake::rabbit::consume(&queue, &broker, runtime.inner.clone(), &stop, &gone).await;
            });
        }
        loops.close();
        if self.inner.killed.run_until_cancelled(self.work(stop)).await.is_none() {
            return;
        }
        // The signs of life go on until the last run has ended.
        self.drain().await;
        beside.cancel();
        loops.wait().await;
        self.leave().await;
    }

    /// Ticks until `stop`.
    async fn work(&self, stop: CancellationToken) {
        let queue = &self.inner.queue;
        let poll = queue.settings().poll_interval;
        let mut timed = true;
        while !stop.is_cancelled() {
            // Registered before looking, so that a hint between the look and the wait is not lost.
            let mut hint = std::pin::pin!(queue.inner.wake.called());
            hint.as_mut().enable();
            let open = queue.inner.wake.take_open() || timed || !self.shares_by_broker();
            let told = BrokerHints {
                tasks: std::mem::take(&mut *self.inner.hinted()).into_iter().collect(),
                within: if open { Duration::ZERO } else { queue.settings().broker_head_start },
            };
            let looked = self.turn_and_look(&told).await;
            if !looked.as_ref().is_ok_and(|(turn, _)| !turn.left) {
                queue.inner.wake.open();
                if !told.tasks.is_empty() {
                    // Nobody else was told, and others may be idle.
                    queue.inner.outgoing.due();
                }
            }
            let wait = match looked {
                Ok((Turn { again: true, .. }, next)) => next.unwrap_or(poll).min(poll).min(AFTER_ERROR),
                Ok((_, next)) => next.unwrap_or(poll).min(poll),
                Err(error) => {
                    tracing::error!(%error, "cannot claim; trying again soon");
                    poll.min(AFTER_ERROR)
                }
            };
            timed = false;
            tokio::select! {
                () = hint => metrics::woken(Woken::Hint, poll),
                () = tokio::time::sleep(wait) => {
                    timed = true;
                    metrics::woken(Woken::Time(wait), poll);
                }
                () = stop.cancelled() => {}
            }
        }
        if !self.inner.hinted().is_empty() {
            queue.inner.outgoing.due();
        }
    }

    /// Whether new tasks go to the one process that the broker tells of each. SQLite has one that runs tasks.
    fn shares_by_broker(&self) -> bool {
        self.inner.queue.uses_broker() && self.inner.queue.db().is_shared()
    }

    /// Says once that this process lives. What it runs is ended when it has lost its place.
    pub async fn beat(&self) {
        let inner = &self.inner;
        let was_silent = !inner.process.may_write();
        if let Err(error) = inner.process.beat(inner.slots.busy(), inner.limit.load(Ordering::Relaxed)).await {
            tracing::warn!(%error, "cannot say that this process lives");
            if !inner.process.may_write() {
                inner.slots.take_all_away();
            }
        } else if was_silent {
            inner.queue.inner.wake.call();
        }
    }

    /// Looks once at what there is to do, and moves the slots of this process.
    pub async fn scale(&self, scaler: &mut Scaler) {
        let inner = &self.inner;
        let busy = u32::try_from(inner.slots.busy()).unwrap_or(u32::MAX);
        match scaler::see(&inner.queue, busy, scaler.interval()).await {
            Ok(seen) => scaler.look(seen),
            Err(error) => tracing::warn!(%error, "cannot look how many slots are needed"),
        }
        metrics::slots(scaler.slots());
        metrics::wanted(scaler.wanted());
        let (before, slots) = (self.slots(), scaler.slots());
        if before == slots {
            return;
        }
        // Said before they are used, so that nobody sees more tasks than slots.
        if let Err(error) = inner.process.has(slots).await {
            tracing::warn!(%error, "cannot say how many slots there are");
        }
        inner.limit.store(slots, Ordering::Relaxed);
        tracing::info!(before, slots, "the number of slots has moved");
        inner.queue.inner.wake.call();
    }

    /// Asks every run to put its task back, and waits for that within the grace time.
    pub async fn drain(&self) {
        let inner = &self.inner;
        inner.stop.cancel();
        inner.runs.close();
        if let Err(error) = inner.process.takes(false).await {
            tracing::warn!(%error, "cannot say that this process is stopping");
        }
        if tokio::time::timeout(inner.queue.settings().drain, inner.runs.wait()).await.is_err() {
            tracing::warn!(running = inner.runs.len(), "the grace time is over; what still runs will be taken back");
            inner.slots.take_all_away();
        }
    }

    /// Takes this process off the list; what it still holds is anybody's from then on.
    pub async fn leave(&self) {
        let process = &self.inner.process;
        if let Err(error) = process.forget().await {
            tracing::warn!(%error, "cannot take this process off the list");
        }
        if let Err(error) = process.close().await {
            tracing::warn!(%error, "cannot close this process's own connection");
        }
    }
}

/// Does something again and again until told to end.
async fn every(interval: Duration, ended: CancellationToken, mut act: impl AsyncFnMut()) {
    let mut ticks = tokio::time::interval(interval);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = ticks.tick() => act().await,
            () = ended.cancelled() => return,
        }
    }
}
