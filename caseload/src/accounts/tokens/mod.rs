//! Access tokens, with which programs act as an account.

pub mod issued;
pub mod new;
pub mod secret;

pub use issued::TokenBearer;
pub use new::{MOST_DAYS, NewToken, USUAL_DAYS, days};
