//! Spans counted in classes that widen, so that those of many minutes add up and any share of them can be read off.

use sea_orm::sea_query::{CaseStatement, Expr, ExprTrait};
use serde::{Deserialize, Serialize};

/// The upper ends of the classes, in seconds; what is longer goes into one class more.
pub const ENDS: [f64; 34] = [
    0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0,
    45.0, 60.0, 90.0, 120.0, 180.0, 300.0, 450.0, 600.0, 900.0, 1_800.0, 3_600.0, 7_200.0, 14_400.0,
];

/// How many spans were in each class, and how long the longest was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    classes: Vec<u64>,
    /// In milliseconds; nothing where it was not kept.
    longest: Option<u64>,
}

/// As it is stored: older rows have the classes alone.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Stored {
    Classes(Vec<u64>),
    Whole { classes: Vec<u64>, longest: Option<u64> },
}

impl Histogram {
    /// Counts spans of a class, of which the longest took so many milliseconds.
    pub fn add(&mut self, class: usize, spans: u64, longest: u64) {
        let mut classes = vec![0; class];
        classes.push(spans);
        self.merge(&Histogram { classes, longest: Some(longest) });
    }

    /// Adds those of another.
    pub fn merge(&mut self, other: &Histogram) {
        // Where some are of unknown length, the longest is unknown.
        self.longest = match (self.count(), other.count()) {
            (_, 0) => self.longest,
            (0, _) => other.longest,
            _ => self.longest.zip(other.longest).map(|(one, two)| Ord::max(one, two)),
        };
        if self.classes.len() < other.classes.len() {
            self.classes.resize(other.classes.len(), 0);
        }
        for (mine, theirs) in self.classes.iter_mut().zip(&other.classes) {
            *mine += theirs;
        }
    }

    /// How many spans there are.
    pub fn count(&self) -> u64 {
        self.classes.iter().sum()
    }

    /// The span, in seconds, that this share of all do not exceed: between 0 and 1, such as 0.95. Within a class it is taken
    /// to grow evenly, and none is longer than the longest. Nothing without spans.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let wanted = self.count() as f64 * share.clamp(0.0, 1.0);
        let longest = self.longest.map(|longest| longest as f64 / 1_000.0);
        let mut below = 0.0;
        for (class, spans) in self.classes.iter().enumerate().filter(|(_, spans)| **spans > 0) {
            let spans = *spans as f64;
            let from = if class == 0 { 0.0 } else { ENDS[class.min(ENDS.len()) - 1] };
            // Of the last class nothing is known but where it begins.
            let to = ENDS.get(class).copied().unwrap_or(from);
            let to = longest.map_or(to, |longest| if class < ENDS.len() { longest.min(to) } else { longest }).max(from);
            if below + spans >= wanted {
                return Some(from + (to - from) * ((wanted - below) / spans));
            }
            below += spans;
        }
        None
    }

    /// As it is stored.
    pub fn to_text(&self) -> String {
        let classes = self.classes.clone();
        let stored = match self.longest {
            Some(_) => Stored::Whole { classes, longest: self.longest },
            None => Stored::Classes(classes),
        };
        serde_json::to_string(&stored).unwrap_or_default()
    }

    /// From what was stored; nothing of what cannot be read.
    pub fn of_text(text: &str) -> Histogram {
        match serde_json::from_str(text) {
            Ok(Stored::Classes(classes)) => Histogram { classes, longest: None },
            Ok(Stored::Whole { classes, longest }) => Histogram { classes, longest },
            Err(_) => Histogram::default(),
        }
    }
}

/// The class of a span in seconds.
pub fn class_of(seconds: Expr) -> Expr {
    let class = |class: usize| Expr::Constant((class as i32).into());
    let cases = CaseStatement::new();
    let cases = ENDS.iter().enumerate().fold(cases, |cases, (number, end)| {
        cases.case(seconds.clone().lte(Expr::Constant((*end).into())), class(number))
    });
    cases.finally(class(ENDS.len())).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_read_off_within_a_class() {
        let mut spans = Histogram::default();
        assert_eq!(spans.quantile(0.5), None);
        spans.add(14, 50, 3_000);
        spans.add(17, 50, 10_000);
        assert_eq!(spans.quantile(0.25), Some(2.5));
        assert_eq!(spans.quantile(0.5), Some(3.0));
        assert_eq!(spans.quantile(0.75), Some(8.5));
        assert_eq!(spans.quantile(1.0), Some(10.0));
    }

    #[test]
    fn what_is_longer_than_every_class_is_at_least_the_longest() {
        let mut spans = Histogram::default();
        spans.merge(&Histogram { classes: [vec![0; ENDS.len()], vec![1]].concat(), longest: None });
        assert_eq!(spans.quantile(0.95), Some(14_400.0));
    }

    #[test]
    fn those_of_two_minutes_add_up() {
        let (mut one, mut two) = (Histogram::default(), Histogram::default());
        one.add(2, 3, 25);
        two.add(7, 4, 170);
        one.merge(&two);
        assert_eq!((one.count(), Histogram::of_text(&one.to_text())), (7, one));
    }

    #[test]
    fn no_share_is_longer_than_the_longest_span_that_was_seen() {
        let mut runs = Histogram::default();
        runs.add(14, 3, 2_900);
        runs.add(26, 1, 222_000);
        assert_eq!(runs.quantile(1.0), Some(222.0));
        assert!(runs.quantile(0.95).unwrap() < 222.0);
        // Of spans that were counted before the longest was kept nothing is known but their class.
        runs.merge(&Histogram::of_text("[0,0,1]"));
        assert_eq!((runs.count(), runs.quantile(1.0)), (5, Some(300.0)));
        assert_eq!(Histogram::of_text(&runs.to_text()), runs);
    }
}
