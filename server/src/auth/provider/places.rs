//! How many sign-ins of one place have a provider asked for them at once: whoever makes up answers by the hundred keeps nobody elsewhere
//! from coming in.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::Duration,
};

use caseload::request_origin::network;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

const OF_ONE_PLACE: usize = 4;
/// How long a further one waits.
const IN_LINE: Duration = Duration::from_secs(10);

/// A place in its line; the next one comes when it is dropped.
pub struct PlaceTurn(#[expect(dead_code, reason = "it is held")] OwnedSemaphorePermit);

#[derive(Clone, Default)]
pub struct Places(Arc<Mutex<HashMap<Option<IpAddr>, Weak<Semaphore>>>>);

impl Places {
    /// The turn of a sign-in from there; nothing where too many wait.
    pub async fn turn(&self, source: Option<IpAddr>) -> Option<PlaceTurn> {
        let line = self.line(source.map(network));
        let turn = tokio::time::timeout(IN_LINE, line.acquire_owned()).await;
        Some(PlaceTurn(turn.ok()?.ok()?))
    }

    fn line(&self, place: Option<IpAddr>) -> Arc<Semaphore> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(line) = lines.get(&place).and_then(Weak::upgrade) {
            return line;
        }
        // Where nobody signs in any more.
        lines.retain(|_, line| line.strong_count() > 0);
        let line = Arc::new(Semaphore::new(OF_ONE_PLACE));
        lines.insert(place, Arc::downgrade(&line));
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_at_one_place_keep_nobody_out_elsewhere() {
        let (places, here, there) = (Places::default(), "10.0.0.1".parse().ok(), "10.0.0.2".parse().ok());
        let now = |place| places.line(place).try_acquire_owned().ok();
        let mut held: Vec<_> = (0..OF_ONE_PLACE).map(|_| now(here).expect("there is room")).collect();
        assert!(now(here).is_none() && now(there).is_some());
        held.pop();
        assert!(now(here).is_some());
        // A line in which nobody stands is forgotten by the next one.
        drop(held);
        assert_eq!((now(there).is_some(), places.0.lock().unwrap().len()), (true, 1));
    }
}
