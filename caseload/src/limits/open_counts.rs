//! How many things each account has open at once in this process.

use model::AccountId;
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};

/// How many each account has open, or whoever else counts for one; none holds no row.
#[derive(Clone)]
pub struct OpenCounts<K: Eq + Hash + Copy = AccountId>(Arc<Mutex<HashMap<K, u32>>>);

impl<K: Eq + Hash + Copy> Default for OpenCounts<K> {
    fn default() -> Self {
        OpenCounts(Arc::default())
    }
}

/// One of them, until it is dropped.
pub struct OpenCount<K: Eq + Hash + Copy = AccountId> {
    counts: OpenCounts<K>,
    account: K,
}

impl<K: Eq + Hash + Copy> OpenCounts<K> {
    /// One more, unless the account has so many already.
    pub fn take(&self, account: K, most: u32) -> Option<OpenCount<K>> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = held.get(&account).copied().unwrap_or_default();
        if now >= most {
            return None;
        }
        held.insert(account, now + 1);
        Some(OpenCount { counts: self.clone(), account })
    }
}

impl<K: Eq + Hash + Copy> Drop for OpenCount<K> {
    fn drop(&mut self) {
        let mut held = self.counts.0.lock().unwrap_or_else(PoisonError::into_inner);
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
    fn one_that_was_closed_counts_no_more() {
        let (counts, one, other) = (OpenCounts::default(), AccountId::from_u128(1), AccountId::from_u128(2));
        let mut open: Vec<OpenCount> = (0..8).map_while(|_| counts.take(one, 8)).collect();
        assert_eq!((open.len(), counts.take(one, 8).is_none(), counts.take(other, 8).is_some()), (8, true, true));
        open.pop();
        assert!(counts.take(one, 8).is_some());
        drop(open);
        assert!(counts.0.lock().unwrap().is_empty(), "nothing is kept of those who are gone");
    }
}
