//! `cargo xtask endure`: what takes too long for every check, step by step, with one report at the end. It goes on after a step
//! that fails, and what has passed on a commit is not run on it again, so that a run that was cut off goes on where it was.

mod print;
mod record;
mod steps;

use crate::{bundle, needs::Needs, setup};
use anyhow::{Result, ensure};
use record::Record;
use std::{
    fs,
    time::{Duration, Instant},
};

/// No step begins later than this after the first.
const LONGEST: Duration = Duration::from_secs(2 * 60 * 60);

/// Which steps to run; all of them that have not passed on this commit, unless told.
#[derive(clap::Args)]
pub struct Options {
    /// Run this step alone: delivered, figures, a file of server/tests/endurance, a benchmark with goals, or simulation
    #[arg(long, value_name = "STEP")]
    only: Option<String>,
    /// Run again what has passed on this commit
    #[arg(long)]
    again: bool,
}

/// What became of a step.
struct Told {
    step: &'static str,
    became: String,
    /// What it printed of figures.
    figures: Vec<String>,
}

/// Runs the steps and prints the report, which is also kept in the folder `endure` beside what was compiled.
///
/// # Errors
/// When a step fails, after the others have run.
pub fn endure(options: &Options) -> Result<()> {
    let steps = steps::names();
    let is_wanted = |step: &&str| options.only.as_deref().is_none_or(|only| only == *step);
    ensure!(steps.iter().any(is_wanted), "the steps are {}", steps.join(", "));
    setup::for_tests()?;
    bundle::bundle(true)?;
    let (began, mut needs, mut record) = (Instant::now(), Needs::default(), Record::open()?);
    let mut told = Vec::new();
    for step in steps.into_iter().filter(is_wanted) {
        let nothing = |became: &str| Told { step, became: became.to_owned(), figures: Vec::new() };
        told.push(if record.has(step) && !options.again {
            nothing("has passed on this commit")
        } else if began.elapsed() > LONGEST {
            nothing("not run: two hours are over")
        } else {
            run(step, &mut needs, &mut record)?
        });
    }
    let report: String = told.iter().map(Told::lines).collect();
    fs::write(record.folder.join("report.md"), &report)?;
    println!("\n{report}");
    ensure!(!told.iter().any(|told| told.became.starts_with("FAILED")), "a step failed");
    Ok(())
}

fn run(step: &'static str, needs: &mut Needs, record: &mut Record) -> Result<Told> {
    println!("\n==> {step}");
    let begun = Instant::now();
    let printed = steps::run(step, needs)?;
    if printed.passed {
        record.note(step)?;
    }
    let minutes = begun.elapsed().as_secs_f64() / 60.0;
    let became = format!("{} in {minutes:.1} min", if printed.passed { "passed" } else { "FAILED" });
    Ok(Told { step, became, figures: printed.figures })
}

impl Told {
    fn lines(&self) -> String {
        let figures: String = self.figures.iter().map(|figure| format!("  - {figure}\n")).collect();
        format!("- {}: {}\n{figures}", self.step, self.became)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_names_each_step_with_its_figures() {
        let told = Told { step: "idle", became: "passed in 2.1 min".to_owned(), figures: vec!["3 ms".to_owned()] };
        assert_eq!(told.lines(), "- idle: passed in 2.1 min\n  - 3 ms\n");
    }
}
