//! How long a failed task waits before it is tried again.

use std::time::Duration;

/// The wait after the given failure (1 for the first): doubled each time up to `max`, then scattered down to half of it, so
/// that tasks which failed together do not come back together. `random` is from 0 up to 1.
pub fn backoff(base: Duration, max: Duration, failure: u32, random: f64) -> Duration {
    let doublings = failure.saturating_sub(1).min(31);
    let full = base.saturating_mul(1 << doublings).min(max);
    full.mul_f64(0.5 + 0.5 * random.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_doubles_and_stays_within_its_bounds() {
        let (base, max) = (Duration::from_secs(10), Duration::from_secs(3600));
        for failure in 1..200 {
            let (low, high) = (backoff(base, max, failure, 0.0), backoff(base, max, failure, 1.0));
            assert!(low >= base / 2 && high <= max && low <= high, "failure {failure}: {low:?} to {high:?}");
        }
        assert_eq!(backoff(base, max, 1, 1.0), base);
        assert_eq!(backoff(base, max, 3, 1.0), base * 4);
        assert_eq!(backoff(base, max, 3, 0.0), base * 2);
    }
}
