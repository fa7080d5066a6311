//! How many slots a process should have, and how many processes there should be: from what arrives, what is completed and
//! what waits. Slots move slowly, up faster than down, and never below what runs: a slot that is taken away is one that is
//! not filled again.

use std::time::Duration;

use sea_orm::{ConnectionTrait, DbErr};

use super::alive::lives;
use crate::{Queue, Scaling};

/// Looks that have to agree before a slot is added, or taken away.
const UP: u32 = 2;
const DOWN: u32 = 6;
/// Looks within which a backlog may go on shrinking by itself.
const SOON: u64 = 6;
/// Tasks counted at most.
const COUNTED: i64 = 10_000;

/// What a look has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueLoad {
    /// Tasks that are due and that nobody has, over all processes.
    pub waiting: u64,
    /// Those of them that more slots would start: the others are at the limit of their owner or kind, or of a kind that is
    /// not known here.
    pub startable: u64,
    /// Tasks that run, over all processes.
    pub running: u64,
    /// Tasks that have ended since the look before.
    pub ended: u64,
    /// Tasks that run here.
    pub busy: u32,
    /// Processes that take tasks.
    pub processes: u64,
}

/// Decides from one look to the next.
#[derive(Clone, Debug)]
pub struct Scaler {
    bounds: Scaling,
    slots: u32,
    before: Option<QueueLoad>,
    pressed: u32,
    eased: u32,
    wanted: u64,
    fewer: u32,
}

impl Scaler {
    /// Begins with so many slots, or the nearest number within the bounds.
    pub fn new(bounds: Scaling, slots: u32) -> Scaler {
        let slots = slots.clamp(bounds.min, bounds.max);
        Scaler { bounds, slots, before: None, pressed: 0, eased: 0, wanted: 1, fewer: 0 }
    }

    /// Between two looks.
    pub fn interval(&self) -> Duration {
        self.bounds.interval
    }

    /// The slots of this process.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// The processes that would be needed.
    pub fn wanted(&self) -> u64 {
        self.wanted
    }

    /// Takes a look into account.
    pub fn look(&mut self, seen: QueueLoad) {
        // What has arrived is what has ended and what there is more of.
        let before = self.before.replace(seen).unwrap_or(seen);
        let arrived = (seen.ended + seen.waiting + seen.running).saturating_sub(before.waiting + before.running);
        let shrinks = seen.ended.saturating_sub(arrived);
        let soon_over = seen.waiting < COUNTED.unsigned_abs() && seen.waiting <= shrinks * SOON;
        let pressed = seen.startable > 0 && seen.busy >= self.slots && !soon_over;
        // What waits beside a free slot waits for something else than a slot.
        let eased = seen.busy < self.slots;
        self.pressed = if pressed { self.pressed + 1 } else { 0 };
        self.eased = if eased { self.eased + 1 } else { 0 };
        if self.pressed >= UP {
            self.slots = (self.slots + (self.slots / 4).max(1)).min(self.bounds.max);
            self.pressed = 0;
        }
        if self.eased >= DOWN {
            self.slots = (self.slots - (self.slots / 8).max(1).min(self.slots)).max(self.bounds.min);
            self.eased = 0;
        }
        self.want(seen);
    }

    /// At most twice as many at once, since what waits is often over before another process is up; fewer only after a while.
    fn want(&mut self, seen: QueueLoad) {
        let load = seen.startable + seen.running;
        let most = if seen.busy < self.slots { seen.processes } else { seen.processes * 2 };
        let needed = load.div_ceil(u64::from(self.bounds.max)).clamp(1, most.max(1));
        self.fewer = if needed < self.wanted { self.fewer + 1 } else { 0 };
        if needed > self.wanted || self.fewer >= DOWN {
            self.wanted = needed;
            self.fewer = 0;
        }
    }
}

/// Looks at the table. The indexes are `queued_task_due`, `queued_task_process` and `queued_task_ended`.
pub async fn see(queue: &Queue, busy: u32, since: Duration) -> Result<QueueLoad, DbErr> {
    let (db, settings) = (queue.db(), queue.settings());
    let sql = "SELECT
            (SELECT COUNT(*) FROM (SELECT 1 FROM queued_task
                WHERE workflow_status = 'QUEUED' AND trigger_date <= $4
                  AND execution_component_name NOT IN (SELECT kind FROM paused_kind) LIMIT $1) AS due) AS waiting,
            (SELECT COUNT(*) FROM (SELECT 1 FROM queued_task
                WHERE scheduled_by_process IS NOT NULL LIMIT $1) AS had) AS running,
            (SELECT COUNT(*) FROM (SELECT 1 FROM queued_task
                WHERE workflow_stopped_date > $2 LIMIT $1) AS over) AS ended,
            (SELECT COUNT(*) FROM process WHERE NOT stopping AND $3) AS processes";
    let lately = db.instant_after(-since.as_secs_f64());
    let parts = [COUNTED.into(), lately, lives(db, "process", settings.lease), db.instant()];
    let Some(row) = db.reader().query_one_raw(db.composed(sql, parts)).await? else { return Ok(QueueLoad::default()) };
    let count = |name: &str| row.try_get::<i64>("", name).map(i64::unsigned_abs);
    Ok(QueueLoad {
        waiting: count("waiting")?,
        startable: queue.startable(COUNTED).await?,
        running: count("running")?,
        ended: count("ended")?,
        busy,
        processes: count("processes")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaler() -> Scaler {
        Scaler::new(Scaling { min: 2, max: 10, interval: Duration::from_secs(10) }, 4)
    }

    /// Everything is full, and as much comes as goes.
    fn pressure(scaler: &Scaler) -> QueueLoad {
        QueueLoad { waiting: 100, startable: 100, running: 4, ended: 5, busy: scaler.slots(), processes: 1 }
    }

    const QUIET: QueueLoad = QueueLoad { waiting: 0, startable: 0, running: 0, ended: 0, busy: 0, processes: 1 };

    #[test]
    fn what_waits_adds_slots_one_look_later_and_up_to_the_bound() {
        let mut scaler = scaler();
        let mut slots = Vec::new();
        for _ in 0..20 {
            scaler.look(pressure(&scaler));
            slots.push(scaler.slots());
        }
        assert_eq!(slots[..6], [4, 5, 5, 6, 6, 7]);
        assert_eq!(slots[19], 10);
    }

    #[test]
    fn a_single_look_changes_nothing() {
        let mut scaler = scaler();
        for _ in 0..20 {
            scaler.look(pressure(&scaler));
            scaler.look(QUIET);
        }
        assert_eq!(scaler.slots(), 4);
    }

    #[test]
    fn a_backlog_that_shrinks_needs_no_more() {
        let mut scaler = scaler();
        for waiting in (0..20).rev().map(|tens| tens * 10) {
            scaler.look(QueueLoad { waiting, startable: waiting, running: 4, ended: 10, busy: 4, processes: 1 });
        }
        assert_eq!(scaler.slots(), 4);
    }

    #[test]
    fn a_backlog_that_shrinks_too_slowly_needs_more() {
        let mut scaler = scaler();
        for waiting in (4_000..5_000).rev().take(8) {
            let busy = scaler.slots();
            scaler.look(QueueLoad { waiting, startable: waiting, running: 4, ended: 1, busy, processes: 1 });
        }
        assert!(scaler.slots() > 4);
    }

    #[test]
    fn what_waits_for_something_else_wants_no_more_processes() {
        let mut scaler = scaler();
        for _ in 0..10 {
            scaler.look(QueueLoad { waiting: 1_000, startable: 1_000, running: 1, ended: 0, busy: 1, processes: 1 });
        }
        assert_eq!((scaler.slots() <= 4, scaler.wanted()), (true, 1));
    }

    #[test]
    fn what_is_at_a_limit_needs_no_slots_and_no_processes() {
        let mut scaler = scaler();
        for _ in 0..10 {
            let busy = scaler.slots();
            scaler.look(QueueLoad { waiting: 1_000, startable: 0, running: 4, ended: 0, busy, processes: 1 });
        }
        assert_eq!((scaler.slots(), scaler.wanted()), (4, 1));
    }

    #[test]
    fn quiet_takes_slots_away_slowly_and_down_to_the_bound() {
        let mut scaler = scaler();
        let mut slots = Vec::new();
        for _ in 0..30 {
            scaler.look(QUIET);
            slots.push(scaler.slots());
        }
        assert_eq!((slots[4], slots[5], slots[10], slots[11], slots[29]), (4, 3, 3, 2, 2));
    }

    #[test]
    fn more_processes_are_wanted_at_once_and_fewer_after_a_while() {
        let mut scaler = scaler();
        scaler.look(QueueLoad { waiting: 1_000, startable: 1_000, running: 10, ended: 0, busy: 10, processes: 1 });
        assert_eq!(scaler.wanted(), 2, "no more than twice those that there are");
        scaler.look(QueueLoad { waiting: 1_000, startable: 1_000, running: 20, ended: 0, busy: 10, processes: 2 });
        assert_eq!(scaler.wanted(), 4);
        for _ in 1..DOWN {
            scaler.look(QUIET);
        }
        assert_eq!(scaler.wanted(), 4);
        scaler.look(QUIET);
        assert_eq!(scaler.wanted(), 1);
    }
}
