//! Spans counted in classes that widen, so that those of many minutes add up and any share of them can be read off.

use sea_orm::sea_query::{CaseStatement, Expr, ExprTrait};
use serde::{Deserialize, Serialize};

/// The upper ends of the classes, in seconds; what is longer goes into one class more.
pub const ENDS: [f64; 34] = [
    0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0,
    45.0, 60.0, 90.0, 120.0, 180.0, 300.0, 450.0, 600.0, 900.0, 1_800.0, 3_600.0, 7_200.0, 14_400.0,
];

/// How many spans were in each class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Histogram(Vec<u64>);

impl Histogram {
    /// Counts spans of a class.
    pub fn add(&mut self, class: usize, spans: u64) {
        if self.0.len() <= class {
            self.0.resize(class + 1, 0);
        }
        self.0[class] += spans;
    }

    /// Adds those of another.
    pub fn merge(&mut self, other: &Histogram) {
        for (class, spans) in other.0.iter().enumerate().filter(|(_, spans)| **spans > 0) {
            self.add(class, *spans);
        }
    }

    /// How many spans there are.
    pub fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The span, in seconds, that this share of all do not exceed: between 0 and 1, such as 0.95. Within a class it is taken
    /// to grow evenly. Nothing without spans.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let wanted = self.count() as f64 * share.clamp(0.0, 1.0);
        let mut below = 0.0;
        for (class, spans) in self.0.iter().enumerate().filter(|(_, spans)| **spans > 0) {
            let spans = *spans as f64;
            let from = if class == 0 { 0.0 } else { ENDS[class.min(ENDS.len()) - 1] };
            // Of the last class nothing is known but where it begins.
            let to = ENDS.get(class).copied().unwrap_or(from);
            if below + spans >= wanted {
                return Some(from + (to - from) * ((wanted - below) / spans));
            }
            below += spans;
        }
        None
    }

    /// As it is stored.
    pub fn to_text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// From what was stored; nothing of what cannot be read.
    pub fn of_text(text: &str) -> Histogram {
        serde_json::from_str(text).unwrap_or_default()
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
        spans.add(14, 50);
        spans.add(17, 50);
        assert_eq!(spans.quantile(0.25), Some(2.5));
        assert_eq!(spans.quantile(0.5), Some(3.0));
        assert_eq!(spans.quantile(0.75), Some(8.5));
        assert_eq!(spans.quantile(1.0), Some(10.0));
    }

    #[test]
    fn what_is_longer_than_every_class_is_at_least_the_longest() {
        let mut spans = Histogram::default();
        spans.add(ENDS.len(), 1);
        assert_eq!(spans.quantile(0.95), Some(14_400.0));
    }

    #[test]
    fn those_of_two_minutes_add_up() {
        let (mut one, mut two) = (Histogram::default(), Histogram::default());
        one.add(2, 3);
        two.add(7, 4);
        one.merge(&two);
        assert_eq!((one.count(), Histogram::of_text(&one.to_text())), (7, one));
    }
}
