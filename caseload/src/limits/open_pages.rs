//! Who has how many live pages open in this process.

use model::AccountId;
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};

use queue::{Following, TaskChange};

/// What is followed by somebody who has a place.
pub struct LiveChanges {
    changes: Following,
    _place: Place,
}

impl LiveChanges {
    pub(crate) fn new(changes: Following, place: Place) -> LiveChanges {
        LiveChanges { changes, _place: place }
    }

    /// The next change.
    pub async fn recv(&mut self) -> TaskChange {
        self.changes.recv().await
    }
}

/// How many places each account holds, or whoever else counts for one; none holds no row.
#[derive(Clone)]
pub struct Places<K: Eq + Hash + Copy = AccountId>(Arc<Mutex<HashMap<K, u32>>>);

impl<K: Eq + Hash + Copy> Default for Places<K> {
    fn default() -> Self {
        Places(Arc::default())
    }
}

/// One of them, given back when it is dropped.
pub struct Place<K: Eq + Hash + Copy = AccountId> {
    places: Places<K>,
    account: K,
}

impl<K: Eq + Hash + Copy> Places<K> {
    /// A place, unless the account has so many already.
    pub fn take(&self, account: K, most: u32) -> Option<Place<K>> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = held.get(&account).copied().unwrap_or_default();
        if now >= most {
            return None;
        }
        held.insert(account, now + 1);
        Some(Place { places: self.clone(), account })
    }
}

impl<K: Eq + Hash + Copy> Drop for Place<K> {
    fn drop(&mut self) {
        let mut held = self.places.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(now) = held.get_mut(&self.account) {
            *now -= 1;
            if *now == 0 {
                held.remove(&self.account);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_free_again_once_its_page_is_closed() {
        let (places, one, other) = (Places::default(), AccountId::from_u128(1), AccountId::from_u128(2));
        let mut open: Vec<Place> = (0..8).map_while(|_| places.take(one, 8)).collect();
        assert_eq!((open.len(), places.take(one, 8).is_none(), places.take(other, 8).is_some()), (8, true, true));
        open.pop();
        assert!(places.take(one, 8).is_some());
        drop(open);
        assert!(places.0.lock().unwrap().is_empty(), "nothing is kept of those who are gone");
    }
}
