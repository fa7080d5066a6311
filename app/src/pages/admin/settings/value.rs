//! A value of a setting as people read it: a time with its unit, a number grouped, yes or no.

use crate::components::values::{numbers::grouped, time::span};

/// The value in words; nothing where it is best shown as it is written.
pub fn in_words(key: &str, value: &str) -> Option<String> {
    match value {
        "" => return Some("Not set".to_owned()),
        "true" => return Some("Yes".to_owned()),
        "false" => return Some("No".to_owned()),
        "never" => return Some("Never".to_owned()),
        "adaptive" => return Some("Adaptive".to_owned()),
        "DISABLED" => return Some("Off".to_owned()),
        "-1" => return Some("No limit".to_owned()),
        _ => {}
    }
    if let Some(rate) = value.strip_prefix("every ") {
        return time(rate.trim()).map(|time| format!("Every {time}"));
    }
    match value.parse::<u64>() {
        Ok(number) if key.ends_with("_mib") => Some(format!("{}\u{a0}MiB", grouped(number))),
        Ok(number) => Some(grouped(number)),
        Err(_) => time(value),
    }
}

fn time(value: &str) -> Option<String> {
    let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u64 = digits.parse().ok()?;
    let seconds = |unit: u64| number.checked_mul(unit).map(span);
    match &value[digits.len()..] {
        _ if number == 0 => Some("0\u{a0}s".to_owned()),
        "ms" => Some(format!("{}\u{a0}ms", grouped(number))),
        "s" => seconds(1),
        "m" => seconds(60),
        "h" if number <= 48 => seconds(3_600),
        "h" if number.is_multiple_of(24) => Some(format!("{}\u{a0}days", grouped(number / 24))),
        "h" => Some(format!("{}\u{a0}h", grouped(number))),
        "d" if number == 1 => Some("1\u{a0}day".to_owned()),
        "d" => Some(format!("{}\u{a0}days", grouped(number))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_has_its_unit() {
        let said = |key, value| in_words(key, value).map(|said| said.replace('\u{a0}', " "));
        let cases = [
            ("queue.slots", "8", "8"),
            ("export.max_rows", "1000000", "1,000,000"),
            ("http.sending_mib", "64", "64 MiB"),
            ("session.idle", "30m", "30 min"),
            ("queue.retention", "90d", "90 days"),
            ("mail.limit", "-1", "No limit"),
            ("schedule.sum_up", "every 60s", "Every 1 min"),
            ("schedule.prune_files", "every 3600s", "Every 1 h"),
            ("queue.self_test", "false", "No"),
            ("mail.smtp_url", "", "Not set"),
            ("mail.hold", "0s", "0 s"),
        ];
        for (key, value, words) in cases {
            assert_eq!(said(key, value).as_deref(), Some(words), "{key}");
        }
        for value in ["127.0.0.1:3000", "text", "0 3 * * *", "Docket <docket@localhost.localdomain>", "ä9s"] {
            assert_eq!(said("any", value), None, "{value}");
        }
    }
}
