//! Hints through RabbitMQ, for many processes: each task that may be due is one message, taken by one of them, which looks.
//! A message carries an id and is never more than a hint: whatever it says, the table decides. It may be lost, doubled,
//! forged or be there before its task is; then nothing happens, or something a little later. While a task is new, processes
//! that look for reasons of their own leave it to the one that its message goes to, so that the work is spread: for a tenth of a
//! second (`BrokerHints`, `queue/src/claim/mod.rs`).
//!
//! A worker that was told and has left something that another could start tells all others, since nobody else was told
//! (`queue/src/runtime/main_loop.rs`). What is due later goes to all, who each have to be there then.
//!
//! ```text
//! task_exchange ──(task)──► task_queue ──► one of the workers: due → it looks
//!               └─(ended)─► nobody, unless somebody binds a queue                absent → looked up again for a while
//! dead_task_exchange ─────► nobody, unless somebody binds a queue                owned, finished, garbage → dropped
//! ```

mod connect;
mod consume;
mod metrics;
mod not_yet_committed;
mod open_connection;
mod process_presence;
mod publish;
mod task_messages;

pub use consume::run as consume;
pub use metrics::describe as describe_metrics;
pub use publish::run as publish;
pub use task_messages::Worker;
