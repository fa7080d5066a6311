//! Who holds the one writer of SQLite, and for how long: a chunk that keeps it longer than its aim keeps everybody waiting who
//! would save something. Each of them is counted; one that took several times its aim is named in the log, and one that people
//! have noticed on the overview as well. On PostgreSQL nobody waits for a chunk, and nothing is kept.

use model::TaskId;
use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crate::{Task, metrics};

/// How many times its aim a chunk takes before it is named: it finds its size by trying, so that some are a little too long.
const NAMED: u32 = 4;
/// What people notice who wait for it.
const NOTICED: Duration = Duration::from_secs(1);
/// How long it is worth a line to operators.
const REMEMBERED: Duration = Duration::from_secs(3_600);
/// How often the log names one.
const SAID: Duration = Duration::from_secs(10);

/// A chunk that holds the writer, or has held it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    pub task: TaskId,
    pub kind: String,
    pub held: Duration,
    /// How long ago it began.
    pub ago: Duration,
}

/// How long a hold is beside its aim, which decides who hears of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Length {
    Aimed,
    /// Counted.
    Over,
    /// Named in the log.
    Long,
    /// Named on the overview, too, however large the aim.
    Noticed,
}

impl Length {
    fn of(held: Duration, aim: Duration) -> Length {
        match held {
            held if held <= aim => Length::Aimed,
            held if held >= NOTICED => Length::Noticed,
            held if held >= aim.saturating_mul(NAMED) => Length::Long,
            _ => Length::Over,
        }
    }
}

#[derive(Default)]
pub(crate) struct Holds(Mutex<SeenHolds>);

#[derive(Default)]
struct SeenHolds {
    now: Option<Begun>,
    /// The longest since a while that people have noticed, with how long it took.
    longest: Option<(Begun, Duration)>,
    said: Option<Instant>,
}

#[derive(Clone)]
struct Begun {
    task: TaskId,
    kind: String,
    aim: Duration,
    at: Instant,
}

impl Begun {
    fn hold(&self, held: Duration) -> Hold {
        Hold { task: self.task, kind: self.kind.clone(), held, ago: self.at.elapsed() }
    }
}

/// A chunk's hold on the writer, which ends when this is dropped.
pub(crate) struct Holding<'a>(&'a Holds);

impl Holds {
    /// From here on the writer is with a chunk of this task, which aims at so long.
    pub fn begin(&self, task: &Task, aim: Duration) -> Holding<'_> {
        let kind = task.execution_component_name.clone();
        self.seen().now = Some(Begun { task: task.id, kind, aim, at: Instant::now() });
        Holding(self)
    }

    /// The one that has held it longest within the last hour, if anybody will have noticed.
    pub fn longest(&self) -> Option<Hold> {
        let seen = self.seen();
        let ended = seen.longest.as_ref().filter(|(begun, _)| begun.at.elapsed() < REMEMBERED);
        let ended = ended.map(|(begun, held)| begun.hold(*held));
        let now = seen.now.as_ref().map(|begun| (begun, begun.at.elapsed()));
        let now = now.filter(|(begun, held)| Length::of(*held, begun.aim) == Length::Noticed);
        let now = now.map(|(begun, held)| begun.hold(held));
        ended.into_iter().chain(now).max_by_key(|hold| hold.held)
    }

    fn seen(&self) -> MutexGuard<'_, SeenHolds> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Holding<'_> {
    fn drop(&mut self) {
        let mut seen = self.0.seen();
        let Some(begun) = seen.now.take() else { return };
        let held = begun.at.elapsed();
        let length = Length::of(held, begun.aim);
        if length >= Length::Over {
            metrics::held_long(&begun.kind);
        }
        if length < Length::Long {
            return;
        }
        // A slow disk makes every chunk a long one, and one line says so.
        if length == Length::Noticed || seen.said.is_none_or(|said| said.elapsed() >= SAID) {
            seen.said = Some(Instant::now());
            let (held, aim) = (held.as_millis() as u64, begun.aim.as_millis() as u64);
            tracing::warn!(
                task = %begun.task, kind = begun.kind, held_ms = held, aim_ms = aim,
                "a chunk has held the only writer for longer than it should: others waited for it"
            );
        }
        let before = seen.longest.as_ref().filter(|(begun, _)| begun.at.elapsed() < REMEMBERED);
        if length == Length::Noticed && before.is_none_or(|(_, longest)| held > *longest) {
            seen.longest = Some((begun, held));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_longer_than_its_aim_is_counted_and_named_from_four_times_that_or_a_second() {
        let aim = Duration::from_millis(25);
        for (held, length) in [
            (25, Length::Aimed),
            (26, Length::Over),
            (99, Length::Over),
            (100, Length::Long),
            (150, Length::Long),
            (999, Length::Long),
            (1_000, Length::Noticed),
        ] {
            assert_eq!(Length::of(Duration::from_millis(held), aim), length, "{held} ms");
        }
        let slow = Duration::from_secs(5);
        assert_eq!(Length::of(Duration::from_secs(4), slow), Length::Aimed, "as somebody has set it");
        assert_eq!(Length::of(Duration::from_secs(6), slow), Length::Noticed);
    }
}
