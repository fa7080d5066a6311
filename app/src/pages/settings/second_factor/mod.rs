//! The second factor: its part of the settings, and what sets up an app or adds a passkey.

mod codes;
pub mod device_form;
mod new_app;
mod passkeys;
mod section;
mod set_up;

pub use codes::codes;
pub use new_app::{NewApp, PAGE, PASSKEYS, Picture};
pub use passkeys::add_passkey;
pub use section::{SecondFactorPart, section};
pub use set_up::{AtTheDoor, set_up};
