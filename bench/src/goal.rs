//! What the figures of a benchmark are held to. Each goal stands where its figure is made.

use anyhow::{Result, ensure};

/// The goals of one benchmark.
#[derive(Default)]
pub struct Goals {
    missed: Vec<String>,
}

impl Goals {
    /// Prints a figure, in the unit that its name says, beside the most that it should be.
    pub fn at_most(&mut self, what: &str, figure: f64, most: f64) {
        let said = format!("{what}: {figure:.2}, of {most} at most");
        // Not so for what is no number.
        let is_kept = figure <= most;
        println!("{said}{}", if is_kept { "" } else { ", MISSED" });
        if !is_kept {
            self.missed.push(said);
        }
    }

    /// # Errors
    /// When a goal was missed.
    pub fn kept(self) -> Result<()> {
        ensure!(self.missed.is_empty(), "missed: {}", self.missed.join("; "));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_above_its_goal_or_was_not_measured_is_missed() {
        let of = |figure| {
            let mut goals = Goals::default();
            goals.at_most("a page, ms", figure, 100.0);
            goals.kept().map_err(|error| error.to_string())
        };
        assert_eq!(of(100.0), Ok(()));
        assert_eq!(of(100.5), Err("missed: a page, ms: 100.50, of 100 at most".to_owned()));
        assert!(of(f64::NAN).is_err());
    }
}
