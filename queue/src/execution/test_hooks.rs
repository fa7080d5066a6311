//! Named points at which a test can hold a run, to bring about an order of events that is rare in life.

use std::{future::Future, pin::Pin, sync::Arc};

use crate::Task;

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// Claimed, not yet executing.
    Claimed,
    /// Executing, between two chunks; no transaction is open.
    BetweenChunks,
    /// At the end of a chunk's transaction, with its rows locked.
    BeforeCommit,
}

/// Called at each point. What it returns is awaited there.
pub type Probe = Arc<dyn Fn(Point, &Task) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>;

/// The probe of everyday life.
pub fn none() -> Probe {
    Arc::new(|_, _| Box::pin(std::future::ready(())))
}
