//! Hints between processes: that there may be something to claim, and which tasks have changed. A hint is only ever a hint: it is
//! sent after the commit, may be lost, doubled or late, and polling finds everything without it.
//!
//! They go by PostgreSQL's LISTEN and NOTIFY, gathered, or by RabbitMQ (`rabbit`). `Queue::announce` chooses the way: PostgreSQL's,
//! if the broker is away or nobody listens to it.

mod hint_exchange;
pub mod hints;
#[cfg_attr(not(feature = "rabbitmq"), expect(dead_code, reason = "without a broker nobody sends them"))]
pub mod outgoing;
pub mod postgres;
#[cfg(feature = "rabbitmq")]
pub mod rabbit;
pub mod test_hints;
