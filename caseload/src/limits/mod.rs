//! What one account may have, or ask for, at once, so that nobody takes more than their share: all such limits in one type,
//! and their refusals, which name the limit and what to do. They are settings of whoever runs Docket.

pub(crate) mod allowance;
pub mod bounds;
pub(crate) mod enqueue;
pub(crate) mod live_changes;
pub mod one_at_a_time;
pub mod open_counts;
mod refusal;

pub(crate) use allowance::Allowance;
pub use bounds::Limits;
pub use live_changes::LiveChanges;
pub use one_at_a_time::AccountTurns;
pub use open_counts::{OpenCount, OpenCounts};
pub use refusal::Limited;
