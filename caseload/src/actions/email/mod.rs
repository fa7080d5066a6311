//! Email: one message to each of these people. A message has left or it has not, and no rollback brings it back; so each is put
//! down as being sent before it goes, and what became of it after.
//!
//! The run (`run.rs`) goes in three steps, over and over: a chunk writes down what became of messages and puts the next ones down
//! as being sent (`next_messages.rs`, `outbox.rs`); those go once it is committed (`sending.rs`); the next chunk waits for the first of
//! them to come back. While it owes an outcome, a stop of the process waits for it, an error of the database does not make it
//! forget, and a cancellation lets it say what had left before. A message that a former attempt was sending is uncertain, and is
//! never sent again by itself. A message that the mail server puts off has a next try of its own; while only such are left the task
//! waits in the queue (`Step::Until`).
//!
//! Each message that is put down as being sent holds a place ([`crate::mail::MailPlace`]) until its outcome is written down, and all
//! emails of a process share twice as many places as there are connections: no more of them can be uncertain after a crash. A slow
//! mail server gets one message for each connection; a quick one twice as many, or it would wait for each commit; one that refuses
//! connections gets fewer. The letter itself is read once (`model/src/writing/letter.rs`) and made out to each person; what is
//! merged is never read as notation.

mod addresses;
mod definition;
mod next_messages;
mod outbox;
mod run;
mod sending;
mod wording;

pub use addresses::{address, second_address};
pub use outbox::{forget, has_copied, settle_ended};
pub use run::EmailTask;
pub use wording::Wording;
