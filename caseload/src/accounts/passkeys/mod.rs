//! Passkeys: a device signs what it was asked, for this address of Docket alone. One is a second factor after the password, and enough to
//! sign in where the device has made sure of its owner. What a device says is checked by a library; which question is open, for whom
//! and for how long, is decided here.

mod added;
mod address;
mod answers;
mod asked;
pub(super) mod beside_password;
pub(crate) mod kept;
mod open_questions;
mod questions;
mod refusals;
mod removed;
mod suspicion;
mod whole_sign_in;

pub use added::PasskeyAdded;
pub use address::PasskeyAddress;
pub use asked::AskedForPasskey;
pub use open_questions::PasskeyAnswer;
