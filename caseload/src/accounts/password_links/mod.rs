//! Links by which somebody chooses a password, sent to an address that is theirs: asked for at the door by whoever has forgotten
//! theirs, and sent to whoever gets an account.

mod link;
mod requested;
mod used;

pub(crate) use link::{put_down, ready_to_send};
pub use used::LinkOwner;
