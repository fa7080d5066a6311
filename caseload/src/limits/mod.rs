//! What one account may have, or ask for, at once, so that nobody takes more than their share: all such limits in one type,
//! and their refusals, which name the limit and what to do. They are settings of whoever runs Docket.

mod allowance;
pub mod bounds;
mod of_account;
pub mod places;
mod refusal;
pub mod turns;
mod waiting;

pub(crate) use allowance::Allowance;
pub use bounds::Limits;
pub use places::{LiveChanges, Place, Places};
pub use refusal::Limited;
pub use turns::AccountTurns;
