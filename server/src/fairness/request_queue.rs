//! Who goes next when more is asked for than can be done at once: whoever has had least of late. A program that asks as quickly as
//! it is answered waits for itself, and somebody who opens a page now and then is let through.

use model::AccountId;
use std::{
    cmp::Ordering,
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::{sync::oneshot, time::timeout};

/// Nobody waits for longer, nor keeps a place for longer: a request may be slow because its sender is.
const PATIENCE: Duration = Duration::from_secs(1);
/// In this time, half of what somebody has had is forgotten.
const HALVED: Duration = Duration::from_secs(2);
/// Whoever has had less of late may also take the last place, which is kept from everybody else. A page of 30 ms each second is
/// below it, and each of twenty who ask as quickly as they are answered is above it.
const LITTLE: Duration = Duration::from_millis(110);

/// The line, and those who are being served.
pub struct WaitingLine {
    state: Mutex<LineState>,
    patience: Duration,
}

struct LineState {
    places: usize,
    /// What each account has had.
    served: HashMap<AccountId, Served>,
    busy: BTreeMap<u64, Busy>,
    waiting: Vec<WaitingRequest>,
    /// How many places were given.
    given: u64,
}

#[derive(Clone, Copy)]
struct Served {
    /// In seconds, as of `at`.
    had: f64,
    at: Instant,
}

/// A place that is taken. Whoever waits for something else than a processor does so without it after a while.
struct Busy {
    account: AccountId,
    since: Instant,
}

struct WaitingRequest {
    account: AccountId,
    go: oneshot::Sender<RequestPlace>,
}

/// A request that is being served, until it is dropped.
pub struct RequestPlace {
    line: Arc<WaitingLine>,
    account: AccountId,
    since: Instant,
    /// Its number among those that are counted.
    counted: Option<u64>,
}

impl WaitingLine {
    /// A line before so many places.
    pub fn new(places: usize) -> WaitingLine {
        WaitingLine { state: Mutex::new(LineState::new(places)), patience: PATIENCE }
    }

    /// Waits until it is the account's turn.
    pub async fn enter(self: &Arc<Self>, account: AccountId) -> RequestPlace {
        let (go, gone) = oneshot::channel();
        self.lock().waiting.push(WaitingRequest { account, go });
        self.let_in();
        match timeout(self.patience, gone).await {
            Ok(Ok(place)) => place,
            // Beside the places: it must not keep those who wait from one.
            Ok(Err(_)) | Err(_) => RequestPlace { line: self.clone(), account, since: Instant::now(), counted: None },
        }
    }

    /// Gives places to those who may have one, in their order.
    fn let_in(self: &Arc<Self>) {
        loop {
            let next = {
                let mut state = self.lock();
                state.waiting.retain(|waiting| !waiting.go.is_closed());
                state.next(Instant::now())
            };
            let Some((number, WaitingRequest { account, go })) = next else { return };
            // Whoever has left meanwhile gives it back at once.
            drop(go.send(RequestPlace { line: self.clone(), account, since: Instant::now(), counted: Some(number) }));
        }
    }

    fn lock(&self) -> MutexGuard<'_, LineState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LineState {
    fn new(places: usize) -> LineState {
        LineState {
            places: places.max(2),
            served: HashMap::new(),
            busy: BTreeMap::new(),
            waiting: Vec::new(),
            given: 0,
        }
    }

    /// Takes out whoever goes next, and counts their place; with its number.
    fn next(&mut self, now: Instant) -> Option<(u64, WaitingRequest)> {
        self.busy.retain(|_, busy| now.saturating_duration_since(busy.since) < PATIENCE);
        let had = |waiting: &WaitingRequest| self.had(waiting.account, now);
        let ready = self.waiting.iter().enumerate().filter(|(_, waiting)| self.may_go(waiting.account, now));
        // The first of those who have had equally little is whoever came first.
        let (at, _) = ready.min_by(|(_, a), (_, b)| had(a).partial_cmp(&had(b)).unwrap_or(Ordering::Equal))?;
        let waiting = self.waiting.remove(at);
        self.given += 1;
        self.busy.insert(self.given, Busy { account: waiting.account, since: now });
        Some((self.given, waiting))
    }

    fn may_go(&self, account: AccountId, now: Instant) -> bool {
        let of_account = self.busy.values().filter(|busy| busy.account == account).count();
        let left = self.places.saturating_sub(self.busy.len());
        of_account < self.places / 2 && (left > 1 || left == 1 && self.had(account, now) < LITTLE.as_secs_f64())
    }

    /// What an account has had of late, in seconds.
    fn had(&self, account: AccountId, now: Instant) -> f64 {
        self.served.get(&account).map_or(0.0, |served| served.had_at(now))
    }

    fn end(&mut self, account: AccountId, counted: Option<u64>, since: Instant, now: Instant) {
        if let Some(number) = counted {
            self.busy.remove(&number);
        }
        let served = self.served.entry(account).or_insert(Served { had: 0.0, at: now });
        *served = Served { had: served.had_at(now) + (now - since).as_secs_f64(), at: now };
    }
}

impl Served {
    fn had_at(&self, now: Instant) -> f64 {
        self.had * 0.5_f64.powf((now - self.at).as_secs_f64() / HALVED.as_secs_f64())
    }
}

impl Drop for RequestPlace {
    fn drop(&mut self) {
        self.line.lock().end(self.account, self.counted, self.since, Instant::now());
        self.line.let_in();
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    testkit::tests!(on one thread; nobody_waits_for_ever_and_whoever_leaves_takes_no_place);

    const ONE: AccountId = AccountId::from_u128(1);
    const OTHER: AccountId = AccountId::from_u128(2);
    const THIRD: AccountId = AccountId::from_u128(3);

    /// A line in which some have had something, in milliseconds, until now.
    fn after(places: usize, had: &[(AccountId, u64)]) -> (LineState, Instant) {
        let (mut state, began) = (LineState::new(places), Instant::now());
        let now = began + Duration::from_secs(1);
        for (account, ms) in had {
            let since = now - Duration::from_millis(*ms);
            state.end(*account, None, since, now);
        }
        (state, now)
    }

    /// Who goes next when these wait.
    fn next(state: &mut LineState, waiting: &[AccountId], now: Instant) -> Option<AccountId> {
        state.waiting =
            waiting.iter().map(|account| WaitingRequest { account: *account, go: oneshot::channel().0 }).collect();
        state.next(now).map(|(_, waiting)| waiting.account)
    }

    #[test]
    fn whoever_has_had_least_goes_next() {
        let (mut state, now) = after(8, &[(ONE, 900), (OTHER, 600)]);
        assert_eq!(next(&mut state, &[ONE, OTHER], now), Some(OTHER));
        assert_eq!(next(&mut state, &[ONE, THIRD, OTHER], now), Some(THIRD));
        let others = [AccountId::from_u128(4), AccountId::from_u128(5)];
        assert_eq!(next(&mut state, &others, now), Some(others[0]), "whoever came first, of two alike");
    }

    #[test]
    fn the_last_place_is_for_whoever_has_had_little() {
        let (mut state, now) = after(2, &[(ONE, 900), (OTHER, 900)]);
        assert_eq!(next(&mut state, &[ONE], now), Some(ONE));
        assert_eq!(next(&mut state, &[OTHER], now), None);
        assert_eq!(next(&mut state, &[OTHER, THIRD], now), Some(THIRD), "somebody who asks now and then");
        let last = state.given;
        state.end(THIRD, Some(last), now, now);
        assert_eq!(next(&mut state, &[OTHER], now), None);
        assert_eq!(
            next(&mut state, &[OTHER], now + PATIENCE),
            Some(OTHER),
            "the first one has had its place for long enough"
        );
    }

    #[test]
    fn what_somebody_has_had_is_forgotten_with_time() {
        let (state, now) = after(2, &[(ONE, 800)]);
        let had = [0, 1, 2].map(|times| (state.had(ONE, now + times * HALVED) * 1e3).round());
        assert_eq!(had, [800.0, 400.0, 200.0]);
    }

    #[test]
    fn one_account_does_not_take_all_places() {
        let (mut state, now) = after(4, &[]);
        assert_eq!([(); 3].map(|()| next(&mut state, &[ONE], now)), [Some(ONE), Some(ONE), None]);
        assert_eq!(next(&mut state, &[ONE, OTHER], now), Some(OTHER));
    }

    async fn nobody_waits_for_ever_and_whoever_leaves_takes_no_place() {
        let line = Arc::new(WaitingLine { patience: Duration::from_millis(10), ..WaitingLine::new(2) });
        let slow = line.enter(ONE).await;
        drop(line.enter(ONE).await);
        assert_eq!(line.lock().busy.len(), 1);
        let mut gone = Box::pin(line.enter(ONE));
        assert!((&mut gone).now_or_never().is_none());
        drop(gone);
        drop(slow);
        assert!(line.enter(ONE).now_or_never().is_some());
        let state = line.lock();
        assert_eq!((state.busy.len(), state.waiting.len()), (0, 0));
    }
}
