//! `cargo xtask endure`: what takes too long for every check, step by step, with one report at the end. It goes on after a step
//! that fails, and what has passed on a commit is not run on it again, so that a run that was cut off goes on where it was.

use crate::{bundle, cargo, delivered::Delivered, needs::Needs, setup};
use anyhow::{Context, Result, ensure};
use std::{
    collections::BTreeSet,
    fs,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// No step begins later than this after the first.
const LONGEST: Duration = Duration::from_secs(2 * 60 * 60);

/// The files of `server/tests/endurance`, each a step; the short ones first.
const ENDURANCE: [&str; 9] =
    ["many", "idle", "uploading", "killed", "sqlite", "partition", "frozen", "away", "snapshot"];
/// The release binary in a browser.
const DELIVERED: &str = "delivered";
/// How many histories the simulation of the queue plays.
const HISTORIES: &str = "1000000";

/// Which steps to run; all of them that have not passed on this commit, unless told.
#[derive(clap::Args)]
pub struct Options {
    /// Run this step alone: delivered, a file of server/tests/endurance, or simulation
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
    let steps: Vec<_> = [DELIVERED].into_iter().chain(ENDURANCE).chain(["simulation"]).collect();
    let is_wanted = |step: &&str| options.only.as_deref().is_none_or(|only| only == *step);
    ensure!(steps.iter().any(is_wanted), "the steps are {}", steps.join(", "));
    setup::for_tests()?;
    bundle::bundle(true)?;
    let (began, mut needs, mut record) = (Instant::now(), Needs::default(), Record::open()?);
    let mut told = Vec::new();
    for step in steps.into_iter().filter(is_wanted) {
        let nothing = |became: &str| Told { step, became: became.to_owned(), figures: Vec::new() };
        told.push(if record.passed.contains(step) && !options.again {
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
    let (passed, figures) = match step {
        DELIVERED => print(&mut Delivered::build()?.test)?,
        step => print(needs.serve(&mut command(step))?)?,
    };
    if passed {
        record.note(step)?;
    }
    let minutes = begun.elapsed().as_secs_f64() / 60.0;
    let became = format!("{} in {minutes:.1} min", if passed { "passed" } else { "FAILED" });
    Ok(Told { step, became, figures })
}

impl Told {
    fn lines(&self) -> String {
        let figures: String = self.figures.iter().map(|figure| format!("  - {figure}\n")).collect();
        format!("- {}: {}\n{figures}", self.step, self.became)
    }
}

fn command(step: &str) -> Command {
    let mut tests = cargo::command();
    tests.args(["test", "--release", "--quiet"]);
    match step {
        "simulation" => {
            tests.args(["--package", "queue", "--test", "it", "--", "simulation::"]).env("HISTORIES", HISTORIES)
        }
        module => {
            tests.args(["--package", "server", "--test", "endurance", "--", "--ignored", "--test-threads", "1"]);
            tests.arg(format!("{module}::"))
        }
    };
    tests.arg("--nocapture");
    tests
}

/// Runs a step, whose output the user sees; whether it passed, and what it told of figures.
fn print(command: &mut Command) -> Result<(bool, Vec<String>)> {
    let shown = cargo::shown(command);
    eprintln!("$ {shown}");
    let mut child = command.stderr(Stdio::piped()).spawn().with_context(|| format!("could not start: {shown}"))?;
    let printed = child.stderr.take().context("the step has no output")?;
    let mut figures = Vec::new();
    for line in BufReader::new(printed).lines() {
        let line = line?;
        eprintln!("{line}");
        if !line.starts_with([' ', '\t']) && line.contains(|c: char| c.is_ascii_digit()) {
            figures.push(line);
        }
    }
    Ok((child.wait()?.success(), figures))
}

/// Which steps have passed on this commit; nothing is taken for passed on sources that are in no commit.
struct Record {
    folder: PathBuf,
    commit: Option<String>,
    passed: BTreeSet<String>,
}

impl Record {
    fn open() -> Result<Record> {
        let folder = cargo::target_dir()?.join("endure");
        fs::create_dir_all(&folder)?;
        let git = |arguments: &[&str]| cargo::output(Command::new("git").args(arguments).current_dir(cargo::root()));
        let is_clean = git(&["status", "--porcelain"]).is_ok_and(|changed| changed.is_empty());
        let commit = git(&["rev-parse", "HEAD"]).ok().filter(|_| is_clean).map(|commit| commit.trim().to_owned());
        let known = fs::read_to_string(folder.join("passed")).unwrap_or_default();
        let of_this = |line: &str| {
            line.split_once(' ').filter(|(of, _)| Some(*of) == commit.as_deref()).map(|(_, step)| step.to_owned())
        };
        let passed = known.lines().filter_map(of_this).collect();
        Ok(Record { folder, commit, passed })
    }

    fn note(&mut self, step: &str) -> Result<()> {
        self.passed.insert(step.to_owned());
        let Some(commit) = &self.commit else { return Ok(()) };
        let lines: String = self.passed.iter().map(|step| format!("{commit} {step}\n")).collect();
        Ok(fs::write(self.folder.join("passed"), lines)?)
    }
}

#[cfg(test)]
mod tests {
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
    fn a_report_names_each_step_with_its_figures() {
        let told = Told { step: "idle", became: "passed in 2.1 min".to_owned(), figures: vec!["3 ms".to_owned()] };
        assert_eq!(told.lines(), "- idle: passed in 2.1 min\n  - 3 ms\n");
    }
}
