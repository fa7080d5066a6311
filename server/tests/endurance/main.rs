//! What takes too long for every run of the tests: the real binary under hundreds of faults, with numbers to print. On a quiet
//! machine, with `TEST_POSTGRES_URL` set and PostgreSQL installed:
//!
//! `cargo test -p server --test endurance -- --ignored --test-threads 1 --nocapture`, which `cargo xtask endure` does.

#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test stops at its first surprise, and these print numbers"
)]
#![allow(clippy::disallowed_methods, reason = "faults come at random, by the clock, and from beside")]

mod away;
#[path = "../it/binary.rs"]
#[allow(dead_code, reason = "shared with the other tests")]
mod binary;
mod college;
mod frozen;
mod idle;
mod killed;
mod many;
mod partition;
mod snapshot;
mod sqlite;
mod uploading;
