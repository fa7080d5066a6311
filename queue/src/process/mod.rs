//! Processes that run tasks: this one's identity and signs of life, those that are gone and what they have left, and how many
//! are needed.

pub mod alive;
pub mod cleaner;
pub mod identity;
pub mod occupancy;
pub mod rescue;
pub mod scaler;
