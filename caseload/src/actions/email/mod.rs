//! Email: one message to each of these people. A message has left or it has not, and no rollback brings it back; so each is
//! put down as being sent before it goes, and what became of it after.

mod addresses;
mod announce;
mod flight;
mod outbox;
mod rules;
mod run;
mod wording;

pub use addresses::{address, second_address};
pub use outbox::{forget, has_copied, settle_ended};
pub use run::EmailTask;
pub use wording::Wording;
