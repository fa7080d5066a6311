//! Hints between processes: that there may be something to claim, and which tasks have changed. A hint is only ever a hint:
//! it is sent after the commit, may be lost, doubled or late, and polling finds everything without it.

pub mod by_hand;
mod exchange;
pub mod hints;
#[cfg_attr(not(feature = "rabbitmq"), expect(dead_code, reason = "without a broker nobody sends them"))]
pub mod messages;
pub mod postgres;
#[cfg(feature = "rabbitmq")]
pub mod rabbit;
