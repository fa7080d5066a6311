//! Notices: mails of Docket's own. The operator hears of each task that is dead, staff of theirs that have ended, if they
//! wish it and have left or it ran long, and of each new token of theirs. A notice is a row first, written with what it tells of; a schedule sends it.
//! What somebody waits for goes at once, by the same way.

pub(crate) mod address_change;
mod approvals;
pub(crate) mod at_once;
mod dead;
mod ended;
mod new_token;
mod password_change;
mod password_link;
mod rows;
mod second_factor_change;
mod send;

pub(crate) use approvals::{ApprovalOutcome, ApprovalWish, of_approval_asked, of_approval_decided};
pub use dead::DeadTasks;
pub use ended::Presence;
pub use new_token::of_new_token;
pub use password_change::{PasswordChange, of_password_change};
pub use password_link::of_password_link;
pub(crate) use rows::About;
pub use rows::{forget, forget_of};
pub use second_factor_change::{SecondFactorChange, of_second_factor_change};
pub use send::SendNotices;
