//! What a step prints: the user sees all of it, and the report keeps the figures.

use crate::{cargo, failures};
use anyhow::{Context, Result};
use std::{
    io::{BufRead, BufReader, Read},
    os::unix::process::CommandExt,
    process::{Command, Stdio},
    sync::mpsc::{RecvTimeoutError, channel},
    thread,
    time::Instant,
};

/// How a step went.
pub struct Printed {
    pub passed: bool,
    pub figures: Vec<String>,
    /// Tests written in Rust that have passed.
    pub tests: u64,
}

impl Printed {
    /// Runs a program that is a step, or a part of one; then it is ended, with all that it has started.
    pub fn by(command: &mut Command, end: Instant) -> Result<Printed> {
        let shown = cargo::shown(command);
        eprintln!("$ {shown}");
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0).spawn();
        let mut child = child.with_context(|| format!("could not start: {shown}"))?;
        let (_goes_on, over) = channel::<()>();
        let group = format!("-{}", child.id());
        thread::spawn(move || {
            let left = end.saturating_duration_since(Instant::now());
            if over.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                eprintln!("its time is over: {shown}");
                let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
            }
        });
        let answers = child.stdout.take().context("the step has no output")?;
        let said = child.stderr.take().context("the step has no output")?;
        // Whoever runs tests prints their names there as well.
        let answers = thread::spawn(|| {
            let mut tests = 0;
            let show = |line: &str| {
                println!("{line}");
                tests += failures::passed(line);
            };
            let figures = figures_of(answers, show, |line| line.contains(" at most"))?;
            Ok::<_, anyhow::Error>((figures, tests))
        });
        let mut figures = figures_of(said, |line| eprintln!("{line}"), is_figure)?;
        let (more, tests) = answers.join().map_err(|_| anyhow::anyhow!("what reads its output has panicked"))??;
        figures.extend(more);
        Ok(Printed { passed: child.wait()?.success(), figures, tests })
    }
}

/// What a test says of itself begins at the margin and has a number in it.
fn is_figure(line: &str) -> bool {
    !line.starts_with([' ', '\t']) && line.contains(|c: char| c.is_ascii_digit())
}

fn figures_of(output: impl Read, mut show: impl FnMut(&str), is_figure: impl Fn(&str) -> bool) -> Result<Vec<String>> {
    let mut figures = Vec::new();
    for line in BufReader::new(output).lines() {
        let line = line?;
        show(&line);
        if is_figure(&line) {
            figures.push(line.trim().to_owned());
        }
    }
    Ok(figures)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_report_has_the_figures_and_not_what_else_a_step_prints() {
        let mut step = Command::new("sh");
        step.args([
            "-c",
            "echo 'test idle ... ok 3'; echo 'a page: 3 ms, of 5 ms at most'; echo '4 ms' >&2; echo ' 5' >&2;
             echo 'test result: ok. 2 passed; 0 failed'",
        ]);
        let end = Instant::now() + Duration::from_secs(60);
        let printed = Printed::by(&mut step, end).unwrap();
        assert!(printed.passed);
        assert_eq!(printed.figures, ["4 ms", "a page: 3 ms, of 5 ms at most"]);
        assert_eq!(printed.tests, 2);
        assert!(!Printed::by(Command::new("false").arg("1"), end).unwrap().passed);
    }

    #[test]
    fn a_step_ends_with_all_that_it_has_started_when_its_time_is_over() {
        let mut step = Command::new("sh");
        step.args(["-c", "sleep 600 & wait"]);
        assert!(!Printed::by(&mut step, Instant::now()).unwrap().passed);
    }
}
