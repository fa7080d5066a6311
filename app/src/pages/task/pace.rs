//! How fast a task runs and how long it still takes, from the progress seen so far. Only what is seen counts: after a
//! pause the pace is measured anew. How long it still takes follows what is seen by and by, so that it never jumps.

use std::collections::VecDeque;

use crate::components::values::numbers::counted;
use crate::components::values::time::span;

/// How far back to look, in milliseconds: long enough to be steady, short enough to follow a change.
const WINDOW: f64 = 15_000.0;
/// Below this span a pace is a guess.
const ENOUGH: f64 = 1_500.0;
/// By which part of what is seen the time left is corrected each time.
const SHARE: f64 = 0.25;
/// Nobody knows what is more than a day ahead, in seconds.
const KNOWN: f64 = 86_400.0;

/// Progress over time.
#[derive(Clone, Debug, Default)]
pub struct TaskPace {
    seen: VecDeque<(f64, u64)>,
    /// When it was looked at last, and the seconds that were left then.
    left: Option<(f64, f64)>,
}

impl TaskPace {
    /// Notes how many people have been treated at a moment, in milliseconds, and how many are left.
    pub fn note(&mut self, at: f64, treated: u64, open: u64) {
        if self.seen.back().is_some_and(|(_, before)| *before > treated) {
            *self = TaskPace::default();
        }
        self.seen.push_back((at, treated));
        while self.seen.len() > 2 && self.seen.front().is_some_and(|(first, _)| at - first > WINDOW) {
            self.seen.pop_front();
        }
        self.left = self.rate().filter(|_| open > 0).map(|rate| {
            let seen = open as f64 / rate;
            let said = self.left.map_or(seen, |(then, left)| (left - (at - then) / 1_000.0).max(0.0));
            (at, said + (seen - said) * SHARE)
        });
    }

    /// People per second, once that can be told.
    pub fn rate(&self) -> Option<f64> {
        let ((from, before), (to, after)) = (self.seen.front()?, self.seen.back()?);
        let (span, people) = (to - from, after.saturating_sub(*before));
        (span >= ENOUGH && people > 0).then(|| people as f64 * 1_000.0 / span)
    }

    /// `about 3 min left · 58 people a second`; `one` and `many` are what is counted.
    pub fn words(&self, (one, many): (&str, &str)) -> Option<String> {
        let (rate, (_, left)) = (self.rate()?, self.left.filter(|(_, left)| *left < KNOWN)?);
        let (number, time) = if rate >= 1.0 { (rate, "second") } else { (rate * 60.0, "minute") };
        let left = roughly(left.ceil() as u64);
        Some(match number.round() as u64 {
            0 => left,
            number => format!("{left} · {} a {time}", counted(number, one, many)),
        })
    }
}

/// Seconds as somebody would say them: nobody knows an hour to the second.
fn roughly(seconds: u64) -> String {
    let about = match seconds {
        0..=5 => return "a few seconds left".to_owned(),
        6..=55 => seconds.next_multiple_of(5),
        56..=3_600 => seconds.next_multiple_of(60),
        _ => seconds.next_multiple_of(600),
    };
    format!("about {} left", span(about))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pace_is_that_of_the_last_seconds() {
        let mut pace = TaskPace::default();
        pace.note(0.0, 0, 1_000);
        assert_eq!(pace.rate(), None);
        pace.note(1_000.0, 33, 967);
        assert_eq!((pace.rate(), pace.words(("person", "people"))), (None, None), "one second is a guess");
        pace.note(2_000.0, 66, 934);
        assert_eq!(pace.rate(), Some(33.0));
        pace.note(20_000.0, 66, 934);
        pace.note(22_000.0, 266, 734);
        assert_eq!(pace.rate(), Some(100.0), "what is long ago no longer counts");
    }

    #[test]
    fn a_retry_is_measured_anew() {
        let mut pace = TaskPace::default();
        pace.note(0.0, 500, 500);
        pace.note(5_000.0, 20, 980);
        assert_eq!(pace.rate(), None);
    }

    #[test]
    fn the_time_left_is_said_roughly() {
        let words = |seconds: f64, people, open| {
            let mut pace = TaskPace::default();
            pace.note(0.0, 0, open + people);
            pace.note(seconds * 1_000.0, people, open);
            pace.words(("person", "people"))
        };
        assert_eq!(words(2.0, 116, 10_000).as_deref(), Some("about 3 min left · 58 people a second"));
        assert_eq!(words(10.0, 5, 100).as_deref(), Some("about 4 min left · 30 people a minute"));
        assert_eq!(words(10.0, 12, 5).as_deref(), Some("a few seconds left · 1 person a second"));
        assert_eq!(words(10.0, 330, 563).as_deref(), Some("about 20 s left · 33 people a second"));
        assert_eq!(words(10.0, 100, 72_340).as_deref(), Some("about 2 h 10 min left · 10 people a second"));
        assert_eq!(words(2.0, 0, 5), None, "nobody knows");
        assert_eq!(words(10.0, 1, 100_000), None, "nobody knows what comes in days");
        assert_eq!(words(10.0, 100, 0), None, "nothing is left");
    }

    #[test]
    fn the_time_left_never_jumps() {
        let mut pace = TaskPace::default();
        let mut before = None;
        // A chunk every half second, of very different sizes.
        let (mut done, mut open) = (0, 20_000);
        for (tick, size) in [40, 400, 0, 0, 600, 20, 0, 900, 10, 10, 0, 700].iter().cycle().take(40).enumerate() {
            done += size;
            open -= size;
            pace.note(tick as f64 * 500.0, done, open);
            let Some((_, left)) = pace.left else { continue };
            if let Some(before) = before.filter(|_| tick > 10) {
                let change: f64 = left - before;
                assert!(change.abs() < before * 0.2, "from {before} to {left} s");
            }
            before = Some(left);
        }
    }
}
