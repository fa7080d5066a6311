//! What a step prints: the user sees all of it, and the report keeps the figures.

use crate::cargo;
use anyhow::{Context, Result};
use std::{
    io::{BufRead, BufReader, Read},
    process::{Command, Stdio},
    thread,
};

/// How a step went.
pub struct Printed {
    pub passed: bool,
    pub figures: Vec<String>,
}

impl Printed {
    /// Runs a program that is a step, or a part of one.
    pub fn by(command: &mut Command) -> Result<Printed> {
        let shown = cargo::shown(command);
        eprintln!("$ {shown}");
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.with_context(|| format!("could not start: {shown}"))?;
        let answers = child.stdout.take().context("the step has no output")?;
        let said = child.stderr.take().context("the step has no output")?;
        // Whoever runs tests prints their names there as well.
        let answers =
            thread::spawn(|| figures_of(answers, |line| println!("{line}"), |line| line.contains(" at most")));
        let mut figures = figures_of(said, |line| eprintln!("{line}"), is_figure)?;
        figures.extend(answers.join().map_err(|_| anyhow::anyhow!("what reads its output has panicked"))??);
        Ok(Printed { passed: child.wait()?.success(), figures })
    }
}

/// What a test says of itself begins at the margin and has a number in it.
fn is_figure(line: &str) -> bool {
    !line.starts_with([' ', '\t']) && line.contains(|c: char| c.is_ascii_digit())
}

fn figures_of(output: impl Read, show: impl Fn(&str), is_figure: impl Fn(&str) -> bool) -> Result<Vec<String>> {
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
    use super::*;

    #[test]
    fn the_report_has_the_figures_and_not_what_else_a_step_prints() {
        let mut step = Command::new("sh");
        step.args([
            "-c",
            "echo 'test idle ... ok 3'; echo 'a page: 3 ms, of 5 ms at most'; echo '4 ms' >&2; echo ' 5' >&2",
        ]);
        let printed = Printed::by(&mut step).unwrap();
        assert!(printed.passed);
        assert_eq!(printed.figures, ["4 ms", "a page: 3 ms, of 5 ms at most"]);
        assert!(!Printed::by(Command::new("false").arg("1")).unwrap().passed);
    }
}
