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

use std::{collections::BTreeSet, time::Instant};

use history::{HAPPENS, Happened};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use world::World;

const HISTORIES: u64 = 2_000;
/// Of so many histories one is played twice, to see that it is the same.
const TWICE: u64 = 50;

#[test]
fn thousands_of_histories_break_nothing() {
    if let Some(seed) = number("SEED") {
        shard([seed]);
        return;
    }
    let (count, began) = (number("HISTORIES").unwrap_or(HISTORIES), Instant::now());
    let (from, processors) = (number("FROM").unwrap_or_default(), processors());
    let shards = processors.len();
    let mut happened = Happened::new();
    std::thread::scope(|scope| {
        let shards = processors.into_iter().zip(from..).map(|(processor, first)| {
            scope.spawn(move || {
                stay_on(processor);
                shard((first..from + count).step_by(shards))
            })
        });
        for shard in shards.collect::<Vec<_>>() {
            for (what, often) in shard.join().unwrap_or_else(|failed| std::panic::resume_unwind(failed)) {
                *happened.entry(what).or_default() += often;
            }
        }
    });
    say(&format!("{count} histories, {:.0} in a second: {happened:?}", count as f64 / began.elapsed().as_secs_f64()));
    assert!(happened.keys().eq(&BTreeSet::from(HAPPENS)), "not all that may go wrong did: {happened:?}");
}

#[expect(clippy::disallowed_methods, reason = "tests are told by the environment which histories to run")]
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Those that may be used. Each plays its share of the histories on a database of its own: with two on a processor each history
/// costs more.
fn processors() -> Vec<usize> {
    let allowed = sched_getaffinity(None).unwrap();
    (0..CpuSet::MAX_CPU).filter(|processor| allowed.is_set(*processor)).collect()
}

/// A database answers each statement from a thread of its own, and only one of the two ever works. Where they share a processor,
/// handing over costs a fifth of what it does across two.
fn stay_on(processor: usize) {
    let mut one = CpuSet::new();
    one.set(processor);
    sched_setaffinity(None, &one).unwrap();
}

/// Plays histories one after the other, on one thread, so that it does not depend on the machine who comes first.
fn shard(seeds: impl IntoIterator<Item = u64>) -> Happened {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let mut world = World::new().await;
        for seed in seeds {
            let played = world.play(seed).await;
            if seed % TWICE == 0 {
                assert_eq!(world.play(seed).await, played, "SEED={seed} is another history each time");
            }
        }
        world.happened
    })
}

#[expect(clippy::print_stderr, reason = "the number is worth knowing")]
fn say(what: &str) {
    eprintln!("{what}");
}
