//! Runs `cargo test` to its end and says once more, after everything else, which tests failed: a failure in the middle of so
//! much output is not found again. A program that died says nothing; cargo names it.

use crate::cargo;
use anyhow::{Context, Result, ensure};
use std::{
    io::{BufRead, BufReader, Write},
    process::{Command, Stdio},
};

/// What a test prints that is not run here, as `testkit::not_run_here` has it.
const NOT_RUN: &str = "not run here: ";

/// Runs this `cargo test`, whose output the user sees, and fails when a test fails or there is none. Which tests were not run, and
/// why, comes to `not_run` in either case.
pub fn run(command: &mut Command, not_run: &mut Vec<String>) -> Result<()> {
    let shown = cargo::shown(command);
    eprintln!("$ {shown}");
    let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| format!("could not start: {shown}"))?;
    let printed = child.stdout.take().context("the tests have no output")?;
    let mut failures = Failures::default();
    for line in BufReader::new(printed).split(b'\n') {
        let line = line?;
        let mut out = std::io::stdout().lock();
        out.write_all(&line)?;
        out.write_all(b"\n")?;
        failures.read(&String::from_utf8_lossy(&line));
    }
    not_run.append(&mut failures.not_run);
    let status = child.wait()?;
    if !failures.text.is_empty() {
        println!("\n==> what failed\n{}", failures.text);
    }
    ensure!(status.success(), "{shown}: {status}");
    ensure!(failures.passed > 0, "{shown}: no test has that in its name");
    Ok(())
}

/// How many tests have passed, where this line is what a test program says last.
pub fn passed(line: &str) -> u64 {
    let passed = line.strip_prefix("test result: ok. ").and_then(|rest| rest.split(' ').next());
    passed.and_then(|number| number.parse().ok()).unwrap_or_default()
}

/// Picks from what test programs print the part about their failures, and what was not run.
#[derive(Default)]
struct Failures {
    text: String,
    not_run: Vec<String>,
    passed: u64,
    inside: bool,
}

impl Failures {
    fn read(&mut self, line: &str) {
        // It may stand behind the name of a test that is under way.
        if let Some((_, which)) = line.split_once(NOT_RUN) {
            self.not_run.push(which.to_owned());
        }
        // Where the one before has died in the middle of its report, another begins.
        self.inside &= !line.starts_with("running ");
        self.inside |= line == "failures:";
        if self.inside {
            self.text.push_str(line);
            self.text.push('\n');
        }
        self.inside &= !line.starts_with("test result:");
        self.passed += passed(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_that_is_not_run_says_so_in_these_words() {
        let told = std::fs::read_to_string(cargo::root().join("testkit/src/left_out.rs")).unwrap();
        assert!(told.contains(&format!("{NOT_RUN:?}")));
    }

    #[test]
    fn what_was_not_run_is_found_behind_a_name() {
        let mut failures = Failures::default();
        let printed = "test a ... not run here: a, for want of b\nok\nnot run here: c, for want of d";
        printed.lines().for_each(|line| failures.read(line));
        assert_eq!(failures.not_run, ["a, for want of b", "c, for want of d"]);
    }

    #[test]
    fn every_program_that_failed_is_told_of() {
        let mut failures = Failures::default();
        let printed = "test a ... ok\ntest b ... FAILED\n\nfailures:\n\n---- b stdout ----\nno\n\nfailures:\n    b\n\n\
                       test result: FAILED. 1 passed; 1 failed\n\nrunning 1 test\ntest c ... ok\n\ntest result: ok. 1 passed; 0 failed";
        printed.lines().for_each(|line| failures.read(line));
        assert_eq!(
            failures.text,
            "failures:\n\n---- b stdout ----\nno\n\nfailures:\n    b\n\ntest result: FAILED. 1 passed; 1 failed\n"
        );
        assert_eq!(failures.passed, 1);
    }
}
