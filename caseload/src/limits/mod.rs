//! What one account may have, or ask for, at once, so that nobody takes more than their share: all such limits in one type,
//! and their refusals, which name the limit and what to do. They are settings of whoever runs Docket.

pub(crate) mod allowance;
pub mod bounds;
pub(crate) mod enqueue;
pub(crate) mod installed;
pub mod one_at_a_time;
pub mod open_pages;
mod refusal;

pub(crate) use allowance::Allowance;
pub use bounds::Limits;
pub use one_at_a_time::AccountTurns;
pub use open_pages::{LiveChanges, Place, Places};
pub use refusal::Limited;
