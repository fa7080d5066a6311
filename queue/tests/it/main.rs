//! The conformance suite: every promise of the queue, once on SQLite and once on PostgreSQL, through the same tests.
//!
//! A manual clock and `tick()` replace waiting; where something must happen by itself, a test waits for the condition, with
//! a bound. Each fixture has a database of its own.

#![expect(clippy::unwrap_used, reason = "tests")]

mod blockers;
#[cfg(feature = "rabbitmq")]
mod broker;
mod causes;
mod claiming;
mod cluster;
mod control;
mod database;
mod deadlock;
mod doubt;
mod enqueue;
mod failing;
mod fair;
mod faults;
mod fence;
mod fixture;
mod following;
mod gate;
mod hints;
mod invariants;
mod late_fires;
mod limits;
mod lock;
mod no_room;
mod overdue;
mod plans;
mod pools;
mod recovery;
mod rescue;
mod restored;
mod runtime;
mod scaling;
mod schedule;
mod searching;
mod simulation;
mod statistics;
mod sweeps;
mod truth;
