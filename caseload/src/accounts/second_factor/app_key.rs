//! The key that an authenticator app shares with Docket, and the codes that both make of it and the time (RFC 6238): six digits, new
//! every half minute, by SHA-1, which is what all apps know.

use std::fmt;

use model::Instant;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest, Sha256};
use totp_rs::{Builder, Secret, Totp};

/// How long a code lasts, in seconds.
const STEP: i64 = 30;
/// By how many steps the clock of a phone may be off.
const SKEW: i64 = 1;
/// What the app calls all of it.
const ISSUER: &str = "Docket";

/// A key that only its owner's app and Docket have.
#[derive(Clone, PartialEq, Eq)]
pub struct AppKey([u8; 20]);

/// Which it is, nobody can learn from here.
impl fmt::Debug for AppKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AppKey(…)")
    }
}

/// What a code turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CodeVerdict {
    /// Right, of this step.
    Of(i64),
    /// Right, but it or a later one was taken before.
    Before,
    Wrong,
}

impl AppKey {
    /// One that nobody can guess.
    pub fn draw() -> AppKey {
        let drawn = Sha256::digest([queue::secret_bytes(), queue::secret_bytes()].concat());
        AppKey(std::array::from_fn(|place| drawn[place]))
    }

    /// As [`AppKey::base32`] has it.
    pub fn read(text: &str) -> Option<AppKey> {
        let secret = Secret::try_from_base32(text).ok()?;
        secret.as_bytes().try_into().ok().map(AppKey)
    }

    /// As apps write it.
    pub fn base32(&self) -> String {
        Secret::from(self.0).to_base32()
    }

    /// The same for whoever types it.
    pub fn in_groups(&self) -> String {
        let text = self.base32();
        let groups: Vec<&str> = (0..text.len()).step_by(4).filter_map(|at| text.get(at..at + 4)).collect();
        groups.join(" ")
    }

    /// What the app reads from the screen.
    pub fn address(&self, username: &str) -> String {
        let name = utf8_percent_encode(username, NON_ALPHANUMERIC);
        format!("otpauth://totp/{ISSUER}:{name}?secret={}&issuer={ISSUER}", self.base32())
    }

    /// What a code is at this time, after one of this step was taken.
    pub(super) fn judge(&self, code: &str, now: Instant, last: i64) -> CodeVerdict {
        let (totp, at) = (self.totp(), now.timestamp().div_euclid(STEP));
        let is_of = |step: &i64| totp.check(code, u64::try_from(step * STEP).unwrap_or_default()).is_some();
        let right: Vec<i64> = (at - SKEW..=at + SKEW).filter(is_of).collect();
        match right.iter().find(|step| **step > last) {
            Some(step) => CodeVerdict::Of(*step),
            None if right.is_empty() => CodeVerdict::Wrong,
            None => CodeVerdict::Before,
        }
    }

    fn totp(&self) -> Totp {
        // The steps beside the present one are looked at above, where it is known which was taken.
        Builder::new().with_secret(self.0).with_skew(0).build_noncompliant()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// The key of the vectors in RFC 6238.
    fn published() -> AppKey {
        AppKey(*b"12345678901234567890")
    }

    fn at(seconds: u64) -> Instant {
        Instant::UNIX_EPOCH + Duration::from_secs(seconds)
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        // The last six of its eight digits.
        let vectors = [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ];
        for (time, code) in vectors {
            let step = i64::try_from(time).unwrap() / STEP;
            assert_eq!(published().judge(code, at(time), 0), CodeVerdict::Of(step), "{time}");
        }
    }

    #[test]
    fn a_clock_may_be_off_by_one_step_and_by_no_more() {
        let code = published().totp().generate(1_000 * 30).to_string();
        let judged = [998, 999, 1_000, 1_001, 1_002].map(|step| published().judge(&code, at(step * 30 + 7), 0));
        assert_eq!(
            judged,
            [
                CodeVerdict::Wrong,
                CodeVerdict::Of(1_000),
                CodeVerdict::Of(1_000),
                CodeVerdict::Of(1_000),
                CodeVerdict::Wrong
            ]
        );
    }

    #[test]
    fn a_code_that_was_taken_or_is_older_than_that_counts_no_more() {
        let code = |step: u64| published().totp().generate(step * 30).to_string();
        let judged = [999, 1_000, 1_001].map(|step| published().judge(&code(step), at(1_000 * 30), 1_000));
        assert_eq!(judged, [CodeVerdict::Before, CodeVerdict::Before, CodeVerdict::Of(1_001)]);
    }

    #[test]
    fn only_six_digits_are_a_code() {
        for other in ["", "28708", "2870820", "+87082", "28708x", "२८७०८२"] {
            assert_eq!(published().judge(other, at(59), 0), CodeVerdict::Wrong, "{other}");
        }
    }

    #[test]
    fn an_app_reads_whose_key_it_is_whatever_they_are_called() {
        let key = published();
        assert_eq!(AppKey::read(&key.base32()), Some(key.clone()));
        assert_eq!([AppKey::read("x"), AppKey::read("AAAA")], [None, None]);
        assert_eq!(key.in_groups(), "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ");
        let address = key.address("ann&b@c?d");
        assert_eq!(
            address,
            "otpauth://totp/Docket:ann%26b%40c%3Fd?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Docket"
        );
        assert_ne!(AppKey::draw(), AppKey::draw());
        assert_eq!(format!("{key:?}"), "AppKey(…)");
    }
}
