//! Access tokens, with which programs act as an account.

pub mod issued;
pub mod new;
pub mod secret;

pub use issued::TokenBearer;
pub use new::{DEFAULT_DAYS, MOST_DAYS, NewToken, days};
