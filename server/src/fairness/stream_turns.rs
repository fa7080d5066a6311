//! How many streams make what they tell at once.

use std::sync::Arc;

use tokio::sync::Semaphore;

/// So many streams at once make what they tell: a change that hundreds of pages follow would otherwise keep whoever opens
/// another one waiting until all of them have been told.
#[derive(Clone)]
pub struct Turns(pub(crate) Arc<Semaphore>);

impl Turns {
    pub fn new(at_once: usize) -> Turns {
        Turns(Arc::new(Semaphore::new(at_once)))
    }
}
