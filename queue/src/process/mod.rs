//! Processes that run tasks: this one's identity and signs of life, those that are gone and what they have left, and how many are
//! needed.
//!
//! On SQLite one process runs tasks; a lock file keeps a second one out, and a new start takes back what the former left. On
//! PostgreSQL there may be any number, with pages and tasks apart if wanted (`--role web|worker`).
//!
//! Each has an identity of its own for each start, and beats on a connection of its own (`identity.rs`), which also holds a session
//! advisory lock. One that cannot beat for half a lease stops by itself, before anybody else may take its tasks: it has no permit
//! to act any more (`queue/src/runtime/permit.rs`). Neither has one whose version does not know the schema, until it is exchanged;
//! that is asked from its first look on.
//!
//! Every process looks twice a second for tasks whose process is gone or silent, or that are past their deadline (`rescue.rs`), and
//! takes them back one at a time, each by a fenced update. A death costs a task nothing if it had made progress; a task that two
//! processes died at without any runs alone in its process, and if that dies too, it is poison. Whoever does not know a kind leaves
//! its recovery to those who do.
//!
//! A run that hangs in the middle of a chunk is ended before its task is taken back, since it holds the locks that this needs; the
//! work of one chunk has a limit of its own, and PostgreSQL ends the transaction of a process that is frozen once its lease is
//! over.
//!
//! With a broker a process that has left it and whose lock is free is dead without a missed beat. Under a scheduler lock the
//! cleaner (`overlooked.rs`) says again what has been due for long though a slot is free, and takes back what processes that are gone
//! have left longer than a crash interval. The number of slots moves with the load (`scaler.rs`), a pure function from one look to
//! the next.
//!
//! SIGTERM ends event streams, finishes requests, lets the running chunks commit, puts their tasks back with their bookmark and
//! without a failure, and exits with 0.

pub mod alive;
pub mod cleaner;
pub mod identity;
mod overlooked;
pub mod rescue;
pub mod scaler;
pub mod single_runtime;
