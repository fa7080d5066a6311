//! The time of a schedule: by a cron expression in a time zone, at a fixed rate, or never.

use std::{fmt, str::FromStr, time::Duration};

use chrono_tz::Tz;
use croner::Cron;
use model::Instant;

/// When a schedule fires.
#[derive(Clone, Debug)]
pub enum When {
    /// Five fields: minute, hour, day of month, month, day of week.
    Cron(Box<Cron>),
    /// Counted from 1970, so that all processes count alike.
    Every(Duration),
    Disabled,
}

/// What turns a schedule off.
const DISABLED: &str = "DISABLED";
const EVERY: &str = "every ";

impl When {
    /// The first fire after an instant; none when it is disabled, or never again.
    pub fn next_after(&self, after: Instant, zone: Tz) -> Option<Instant> {
        match self {
            When::Cron(cron) => {
                let next = cron.find_next_occurrence(&after.with_timezone(&zone), false).ok()?;
                Some(next.with_timezone(&chrono::Utc))
            }
            When::Every(rate) => {
                let rate = i64::try_from(rate.as_micros()).ok()?.max(1);
                let turns = after.timestamp_micros().div_euclid(rate) + 1;
                Instant::from_timestamp_micros(turns.checked_mul(rate)?)
            }
            When::Disabled => None,
        }
    }
}

impl When {
    /// For people: `every 30 s`, `every hour`, or what a cron expression says.
    pub fn words(&self) -> String {
        match self {
            When::Cron(cron) => {
                let said = cron.describe();
                let mut letters = said.trim_end_matches('.').chars();
                letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
            }
            When::Every(rate) => match rate.as_secs() {
                60 => "every\u{a0}minute".to_owned(),
                3_600 => "every\u{a0}hour".to_owned(),
                86_400 => "every\u{a0}day".to_owned(),
                s if s % 3_600 == 0 => format!("every {}\u{a0}h", s / 3_600),
                s if s % 60 == 0 => format!("every {}\u{a0}min", s / 60),
                s => format!("every {s}\u{a0}s"),
            },
            When::Disabled => "never".to_owned(),
        }
    }
}

/// A cron expression, `every` and a time such as `30s` or `1h`, or `DISABLED`. The error says what is wrong.
impl FromStr for When {
    type Err = String;

    fn from_str(text: &str) -> Result<When, String> {
        let text = text.trim();
        if text.eq_ignore_ascii_case(DISABLED) {
            return Ok(When::Disabled);
        }
        if let Some(rate) = text.strip_prefix(EVERY) {
            let wanted = "after “every” a whole number and a unit are needed, such as 30s, 5m, 1h or 1d";
            return Ok(When::Every(seconds(rate.trim()).map(Duration::from_secs).ok_or(wanted)?));
        }
        // The parser knows seconds, years and nicknames as well, which nobody is told of.
        let cron = text.split_whitespace().count() == 5;
        let cron = cron.then(|| Cron::from_str(text).ok()).flatten().ok_or_else(|| {
            format!("“{text}” is no minute, hour, day of month, month and day of week, such as 30 2 * * *")
        })?;
        match cron.find_next_occurrence(&Instant::UNIX_EPOCH, false) {
            Ok(_) => Ok(When::Cron(Box::new(cron))),
            Err(_) => Err(format!("“{text}” never comes")),
        }
    }
}

/// The seconds of a rate: `30s`, `5m`, `1h`, `1d`, or a bare number of them; no more than a century.
fn seconds(rate: &str) -> Option<u64> {
    let (number, unit) = rate.split_at(rate.find(|c: char| !c.is_ascii_digit()).unwrap_or(rate.len()));
    let unit = match unit.trim() {
        "" | "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(unit).filter(|seconds| (1..=36_525 * 86_400).contains(seconds))
}

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            When::Cron(cron) => write!(f, "{}", cron.pattern),
            When::Every(rate) => write!(f, "{EVERY}{}s", rate.as_secs()),
            When::Disabled => f.write_str(DISABLED),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(when: &str, after: &str, zone: Tz) -> String {
        let next = when.parse::<When>().unwrap().next_after(after.parse().unwrap(), zone);
        next.map_or_else(|| "never".to_owned(), |next| next.format("%Y-%m-%dT%H:%M:%SZ").to_string())
    }

    #[test]
    fn the_clock_on_the_wall_decides() {
        let at = |after| next("30 2 * * *", after, Tz::Europe__Oslo);
        assert_eq!(at("2026-11-21T00:00:00Z"), "2026-11-21T01:30:00Z");
        assert_eq!(at("2026-11-21T01:30:00Z"), "2026-11-22T01:30:00Z", "after, not at");
        // The night that has the hour twice, and the one that does not have it: fired once, and not lost.
        assert_eq!(at("2026-10-24T12:00:00Z"), "2026-10-25T00:30:00Z");
        assert!(at("2026-03-28T12:00:00Z").starts_with("2026-03-29T01:"));
    }

    #[test]
    fn a_rate_counts_from_the_same_moment_everywhere() {
        assert_eq!(next("every 3600s", "2026-11-21T10:59:59Z", Tz::UTC), "2026-11-21T11:00:00Z");
        assert_eq!(next("every 3600s", "2026-11-21T11:00:00Z", Tz::UTC), "2026-11-21T12:00:00Z");
    }

    #[test]
    fn what_is_disabled_never_fires_and_what_is_wrong_is_said() {
        assert_eq!(next("disabled", "2026-11-21T10:00:00Z", Tz::UTC), "never");
        for (text, same) in [("every 1h", "every 3600s"), ("every 5m", "every 300s"), ("every 1 d", "every 86400s")] {
            assert_eq!(text.parse::<When>().unwrap().to_string(), same);
        }
        for wrong in [
            "",
            "61 * * * *",
            "every",
            "every 0s",
            "every x",
            "every 1w",
            "every 99999999d",
            "tomorrow",
            "* * * * * *",
            "* * * * * * *",
            "@daily",
            "0 0 31 2 *",
            "0 0 * *",
        ] {
            assert!(wrong.parse::<When>().is_err(), "{wrong}");
        }
        for kept in ["30 2 * * *", "every 3600s", "DISABLED"] {
            assert_eq!(kept.parse::<When>().unwrap().to_string(), kept);
        }
    }
}
