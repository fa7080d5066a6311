//! The steps, and what runs each.

use super::print::Printed;
use crate::{browser, build_server, cargo, delivered::Delivered, test_builds, test_servers::Needs};
use anyhow::{Result, ensure};
use std::{process::Command, time::Instant};

/// The files of `server/tests/endurance`, each a step; the short ones first.
const ENDURANCE: [&str; 9] =
    ["many", "idle", "uploading", "killed", "sqlite", "partition", "frozen", "away", "snapshot"];
/// The release binary in a browser.
const DELIVERED: &str = "delivered";
/// What the browser tests time, held to what people are promised.
const FIGURES: &str = "figures";
/// The simulation of the queue plays a million histories, which take longer than all else together.
const SIMULATION: [&str; 10] = [
    "simulation-0",
    "simulation-1",
    "simulation-2",
    "simulation-3",
    "simulation-4",
    "simulation-5",
    "simulation-6",
    "simulation-7",
    "simulation-8",
    "simulation-9",
];
/// How many each of these steps plays.
const HISTORIES: usize = 100_000;

/// Benchmarks that have goals, and what each takes behind where it measures.
const BENCHMARKS: [(&str, Place, &[&str]); 7] = [
    ("status_change", Place::Databases, &["100000", "5"]),
    ("export", Place::Databases, &["100000", "5"]),
    ("people_search", Place::Databases, &["100000", "5"]),
    ("plans", Place::Databases, &["1000000", "100000"]),
    ("admin", Place::Databases, &["100000", "10000", "20"]),
    ("streams", Place::Binary, &["2000"]),
    ("siege", Place::Binary, &["30000", "80"]),
];

/// Where a benchmark measures.
#[derive(Clone, Copy)]
enum Place {
    /// On either database.
    Databases,
    /// On a server that it starts.
    Binary,
}

pub fn names() -> Vec<&'static str> {
    let benchmarks = BENCHMARKS.map(|(name, ..)| name);
    [DELIVERED, FIGURES].into_iter().chain(ENDURANCE).chain(benchmarks).chain(SIMULATION).collect()
}

/// Runs a step until then at most; whether it passed, and what it told of figures. Tests need the first, and benchmarks the second.
pub fn run(step: &str, [needs, measured]: [&mut Needs; 2], end: Instant) -> Result<Printed> {
    if let Some((name, place, arguments)) = BENCHMARKS.iter().find(|(name, ..)| *name == step) {
        return benchmark(name, *place, arguments, measured, end);
    }
    match step {
        DELIVERED => Printed::by(&mut Delivered::build()?.test, end),
        FIGURES => {
            let mut tests = browser::tests_of(&build_server::build(true)?);
            // One after the other, as what is timed has the machine for itself.
            tests.args(["--workers", "1", "--grep", "@figure"]).env("FIGURES", "asserted");
            Printed::by(needs.serve(&mut tests)?, end)
        }
        step => {
            let printed = Printed::by(needs.serve(&mut release_tests(step))?, end)?;
            ensure!(!printed.passed || printed.tests > 0, "no test is named for it");
            Ok(printed)
        }
    }
}

fn release_tests(step: &str) -> Command {
    let mut released = test_builds::released();
    if let Some(part) = SIMULATION.iter().position(|part| *part == step) {
        released.args(["--test", "it", "--", "simulation::"]);
        let told = [("FROM", part * HISTORIES), ("HISTORIES", HISTORIES)];
        released.envs(told.map(|(name, number)| (name, number.to_string())));
    } else {
        released.args(["--test", "endurance", "--", "--ignored", "--test-threads", "1"]).arg(format!("{step}::"));
    }
    released.arg("--nocapture");
    released
}

/// On all that it measures on, also after a goal that was missed.
fn benchmark(name: &str, place: Place, arguments: &[&str], needs: &mut Needs, end: Instant) -> Result<Printed> {
    let places = match place {
        Place::Binary => vec![build_server::build(true)?.display().to_string()],
        Place::Databases => needs.databases(&format!("docket_bench_{name}"))?.into(),
    };
    let program = test_builds::benchmarks()?;
    let mut all = Printed { passed: true, figures: Vec::new(), tests: 0 };
    for place in places {
        let mut command = Command::new(&program);
        command.current_dir(cargo::root()).args([name, &place]).args(arguments);
        let printed = Printed::by(needs.serve(&mut command)?, end)?;
        all.passed &= printed.passed;
        all.figures.extend(printed.figures);
    }
    Ok(all)
}

#[cfg(test)]
mod each_is_a_step {
    use std::{collections::BTreeSet, fs};

    use super::*;

    #[test]
    fn every_file_of_the_endurance_suite_is_a_step() {
        let main = fs::read_to_string(cargo::root().join("server/tests/endurance/main.rs")).unwrap();
        let modules = main.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
        let tests = modules.filter(|module| {
            let file = cargo::root().join(format!("server/tests/endurance/{module}.rs"));
            fs::read_to_string(file).is_ok_and(|text| text.contains("#[ignore"))
        });
        assert_eq!(tests.collect::<BTreeSet<_>>(), BTreeSet::from(ENDURANCE));
    }

    #[test]
    fn every_benchmark_with_a_goal_is_a_step() {
        let names = BENCHMARKS.map(|(name, ..)| format!("{name}.rs"));
        let files = fs::read_dir(cargo::root().join("bench/src/measure")).unwrap().map(|file| file.unwrap());
        let with_goals: BTreeSet<_> = files
            .filter(|file| fs::read_to_string(file.path()).unwrap().contains("Goals::default()"))
            .map(|file| file.file_name().into_string().unwrap())
            .collect();
        assert_eq!(with_goals, BTreeSet::from(names));
    }
}
