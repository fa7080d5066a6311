//! The second factor: its part of the settings, and what sets up an app. Another way, such as a passkey, gets a line in [`section`] and a form
//! beside [`set_up`].

mod codes;
mod new_app;
mod section;
mod set_up;

pub use codes::codes;
pub use new_app::{NewApp, PAGE, Picture};
pub use section::{SecondFactorPart, section};
pub use set_up::{AtTheDoor, set_up};
