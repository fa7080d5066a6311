//! Slows down whoever guesses passwords: at most so many failed sign-ins a minute for one account, and for one address.
//!
//! An attempt counts as failed from its start, so that a thousand at once are no way around; success takes it back. Kept
//! in memory and bounded: it is a brake, not a record, and it starts afresh with the process.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Failures that are let through in one [`WINDOW`].
const ALLOWED: u32 = 10;
const WINDOW: Duration = Duration::from_secs(60);
/// Names and addresses remembered at once. Beyond it nobody new is let in until a window ends.
const REMEMBERED: usize = 100_000;

/// What failures are counted for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Counted {
    /// A user name as it was typed, in lower case, whether or not there is such an account.
    Account(String),
    Source(IpAddr),
}

/// Failures since the beginning of a window.
struct Failures {
    since: Instant,
    count: u32,
}

/// Counts failed sign-ins.
#[derive(Default)]
pub struct Throttle {
    failures: Mutex<HashMap<Counted, Failures>>,
}

/// A sign-in under way, counted as failed until [`Throttle::succeeded`].
#[derive(Debug)]
pub struct Attempt(Vec<Counted>);

impl Throttle {
    /// Counts an attempt, or says for how long there may be none.
    pub fn attempt(&self, username: &str, source: Option<IpAddr>, now: Instant) -> Result<Attempt, Duration> {
        // A name longer than any account's needs no more room than its beginning.
        let account = Counted::Account(caseload::account_key(username).chars().take(200).collect());
        let counted: Vec<_> = std::iter::once(account).chain(source.map(network).map(Counted::Source)).collect();
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if failures.len() >= REMEMBERED {
            failures.retain(|_, failures| now.duration_since(failures.since) < WINDOW);
        }
        for key in &counted {
            match failures.get(key) {
                Some(of) if of.count >= ALLOWED && now.duration_since(of.since) < WINDOW => {
                    return Err(WINDOW.saturating_sub(now.duration_since(of.since)));
                }
                None if failures.len() >= REMEMBERED => return Err(WINDOW),
                _ => {}
            }
        }
        for key in &counted {
            let of = failures.entry(key.clone()).or_insert(Failures { since: now, count: 0 });
            if now.duration_since(of.since) >= WINDOW {
                *of = Failures { since: now, count: 0 };
            }
            of.count += 1;
        }
        Ok(Attempt(counted))
    }

    /// Takes an attempt back: it was the account's owner. The account starts afresh; the address keeps its other failures.
    pub fn succeeded(&self, attempt: Attempt) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        for key in attempt.0 {
            match &key {
                Counted::Account(_) => {
                    failures.remove(&key);
                }
                Counted::Source(_) => {
                    if let Some(of) = failures.get_mut(&key) {
                        of.count = of.count.saturating_sub(1);
                    }
                }
            }
        }
    }
}

/// One customer of a provider has a whole /64 of IPv6 addresses to call from.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => v4.into(),
            None => Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 64)).into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> Option<IpAddr> {
        Some(IpAddr::from([10, 0, 0, last]))
    }

    #[test]
    fn ten_failures_of_an_account_are_enough_for_a_minute() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        for last in 0..10 {
            throttle.attempt("Coach", address(last), start).unwrap();
        }
        let later = start + Duration::from_secs(20);
        assert_eq!(throttle.attempt("coach ", address(99), later).unwrap_err(), Duration::from_secs(40));
        assert!(throttle.attempt("manager", address(99), later).is_ok());
        assert!(throttle.attempt("coach", address(99), start + WINDOW).is_ok());
    }

    #[test]
    fn ten_failures_from_an_address_are_enough_whoever_they_name() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        for name in 0..10 {
            throttle.attempt(&format!("user{name}"), address(1), start).unwrap();
        }
        assert!(throttle.attempt("another", address(1), start).is_err());
        assert!(throttle.attempt("another", address(2), start).is_ok());
    }

    #[test]
    fn a_neighbouring_address_of_the_same_network_is_the_same_source() {
        let throttle = Throttle::default();
        let start = Instant::now();
        for host in 0..10_u16 {
            let source = Some(IpAddr::from([0x2001, 0xdb8, 0, 1, 0, 0, 0, host]));
            throttle.attempt(&format!("user{host}"), source, start).unwrap();
        }
        let again = Some(IpAddr::from([0x2001, 0xdb8, 0, 1, 0xffff, 0, 0, 1]));
        assert!(throttle.attempt("another", again, start).is_err());
    }

    #[test]
    fn whoever_gets_in_is_not_slowed_down() {
        let (throttle, start) = (Throttle::default(), Instant::now());
        for _ in 0..100 {
            let attempt = throttle.attempt("coach", address(1), start).unwrap();
            throttle.succeeded(attempt);
        }
    }
}
