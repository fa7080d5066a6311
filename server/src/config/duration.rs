//! Durations as people write them in settings: a whole number and a unit, `15s`, `5m`, `2h`, `7d`, and `100ms`.

use std::time::Duration;

/// Reads a duration.
pub fn parse(text: &str) -> Result<Duration, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let milliseconds = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    // A century is beyond any use, and far below where adding it to a date overflows.
    let total = number.checked_mul(milliseconds).filter(|total| *total <= 36_525 * 86_400_000);
    total.map(Duration::from_millis).ok_or_else(|| "a duration of at most a hundred years is needed".to_owned())
}

/// Reads a duration longer than nothing.
pub fn positive(text: &str) -> Result<Duration, String> {
    parse(text).and_then(|read| if read.is_zero() { Err("a duration above zero is needed".into()) } else { Ok(read) })
}

fn wrong() -> String {
    "a duration is needed, such as 15s, 5m, 2h or 7d".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_and_a_unit_make_a_duration() {
        let read = ["100ms", "15s", "5m", "2h", "7d"].map(|text| parse(text).unwrap().as_millis());
        assert_eq!(read, [100, 15_000, 300_000, 7_200_000, 604_800_000]);
    }

    #[test]
    fn anything_else_does_not() {
        for text in ["", "15", "s", "-1s", "1.5h", "1 h", "1w", "99999999999999999999s", "9999999999d", "½h"] {
            assert!(parse(text).is_err(), "{text:?}");
        }
        assert!(positive("0s").is_err());
    }
}
