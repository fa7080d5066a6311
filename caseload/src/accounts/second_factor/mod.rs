//! What somebody shows beside their password: who must, how they set it up, and how a sign-in is asked for it.
//!
//! There are two ways, an authenticator app and passkeys (`passkeys` beside this room), with recovery codes for the day on which they are
//! lost: [`standing`] says what an account has, and is what everybody else asks.

mod app;
mod app_key;
mod half;
mod kept_key;
mod own;
pub(super) mod recovery;
mod remembered;
mod removal;
mod rule;
mod sealing;
mod second_step;
pub(super) mod standing;
mod typed;

pub use app_key::AppKey;
pub(super) use half::over;
pub use half::{HalfSignIn, required};
pub use own::AppConfirmed;
pub use recovery::MADE as RECOVERY_CODES;
pub(crate) use remembered::is_remembered;
pub(crate) use removal::removed;
pub use rule::SecondFactorRule;
pub use sealing::{Sealing, SecondFactors};
pub use second_step::{CameIn, ShownFactor};
pub use standing::AskedFor;
pub(crate) use standing::{is_set_up, of};
