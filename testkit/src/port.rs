//! Ports for the servers that tests start.

use std::{
    net::TcpListener,
    process,
    sync::atomic::{AtomicU32, Ordering},
};

/// Below those that the machine gives to outgoing connections, which would otherwise be given one before its server starts.
const FROM: u32 = 10_000;
const MANY: u32 = 22_000;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// A port that nothing listens on, and no other one of this process's.
///
/// # Panics
/// When something listens on all of them.
pub fn free(ip: &str) -> u16 {
    let next = || {
        // Programs that run beside each other begin in different places.
        let place = process::id().wrapping_mul(101).wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % MANY;
        u16::try_from(FROM + place).ok().filter(|port| TcpListener::bind((ip, *port)).is_ok())
    };
    (0..MANY).find_map(|_| next()).unwrap_or_else(|| panic!("no port from {FROM} on is free on {ip}"))
}
