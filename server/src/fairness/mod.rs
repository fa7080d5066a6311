//! That nobody takes more than their share of the server: of requests, of processors, of memory for what is sent, and of streams.

mod bodies;
mod held_answer;
mod rate_limit;
mod request_queue;
mod stream_turns;

pub use bodies::{Bodies, in_pieces, whole};
pub use rate_limit::{Shares, within_share};
pub use request_queue::{RequestPlace, WaitingLine};
pub use stream_turns::Turns;
