//! The one place where the queue reads the time.
//!
//! The database's clock decides eligibility, leases and deadlines (see [`crate::Database::statement`]); this clock is what
//! SQLite, which has none of its own worth comparing, uses for that, and what shifts both databases in tests.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use model::Instant;

/// The system's time, moved by an offset that is zero except in tests.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    offset_micros: Arc<AtomicI64>,
}

impl Clock {
    /// Moves the clock forward, for every holder of a clone. For tests.
    pub fn advance(&self, by: Duration) {
        let micros = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        self.offset_micros.fetch_add(micros, Ordering::SeqCst);
    }

    /// How far the clock was moved, in microseconds.
    pub fn offset_micros(&self) -> i64 {
        self.offset_micros.load(Ordering::SeqCst)
    }

    /// The time, cut to the microseconds that both databases keep.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the time")]
    pub fn now(&self) -> Instant {
        let micros = chrono::Utc::now().timestamp_micros().saturating_add(self.offset_micros());
        Instant::from_timestamp_micros(micros).unwrap_or_default()
    }
}
