//! Accounts of staff: who may sign in, as what, and shutting somebody out.

mod account;
mod left_tasks;
mod list;
mod new;
mod rights;
mod second_factor;
mod shared;
mod tokens;

pub use self::{account::one, list::view, new::new};
