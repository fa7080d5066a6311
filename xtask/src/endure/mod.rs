//! `cargo xtask endure`: what takes too long for every check, step by step, with one report at the end. It goes on after a step
//! that fails, and what has passed on a commit is not run on it again, so that a run that was cut off goes on where it was.

mod print;
mod record;
mod steps;

use crate::{bundle, setup, test_servers::Needs};
use anyhow::{Result, ensure};
use record::Record;
use std::{
    fs,
    time::{Duration, Instant},
};

/// What runs then is ended, and no step begins any more.
const LONGEST: Duration = Duration::from_secs(2 * 60 * 60);

/// Which steps to run; all of them that have not passed on this commit, unless told.
#[derive(clap::Args)]
pub struct Options {
    /// Run this step alone: delivered, figures, a file of server/tests/endurance, a benchmark with goals, or simulation-0 to simulation-9
    #[arg(long, value_name = "STEP")]
    only: Option<String>,
    /// Run again what has passed on this commit
    #[arg(long)]
    again: bool,
}

/// What became of a step.
struct Told {
    passed: bool,
    /// What the report says of it: how it went, and what it printed of figures.
    lines: String,
}

/// Runs the steps and prints the report, which is also kept in the folder `endure` beside what was compiled.
///
/// # Errors
/// When a step fails, after the others have run.
pub fn endure(options: &Options) -> Result<()> {
    let steps = steps::names();
    let is_wanted = |step: &&str| options.only.as_deref().is_none_or(|only| only == *step);
    ensure!(steps.iter().any(is_wanted), "the steps are {}", steps.join(", "));
    let end = Instant::now() + LONGEST;
    setup::for_tests()?;
    bundle::bundle(true)?;
    let (mut needs, mut measured, record) = (Needs::default(), Needs::for_measuring(), Record::open()?);
    let (mut report, mut all_passed) = (String::new(), true);
    for step in steps.into_iter().filter(is_wanted) {
        let told = record.of(step).filter(|_| !options.again);
        let told = told.map_or_else(|| run(step, [&mut needs, &mut measured], &record, end), Ok)?;
        all_passed &= told.passed;
        report += &told.lines;
    }
    fs::write(record.folder.join("report.md"), &report)?;
    println!("\n{report}");
    ensure!(all_passed, "a step has failed, or was not run");
    Ok(())
}

fn run(step: &str, needs: [&mut Needs; 2], record: &Record, end: Instant) -> Result<Told> {
    if Instant::now() > end {
        return Ok(Told::of(step, false, "NOT RUN: two hours are over", &[]));
    }
    println!("\n==> {step}");
    let begun = Instant::now();
    let told = match steps::run(step, needs, end) {
        Ok(printed) => {
            let minutes = begun.elapsed().as_secs_f64() / 60.0;
            let became = format!("{} in {minutes:.1} min", if printed.passed { "passed" } else { "FAILED" });
            Told::of(step, printed.passed, &became, &printed.figures)
        }
        Err(error) => Told::of(step, false, &format!("FAILED: {error:#}"), &[]),
    };
    if told.passed {
        record.keep(step, &told)?;
    }
    Ok(told)
}

impl Told {
    fn of(step: &str, passed: bool, became: &str, figures: &[String]) -> Told {
        let figures: String = figures.iter().map(|figure| format!("  - {figure}\n")).collect();
        Told { passed, lines: format!("- {step}: {became}\n{figures}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_names_each_step_with_its_figures() {
        let told = Told::of("idle", true, "passed in 2.1 min", &["3 ms".to_owned()]);
        assert_eq!(told.lines, "- idle: passed in 2.1 min\n  - 3 ms\n");
    }
}
