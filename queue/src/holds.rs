//! Who holds the one writer of SQLite, and for how long: a chunk that keeps it longer than its aim keeps everybody waiting who
//! would save something, and has to be known by its name. On PostgreSQL nobody waits for a chunk, and nothing is kept.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use uuid::Uuid;

use crate::{Task, meters};

/// What people notice who wait for it.
const NOTICED: Duration = Duration::from_secs(1);
/// How long it is worth a line to operators.
const REMEMBERED: Duration = Duration::from_secs(3_600);
/// How often the log names one.
const SAID: Duration = Duration::from_secs(10);

/// A chunk that holds the writer, or has held it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    pub task: Uuid,
    pub kind: String,
    pub held: Duration,
    /// How long ago it began.
    pub ago: Duration,
}

#[derive(Default)]
pub(crate) struct Holds(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    now: Option<Begun>,
    /// The longest since a while, with how long it took.
    longest: Option<(Begun, Duration)>,
    said: Option<Instant>,
}

#[derive(Clone)]
struct Begun {
    task: Uuid,
    kind: String,
    at: Instant,
}

impl Begun {
    fn hold(&self, held: Duration) -> Hold {
        Hold { task: self.task, kind: self.kind.clone(), held, ago: self.at.elapsed() }
    }
}

/// A chunk's hold on the writer, which ends when this is dropped.
pub(crate) struct Holding<'a> {
    holds: &'a Holds,
    aim: Duration,
}

impl Holds {
    /// From here on the writer is with a chunk of this task, which aims at so long.
    pub fn begin(&self, task: &Task, aim: Duration) -> Holding<'_> {
        let kind = task.execution_component_name.clone();
        self.seen().now = Some(Begun { task: task.id, kind, at: Instant::now() });
        Holding { holds: self, aim }
    }

    /// The one that has held it longest within the last hour, if anybody will have noticed.
    pub fn longest(&self) -> Option<Hold> {
        let seen = self.seen();
        let ended = seen.longest.as_ref().filter(|(begun, _)| begun.at.elapsed() < REMEMBERED);
        let ended = ended.map(|(begun, held)| begun.hold(*held));
        let now = seen.now.as_ref().map(|begun| begun.hold(begun.at.elapsed()));
        ended.into_iter().chain(now).max_by_key(|hold| hold.held).filter(|hold| hold.held >= NOTICED)
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Holding<'_> {
    fn drop(&mut self) {
        let mut seen = self.holds.seen();
        let Some(begun) = seen.now.take() else { return };
        let held = begun.at.elapsed();
        if held <= self.aim {
            return;
        }
        meters::held_long(&begun.kind);
        // A slow disk makes every chunk a long one, and one line says so.
        if held >= NOTICED || seen.said.is_none_or(|said| said.elapsed() >= SAID) {
            seen.said = Some(Instant::now());
            let (held, aim) = (held.as_millis() as u64, self.aim.as_millis() as u64);
            tracing::warn!(
                task = %begun.task, kind = begun.kind, held_ms = held, aim_ms = aim,
                "a chunk has held the only writer for longer than its aim: others waited for it"
            );
        }
        let before = seen.longest.as_ref().filter(|(begun, _)| begun.at.elapsed() < REMEMBERED);
        if before.is_none_or(|(_, longest)| held > *longest) {
            seen.longest = Some((begun, held));
        }
    }
}
