//! `cargo xtask test`: every check there is, in the order in which they fail fastest.

use crate::{browser, bundle, bundle_dependencies, bundler, cargo, failures, setup, test_builds, test_servers::Needs};
use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use std::{
    process::Command,
    time::{Duration, Instant},
};

/// Which steps to run; all of them unless told.
#[derive(clap::Args)]
pub struct Options {
    /// Run this step alone
    #[arg(long, value_name = "STEP", conflicts_with = "from")]
    only: Option<Step>,
    /// Run this step and those after it
    #[arg(long, value_name = "STEP")]
    from: Option<Step>,
    /// Of the steps cargo, browser and other-browsers, the tests whose name has one of these in it
    #[arg(last = true, value_name = "NAME", requires = "only")]
    names: Vec<String>,
}

/// The steps, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Step {
    /// Targets, packages and the browser tests' modules
    Setup,
    /// Every file is formatted
    Format,
    /// The bundle depends on nothing of the server's
    Tree,
    /// The release bundle is within its budgets, and neither the compiler nor clippy warns of what is in it
    Bundle,
    /// No such warning in all the rest, and every test written in Rust, on SQLite and PostgreSQL; some serve the bundle
    Cargo,
    /// The browser tests, on that server and the release bundle
    Browser,
    /// A journey for each page in Firefox and in WebKitGTK, on the same
    OtherBrowsers,
    /// A page on the bundle that Trunk builds, where there is Trunk
    Trunk,
}

impl Step {
    /// Why it cannot be run here unless it is asked for.
    fn lacks(self) -> Option<&'static str> {
        let lacks_trunk = self == Step::Trunk && cargo::output(Command::new("trunk").arg("--version")).is_err();
        lacks_trunk.then_some("Trunk, which `cargo install --locked trunk` brings")
    }
}

/// Runs the chosen steps and prints how long each took.
///
/// # Errors
/// At the first step that fails; the later ones do not run.
pub fn test(options: &Options) -> Result<()> {
    let takes_names = matches!(options.only, Some(Step::Cargo | Step::Browser | Step::OtherBrowsers));
    ensure!(
        options.names.is_empty() || takes_names,
        "the steps cargo, browser and other-browsers alone take names of tests"
    );
    let started = Instant::now();
    let mut run = Run { names: options.names.clone(), ..Run::default() };
    let mut took = Vec::new();
    for step in chosen(options) {
        let name = name(step);
        if let Some(lacks) = step.lacks().filter(|_| options.only.is_none()) {
            run.not_run.push(format!("{name}, for want of {lacks}"));
            continue;
        }
        println!("\n==> {name}");
        let begun = Instant::now();
        let result = run.run(step);
        took.push((name.clone(), begun.elapsed()));
        if let Err(error) = result {
            println!("\n{}{}", summary(&took), run.left_out());
            println!("{name} FAILED, and the steps after it did not run");
            return Err(error);
        }
        println!("==> {name} passed in {}", shown(begun.elapsed()));
    }
    println!("\n{}{}", summary(&took), run.left_out());
    println!("cargo xtask test: {} steps passed in {}", took.len(), shown(started.elapsed()));
    Ok(())
}

/// The steps of one run, and what they share.
#[derive(Default)]
struct Run {
    needs: Needs,
    /// Which tests; all of them unless some are named.
    names: Vec<String>,
    /// What is not run here, and for want of what.
    not_run: Vec<String>,
}

impl Run {
    fn left_out(&self) -> String {
        self.not_run.iter().map(|which| format!("  not run here: {which}\n")).collect()
    }

    fn run(&mut self, step: Step) -> Result<()> {
        match step {
            Step::Setup => setup::for_tests(),
            // Formatting settles no features, so here the frontend may be named together with the rest.
            Step::Format => cargo::cargo(["fmt", "--all", "--check"]),
            Step::Tree => bundle_dependencies::check(),
            Step::Bundle => bundle::linted(),
            Step::Cargo => self.cargo(),
            Step::Browser => {
                released_bundle()?;
                self.browser(&[])
            }
            Step::OtherBrowsers => {
                released_bundle()?;
                self.playwright(&["--config", "other-browsers.config.ts"])
            }
            Step::Trunk => self.trunk(),
        }
    }

    /// This program and its helper have features of their own to settle, as when they were called, or heavy crates were compiled
    /// once more.
    fn cargo(&mut self) -> Result<()> {
        // The real program is started by some, and it does not start without what browsers load.
        if !self.names.is_empty() && !bundle::is_there() {
            bundle::bundle(false)?;
        }
        if self.names.is_empty() {
            for program in ["xtask", bundler::PACKAGE] {
                cargo::run(&mut test_builds::linted_of(&["--package", program])?)?;
            }
        }
        let mut tests = test_builds::linted()?;
        tests.arg("--no-fail-fast").env("RUST_TEST_THREADS", at_once()).arg("--").args(&self.names);
        failures::run(self.needs.serve(&mut tests)?, &mut self.not_run)
    }

    fn browser(&mut self, specs: &[&str]) -> Result<()> {
        browser::lint()?;
        self.playwright(specs)
    }

    fn playwright(&mut self, words: &[&str]) -> Result<()> {
        let mut playwright = browser::tests_of(&test_builds::docket()?);
        playwright.args(words);
        if !self.names.is_empty() {
            playwright.arg("--grep").arg(self.names.iter().map(|name| literally(name)).collect::<Vec<_>>().join("|"));
        }
        cargo::run(self.needs.serve(&mut playwright)?)
    }

    /// Trunk writes its bundle in the place of ours, which is made again afterwards.
    fn trunk(&mut self) -> Result<()> {
        cargo::output(Command::new("trunk").arg("--version"))
            .context("Trunk is missing: cargo install --locked trunk, and wasm-bindgen-cli as in Trunk.toml")?;
        let tested = cargo::run(Command::new("trunk").arg("build").current_dir(cargo::root()))
            .and_then(|()| self.browser(&["menus.spec.ts", "status-change.spec.ts"]));
        tested.and(bundle::bundle(true))
    }
}

/// A step that is run alone may find what `dev` or `run` has left, whose pages are slow.
fn released_bundle() -> Result<()> {
    if bundle::is_of_release() { Ok(()) } else { bundle::bundle(true) }
}

/// A pattern that only this text fits.
fn literally(text: &str) -> String {
    text.chars()
        .flat_map(|c| (!c.is_alphanumeric() && !c.is_whitespace()).then_some('\\').into_iter().chain([c]))
        .collect()
}

/// How many tests run at once: many of them mostly wait, for a process, a broker or a time to pass.
fn at_once() -> String {
    const FOR_EACH_PROCESSOR: usize = 3;
    (std::thread::available_parallelism().map_or(1, usize::from) * FOR_EACH_PROCESSOR).to_string()
}

fn chosen(options: &Options) -> Vec<Step> {
    // Whatever is wanted may need what the first step brings; where it is there, it is done in a moment.
    let wanted = |step: &Step| match (options.only, options.from) {
        _ if *step == Step::Setup => true,
        (Some(only), _) => *step == only,
        (None, Some(from)) => *step >= from,
        (None, None) => true,
    };
    Step::value_variants().iter().copied().filter(wanted).collect()
}

fn name(step: Step) -> String {
    step.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

fn summary(took: &[(String, Duration)]) -> String {
    took.iter().map(|(name, time)| format!("  {name:<16}{:>14}\n", shown(*time))).collect()
}

fn shown(time: Duration) -> String {
    match time.as_secs() {
        seconds if seconds >= 60 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}

#[cfg(test)]
mod chosen {
    use super::*;

    fn names(only: Option<Step>, from: Option<Step>) -> Vec<String> {
        chosen(&Options { only, from, names: Vec::new() }).into_iter().map(name).collect()
    }

    #[test]
    fn every_step_unless_told() {
        assert_eq!(
            names(None, None),
            ["setup", "format", "tree", "bundle", "cargo", "browser", "other-browsers", "trunk"]
        );
        assert_eq!(names(Some(Step::Tree), None), ["setup", "tree"]);
        assert_eq!(names(None, Some(Step::Cargo)), ["setup", "cargo", "browser", "other-browsers", "trunk"]);
    }

    #[test]
    fn times_read_naturally() {
        assert_eq!(shown(Duration::from_millis(480)), "0.5 s");
        assert_eq!(shown(Duration::from_secs(605)), "10 min 05 s");
    }
}
