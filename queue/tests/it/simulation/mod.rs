//! Seeded histories of several processes on one SQLite, which interleave as the seed says: everybody is held before each
//! transaction, and the seed lets one go on (`turns.rs`). Tasks come, are claimed, given up and retried by two people at once;
//! processes die, or stand still while others take over and then go on; clocks jump and differ; hints are lost and doubled,
//! and answers to commits are lost. After each history every invariant holds and nothing is left, doubled or lost. A seed that
//! fails is in the message; `SEED=… cargo test -p queue simulation` plays it alone.

mod deeds;
mod history;
mod machine;
mod operators;
mod promises;
pub mod turns;
mod world;

use std::time::Instant;

use world::World;

/// Databases that share the histories among them. Some wait for a doubt to end while others work.
const SHARDS: u64 = 6;
const HISTORIES: u64 = 2_000;
/// Of so many histories one is played twice, to see that it is the same.
const TWICE: u64 = 50;

#[test]
fn thousands_of_histories_break_nothing() {
    if let Some(seed) = number("SEED") {
        return shard([seed]);
    }
    let (count, began) = (number("HISTORIES").unwrap_or(HISTORIES), Instant::now());
    std::thread::scope(|scope| {
        for first in 0..SHARDS {
            scope.spawn(move || shard((first..count).step_by(SHARDS as usize)));
        }
    });
    say(&format!("{count} histories, {:.0} in a second", count as f64 / began.elapsed().as_secs_f64()));
}

#[expect(clippy::disallowed_methods, reason = "tests are told by the environment which histories to run")]
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Plays histories one after the other, on one thread, so that it does not depend on the machine who comes first.
fn shard(seeds: impl IntoIterator<Item = u64>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut world = World::new().await;
        for seed in seeds {
            let played = world.play(seed).await;
            if seed % TWICE == 0 {
                assert_eq!(world.play(seed).await, played, "SEED={seed} is another history each time");
            }
        }
    });
}

#[expect(clippy::print_stderr, reason = "the number is worth knowing")]
fn say(what: &str) {
    eprintln!("{what}");
}
