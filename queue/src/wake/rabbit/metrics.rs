//! What is counted of the broker, beside what is in [`crate::metrics`].

use ::metrics::{counter, describe_counter, describe_gauge, gauge};

const HEARD: &str = "docket_broker_messages_heard_total";
const SENT: &str = "docket_broker_messages_sent_total";
const BROKER: &str = "docket_broker_up";

/// Says what each of them is.
pub fn describe() {
    describe_counter!(HEARD, "Messages of the broker that this process took, by what became of them.");
    describe_counter!(SENT, "Messages that the broker took from this process.");
    describe_gauge!(BROKER, "Whether this process sends through a broker.");
}

/// What became of a message that was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Its task waits: the runtime looks.
    Due,
    /// Its task is somebody's, or has ended.
    Over,
    /// Its task is not there; it is looked up again for a while.
    Absent,
    /// Its task has not come.
    GivenUp,
    /// Too many wait for their tasks already.
    NoRoom,
    /// It speaks of no task.
    Garbage,
}

impl Heard {
    fn name(self) -> &'static str {
        match self {
            Heard::Due => "due",
            Heard::Over => "over",
            Heard::Absent => "absent",
            Heard::GivenUp => "given_up",
            Heard::NoRoom => "no_room",
            Heard::Garbage => "garbage",
        }
    }
}

/// Messages were heard.
pub fn heard(what: Heard, count: usize) {
    if count > 0 {
        counter!(HEARD, "outcome" => what.name()).increment(count as u64);
    }
}

/// Messages were sent.
pub fn sent(count: usize) {
    counter!(SENT).increment(count as u64);
}

/// The broker is there, or away.
pub fn broker_up(up: bool) {
    gauge!(BROKER).set(if up { 1.0 } else { 0.0 });
}
