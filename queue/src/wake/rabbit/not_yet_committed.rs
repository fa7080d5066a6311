//! Tasks that a message spoke of and that are not there: not yet, since a message may be faster than the commit, or never.

use model::TaskId;
use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

/// Tasks that wait at once at most; what finds no room is dropped.
const ROOM: usize = 10_000;

/// The waiting set.
pub struct Waiting {
    retry: Duration,
    give_up: Duration,
    tasks: HashMap<TaskId, AwaitedTask>,
}

struct AwaitedTask {
    since: Instant,
    next: Instant,
    /// Whether it is looked up no more after this.
    last: bool,
}

/// What becomes of a task that was looked up and is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// It waits from now on.
    New,
    /// It waits on.
    Known,
    /// It has waited long enough.
    GivenUp,
    /// Too many wait already.
    NoRoom,
}

impl Waiting {
    pub fn new(retry: Duration, give_up: Duration) -> Waiting {
        Waiting { retry, give_up, tasks: HashMap::new() }
    }

    /// A task was not there at `now`.
    pub fn absent(&mut self, id: TaskId, now: Instant) -> Absence {
        match self.tasks.get(&id) {
            Some(wait) if wait.last => {
                self.tasks.remove(&id);
                Absence::GivenUp
            }
            Some(_) => Absence::Known,
            None if self.tasks.len() >= ROOM => Absence::NoRoom,
            None => {
                self.tasks.insert(id, AwaitedTask { since: now, next: now + self.retry, last: false });
                Absence::New
            }
        }
    }

    /// It was found.
    pub fn remove(&mut self, id: TaskId) {
        self.tasks.remove(&id);
    }

    /// When the next of them is to be looked up.
    pub fn next(&self) -> Option<Instant> {
        self.tasks.values().map(|wait| wait.next).min()
    }

    /// Those to be looked up by `now`, each of which is then [`Waiting::absent`] or removed.
    pub fn due(&mut self, now: Instant) -> Vec<TaskId> {
        let mut due = Vec::new();
        for (id, wait) in self.tasks.iter_mut().filter(|(_, wait)| wait.next <= now) {
            due.push(*id);
            let end = wait.since + self.give_up;
            // Looked up once more at the very end.
            wait.last = wait.next >= end;
            wait.next = (now + self.retry).min(end).max(now);
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RETRY: Duration = Duration::from_secs(2);

    #[test]
    fn a_task_is_looked_up_every_retry_time_until_it_is_given_up() {
        let (began, id) = (Instant::now(), TaskId::from_u128(7));
        let mut waiting = Waiting::new(RETRY, Duration::from_secs(5));
        assert_eq!(waiting.absent(id, began), Absence::New);
        let mut looks = Vec::new();
        for second in 0..20 {
            let now = began + Duration::from_secs(second);
            let due = waiting.due(now);
            looks.extend(due.into_iter().map(|id| (second, waiting.absent(id, now))));
        }
        assert_eq!(looks, [(2, Absence::Known), (4, Absence::Known), (5, Absence::GivenUp)]);
        assert_eq!(waiting.next(), None);
    }

    #[test]
    fn another_message_does_not_make_it_wait_longer() {
        let (began, id) = (Instant::now(), TaskId::from_u128(7));
        let mut waiting = Waiting::new(RETRY, RETRY * 2);
        waiting.absent(id, began);
        assert_eq!(waiting.absent(id, began + RETRY / 2), Absence::Known);
        assert_eq!(waiting.next(), Some(began + RETRY));
        waiting.remove(id);
        assert_eq!(waiting.next(), None);
    }

    #[test]
    fn what_has_no_room_is_said() {
        let (began, mut waiting) = (Instant::now(), Waiting::new(RETRY, RETRY));
        assert!((0..ROOM as u128).all(|id| waiting.absent(TaskId::from_u128(id), began) == Absence::New));
        assert_eq!(waiting.absent(TaskId::from_u128(ROOM as u128), began), Absence::NoRoom);
        assert_eq!(waiting.absent(TaskId::from_u128(0), began), Absence::Known, "it waits already");
    }
}
