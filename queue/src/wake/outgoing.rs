//! What this process has to say through a broker. It is handed over after the commit and without waiting; what finds no
//! room, or no broker, is not lost but said another way: the table holds every task.

use std::sync::atomic::{AtomicBool, Ordering};

use model::{AttemptOutcome, TaskId};
use tokio::sync::{Mutex, mpsc};

/// Messages that may wait to be sent.
const ROOM: usize = 10_000;

/// A message, as it is before it is sent. Its body is the id of the task and nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BrokerMessage {
    /// The task may be due.
    Due(TaskId),
    /// The task has come to its end.
    Ended(TaskId),
    /// The task ended without being done, and nobody tries it again by itself.
    Dead { id: TaskId, kind: String, how: AttemptOutcome },
}

/// The messages of a process on their way to its broker.
pub struct Messages {
    sender: mpsc::Sender<BrokerMessage>,
    /// Taken by whoever sends them.
    pub receiver: Mutex<mpsc::Receiver<BrokerMessage>>,
    /// Whether there is to be a broker at all.
    wanted: bool,
    /// Whether it is there.
    up: AtomicBool,
    /// Whether workers listen to it.
    heard: AtomicBool,
}

impl Messages {
    pub fn new(wanted: bool) -> Messages {
        let (sender, receiver) = mpsc::channel(ROOM);
        Messages {
            sender,
            receiver: Mutex::new(receiver),
            wanted,
            up: AtomicBool::new(false),
            heard: AtomicBool::new(false),
        }
    }

    /// Whether a broker takes messages of tasks that may be due, and a worker takes them there.
    pub fn are_heard(&self) -> bool {
        self.up.load(Ordering::Acquire) && self.heard.load(Ordering::Acquire)
    }

    /// Whether there should be a broker and it is of no use.
    pub fn are_missed(&self) -> bool {
        self.wanted && !self.are_heard()
    }

    /// Says whether the broker is there.
    pub fn set_up(&self, up: bool) {
        self.up.store(up, Ordering::Release);
    }

    /// Says whether workers listen to it; whether that is new.
    pub fn set_heard(&self, heard: bool) -> bool {
        self.heard.swap(heard, Ordering::AcqRel) != heard
    }

    /// Takes a message to be sent. False: there is no room, or no broker that would take it now.
    pub fn offer(&self, message: BrokerMessage) -> bool {
        let takes = match message {
            BrokerMessage::Due(_) => self.are_heard(),
            // Usually for nobody, so it takes no room from the others.
            BrokerMessage::Ended(_) => self.up.load(Ordering::Acquire) && self.sender.capacity() > ROOM / 2,
            // Worth waiting for until there is a broker again.
            BrokerMessage::Dead { .. } => true,
        };
        self.wanted && takes && self.sender.try_send(message).is_ok()
    }

    /// Says that a task is dead. That is kept for a broker that is away, within bounds.
    pub fn notify_dead(&self, id: TaskId, kind: String, how: AttemptOutcome) {
        if self.wanted && !self.offer(BrokerMessage::Dead { id, kind, how }) {
            tracing::error!(task = %id, "the broker is not told of a dead task: too much waits for it");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    testkit::tests!(on one thread; nothing_is_taken_for_a_broker_that_is_down_but_notices);

    async fn nothing_is_taken_for_a_broker_that_is_down_but_notices() {
        let messages = Messages::new(true);
        let id = TaskId::from_u128(7);
        assert!(!messages.offer(BrokerMessage::Due(id)));
        assert!(messages.offer(BrokerMessage::Dead { id, kind: "export".to_owned(), how: AttemptOutcome::Failed }));
        messages.set_up(true);
        assert!(!messages.offer(BrokerMessage::Due(id)), "nobody would take it there");
        assert!(messages.offer(BrokerMessage::Ended(id)));
        assert!(messages.set_heard(true));
        assert!(messages.offer(BrokerMessage::Due(id)));
        for _ in 3..ROOM {
            assert!(messages.offer(BrokerMessage::Due(id)));
        }
        assert!(!messages.offer(BrokerMessage::Due(id)), "there is a bound");
    }
}
