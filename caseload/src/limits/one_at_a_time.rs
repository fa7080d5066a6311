//! What costs much is done once at a time for each account: others wait for one of somebody's requests and never for all of them.

use model::AccountId;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError, Weak},
};

use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

/// Whose turn it is, of each account that has something under way in this process.
#[derive(Clone, Default)]
pub struct AccountTurns(Arc<Mutex<HashMap<AccountId, Weak<Turn<()>>>>>);

impl AccountTurns {
    /// The account's turn, for as long as it is held.
    pub async fn wait(&self, account: AccountId) -> OwnedMutexGuard<()> {
        self.of(account).lock_owned().await
    }

    fn of(&self, account: AccountId) -> Arc<Turn<()>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turn) = all.get(&account).and_then(Weak::upgrade) {
            return turn;
        }
        all.retain(|_, turn| turn.strong_count() > 0);
        let turn = Arc::default();
        all.insert(account, Arc::downgrade(&turn));
        turn
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[test]
    fn one_accounts_second_request_waits_and_nobody_elses() {
        let (turns, one, other) = (AccountTurns::default(), AccountId::from_u128(1), AccountId::from_u128(2));
        let first = turns.wait(one).now_or_never().unwrap();
        let mut second = Box::pin(turns.wait(one));
        assert!((&mut second).now_or_never().is_none());
        assert!(turns.wait(other).now_or_never().is_some());
        drop(first);
        assert!((&mut second).now_or_never().is_some());
        drop(second);
        drop(turns.wait(other).now_or_never());
        assert_eq!(turns.0.lock().unwrap().len(), 1, "nothing is kept of those who have ended");
    }
}
