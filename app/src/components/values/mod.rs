//! How a value is shown: a state, a moment, a number, so many of all.

pub mod badge;
pub mod chart;
pub mod name;
pub mod numbers;
pub mod outcome_bar;
pub mod pager;
pub mod reader_clock;
pub mod secret;
pub mod time;
