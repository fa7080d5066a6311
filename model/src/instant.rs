//! When something happens.

/// An instant, in UTC. Tables hold microseconds.
pub type Instant = chrono::DateTime<chrono::Utc>;
