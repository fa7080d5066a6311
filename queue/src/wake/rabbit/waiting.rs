//! Tasks that a message spoke of and that are not there: not yet, since a message may be faster than the commit, or never.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use uuid::Uuid;

/// Tasks that wait at once at most; what finds no room is dropped.
const ROOM: usize = 10_000;

/// The waiting set.
pub struct Waiting {
    retry: Duration,
    give_up: Duration,
    tasks: HashMap<Uuid, Wait>,
}

struct Wait {
    since: Instant,
    next: Instant,
}

impl Waiting {
    pub fn new(retry: Duration, give_up: Duration) -> Waiting {
        Waiting { retry, give_up, tasks: HashMap::new() }
    }

    /// Lets a task wait that was not there at `now`. False: there is no room.
    pub fn add(&mut self, id: Uuid, now: Instant) -> bool {
        if self.tasks.len() >= ROOM && !self.tasks.contains_key(&id) {
            return false;
        }
        self.tasks.entry(id).or_insert(Wait { since: now, next: now + self.retry });
        true
    }

    /// It was found.
    pub fn remove(&mut self, id: Uuid) {
        self.tasks.remove(&id);
    }

    /// When the next of them is to be looked up.
    pub fn next(&self) -> Option<Instant> {
        self.tasks.values().map(|wait| wait.next).min()
    }

    /// Those to be looked up by `now`, which then wait again, and how many are given up.
    pub fn due(&mut self, now: Instant) -> (Vec<Uuid>, usize) {
        let before = self.tasks.len();
        let mut due = Vec::new();
        self.tasks.retain(|id, wait| {
            if wait.next > now {
                return true;
            }
            due.push(*id);
            // Looked up once more at the very end.
            if wait.next >= wait.since + self.give_up {
                return false;
            }
            wait.next = (now + self.retry).min(wait.since + self.give_up).max(now);
            true
        });
        let given_up = before - self.tasks.len();
        (due, given_up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RETRY: Duration = Duration::from_secs(2);

    #[test]
    fn a_task_is_looked_up_every_retry_time_until_it_is_given_up() {
        let (began, id) = (Instant::now(), Uuid::from_u128(7));
        let mut waiting = Waiting::new(RETRY, Duration::from_secs(5));
        assert!(waiting.add(id, began));
        let mut looks = Vec::new();
        for second in 0..20 {
            let (due, given_up) = waiting.due(began + Duration::from_secs(second));
            looks.extend(due.into_iter().map(|_| (second, given_up)));
        }
        assert_eq!(looks, [(2, 0), (4, 0), (5, 1)]);
        assert_eq!(waiting.next(), None);
    }

    #[test]
    fn another_message_does_not_make_it_wait_longer() {
        let (began, id) = (Instant::now(), Uuid::from_u128(7));
        let mut waiting = Waiting::new(RETRY, RETRY * 2);
        waiting.add(id, began);
        waiting.add(id, began + RETRY / 2);
        assert_eq!(waiting.next(), Some(began + RETRY));
        waiting.remove(id);
        assert_eq!(waiting.next(), None);
    }

    #[test]
    fn what_has_no_room_is_said() {
        let (began, mut waiting) = (Instant::now(), Waiting::new(RETRY, RETRY));
        assert!((0..ROOM as u128).all(|id| waiting.add(Uuid::from_u128(id), began)));
        assert!(!waiting.add(Uuid::from_u128(ROOM as u128), began));
        assert!(waiting.add(Uuid::from_u128(0), began), "it waits already");
    }
}
