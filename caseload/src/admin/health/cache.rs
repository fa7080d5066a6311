//! The state of the queue as it was computed last, for all who look at the same moment.

use std::sync::Arc;

use model::{Instant, admin::QueueHealth};
use tokio::sync::Mutex;

/// What was computed last, with when. Whoever comes while it is being computed waits for it.
#[derive(Default)]
pub struct LastHealth(pub Mutex<Option<(Instant, Arc<QueueHealth>)>>);
