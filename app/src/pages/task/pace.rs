//! How fast a task runs and how long it still takes, from the progress seen so far. Only what is seen counts: after a
//! pause the pace is measured anew.

use std::collections::VecDeque;

use model::counted;

use crate::components::values::time::span;

/// How far back to look, in milliseconds: long enough to be steady, short enough to follow a change.
const WINDOW: f64 = 15_000.0;
/// Below this span a pace is a guess.
const ENOUGH: f64 = 1_500.0;

/// Progress over time.
#[derive(Clone, Debug, Default)]
pub struct TaskPace {
    seen: VecDeque<(f64, u64)>,
}

impl TaskPace {
    /// Notes how many people have been treated at a moment, in milliseconds.
    pub fn note(&mut self, at: f64, treated: u64) {
        if self.seen.back().is_some_and(|(_, before)| *before > treated) {
            self.seen.clear();
        }
        self.seen.push_back((at, treated));
        while self.seen.len() > 2 && self.seen.front().is_some_and(|(first, _)| at - first > WINDOW) {
            self.seen.pop_front();
        }
    }

    /// People per second, once that can be told.
    pub fn rate(&self) -> Option<f64> {
        let ((from, before), (to, after)) = (self.seen.front()?, self.seen.back()?);
        let (span, people) = (to - from, after.saturating_sub(*before));
        (span >= ENOUGH && people > 0).then(|| people as f64 * 1_000.0 / span)
    }
}

/// `33 people per second · about 17 s left`; `one` and `many` are what is counted.
pub fn words(rate: Option<f64>, left: u64, (one, many): (&str, &str)) -> Option<String> {
    let rate = rate?;
    let (number, time) = if rate >= 1.0 { (rate, "second") } else { (rate * 60.0, "minute") };
    let left = format!("about {} left", span(rounded((left as f64 / rate).ceil() as u64)));
    Some(match number.round() as u64 {
        0 => left,
        number => format!("{} per {time} · {left}", counted(number, one, many)),
    })
}

/// Seconds as somebody would say them: nobody knows an hour to the second.
fn rounded(seconds: u64) -> u64 {
    match seconds {
        0..=60 => seconds,
        61..=600 => seconds.next_multiple_of(10),
        _ => seconds.next_multiple_of(60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_that_of_the_last_seconds() {
        let mut pace = TaskPace::default();
        pace.note(0.0, 0);
        assert_eq!(pace.rate(), None);
        pace.note(1_000.0, 33);
        assert_eq!(pace.rate(), None, "one second is a guess");
        pace.note(2_000.0, 66);
        assert_eq!(pace.rate(), Some(33.0));
        pace.note(20_000.0, 66);
        pace.note(22_000.0, 266);
        assert_eq!(pace.rate(), Some(100.0), "what is long ago no longer counts");
    }

    #[test]
    fn a_retry_is_measured_anew() {
        let mut pace = TaskPace::default();
        pace.note(0.0, 500);
        pace.note(5_000.0, 20);
        assert_eq!(pace.rate(), None);
    }

    #[test]
    fn the_time_left_is_said_roughly() {
        let words = |rate, left| words(rate, left, ("person", "people"));
        assert_eq!(words(Some(33.2), 563).as_deref(), Some("33 people per second · about 17 s left"));
        assert_eq!(words(Some(0.5), 100).as_deref(), Some("30 people per minute · about 3 min 20 s left"));
        assert_eq!(words(Some(1.2), 5).as_deref(), Some("1 person per second · about 5 s left"));
        assert_eq!(words(Some(0.017), 1).as_deref(), Some("1 person per minute · about 59 s left"));
        assert_eq!(words(Some(0.005), 1).as_deref(), Some("about 3 min 20 s left"));
        assert_eq!(words(Some(10.0), 7_234).as_deref(), Some("10 people per second · about 13 min left"));
        assert_eq!(words(None, 5), None);
    }
}
