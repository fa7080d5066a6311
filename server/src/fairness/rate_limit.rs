//! Each account's share of the requests, and that of each token of the directory: so many at once after a rest, and then so many a second. What is over is refused
//! before anything is done for it. Programs are told how much of their share is left (draft-ietf-httpapi-ratelimit-headers).

use model::{AccountId, DirectoryTokenId};
use std::{num::NonZeroU32, sync::Arc, time::Duration};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use caseload::{
    Actor, Caseload, Credential, Limited, Limits,
    directory::DirectoryCaller,
    limits::{OpenCount, OpenCounts},
};
use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    middleware::StateInformationMiddleware,
    state::keyed::DefaultKeyedStateStore,
};

use super::{RequestPlace, WaitingLine, held_answer::until_taken};
use crate::web::problem::ProblemAnswer;

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const LEFT: HeaderName = HeaderName::from_static("ratelimit");

/// Whose share it is. The programs of an account have one for themselves: whatever somebody does with a token keeps its owner from
/// no page, and so not from where it is revoked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Sharer {
    Person(AccountId),
    Programs(AccountId),
    Directory(DirectoryTokenId),
}

impl Sharer {
    fn of(actor: &Actor) -> Sharer {
        match actor.via.credential {
            Credential::Token(_) => Sharer::Programs(actor.person_id),
            _ => Sharer::Person(actor.person_id),
        }
    }
}

/// How much of its share each account has used lately. There are two rows for each account at most, and one for each token of the directory.
pub struct Shares<C: Clock = DefaultClock> {
    limiter: RateLimiter<Sharer, DefaultKeyedStateStore<Sharer>, C, StateInformationMiddleware>,
    rate: NonZeroU32,
    burst: NonZeroU32,
    /// Whose requests are not wholly answered yet.
    under_way: OpenCounts<Sharer>,
    at_once: u32,
}

/// What of a share is left after one more request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Left {
    requests: u32,
    /// Until there is room for the request that there is none for.
    wait: Option<Duration>,
}

impl Shares {
    pub fn new(limits: &Limits) -> Shares {
        Shares::by(limits, DefaultClock::default())
    }
}

impl<C: Clock> Shares<C> {
    fn by(limits: &Limits, clock: C) -> Shares<C> {
        let some = |number: u32| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let (rate, burst) = (some(limits.requests), some(limits.burst));
        let quota = Quota::per_second(rate).allow_burst(burst);
        let limiter = RateLimiter::new(quota, DefaultKeyedStateStore::default(), clock);
        Shares { limiter, rate, burst, under_way: OpenCounts::default(), at_once: limits.at_once }
    }

    /// One more request that is not wholly answered yet: an answer that nobody takes is kept in memory.
    fn begin(&self, sharer: Sharer) -> Option<OpenCount<Sharer>> {
        self.under_way.take(sharer, self.at_once)
    }

    /// One more request of the directory; how long until there is room, where there is none.
    pub fn wait_of_directory(&self, caller: &DirectoryCaller) -> Option<Duration> {
        self.take(Sharer::Directory(caller.token())).wait
    }

    fn take(&self, sharer: Sharer) -> Left {
        match self.limiter.check_key(&sharer) {
            Ok(state) => Left { requests: state.remaining_burst_capacity(), wait: None },
            Err(until) => Left { requests: 0, wait: Some(until.wait_time_from(self.limiter.clock().now())) },
        }
    }

    /// The share, and what is left of it, as headers.
    fn add_headers(&self, left: Left, headers: &mut HeaderMap) {
        let (rate, burst) = (self.rate.get(), self.burst.get());
        let seconds = |requests: u32| requests.div_ceil(rate);
        let policy = format!("\"account\";q={burst};w={}", seconds(burst));
        let used = burst.saturating_sub(left.requests);
        let left = format!("\"account\";r={};t={}", left.requests, seconds(used));
        for (name, value) in [(POLICY, policy), (LEFT, left)] {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(name, value);
            }
        }
    }
}

/// Lets a request through that is within its account's share, when it is its turn.
pub async fn within_share(
    State(shares): State<Arc<Shares>>,
    State(line): State<Arc<WaitingLine>>,
    State(caseload): State<Caseload>,
    request: Request,
    next: Next,
) -> Response {
    let Some(actor) = request.extensions().get::<Actor>() else { return next.run(request).await };
    let (account, sharer) = (actor.person_id, Sharer::of(actor));
    let left = shares.take(sharer);
    let is_program = request.uri().path().starts_with("/api/1/");
    let mut response = match left.wait {
        // A stream does nothing for most of its life.
        None if request.uri().path() == "/events" => next.run(request).await,
        None => match shares.begin(sharer) {
            Some(under_way) => {
                let place = line.enter(account).await;
                while_made(next.run(request).await, place, under_way)
            }
            None => ProblemAnswer(caseload.limits().refusal(Limited::AtOnce, Some(SOON))).into_response(),
        },
        Some(wait) => ProblemAnswer(caseload.limits().refusal(Limited::Requests, Some(wait))).into_response(),
    };
    if is_program || left.wait.is_some() {
        shares.add_headers(left, response.headers_mut());
    }
    response
}

/// How long whoever has too many answers on their way is told to wait.
const SOON: Duration = Duration::from_secs(1);

/// Holds the place in line until the answer is made: a page is while it is sent, what else is sent comes from a file or one query after
/// the other, and takes as long as its reader does.
fn while_made(response: Response, place: RequestPlace, under_way: OpenCount<Sharer>) -> Response {
    let is_page =
        response.headers().get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    until_taken(response, (is_page.then_some(place), under_way))
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;

    fn sharer(account: u128) -> Sharer {
        Sharer::Person(AccountId::from_u128(account))
    }

    #[test]
    fn what_is_over_the_share_waits_until_there_is_room_and_others_do_not() {
        let clock = FakeRelativeClock::default();
        let limits = Limits { requests: 2, burst: 4, ..Limits::default() };
        let (shares, one, other) = (Shares::by(&limits, clock.clone()), sharer(1), sharer(2));
        let taken: Vec<u32> = (0..4).map(|_| shares.take(one).requests).collect();
        assert_eq!(taken, [3, 2, 1, 0]);
        let over = shares.take(one);
        assert_eq!(over, Left { requests: 0, wait: Some(Duration::from_millis(500)) });
        assert_eq!(shares.take(other), Left { requests: 3, wait: None });
        let mut headers = HeaderMap::new();
        shares.add_headers(over, &mut headers);
        let told = [POLICY, LEFT].map(|name| headers[name].to_str().unwrap().to_owned());
        assert_eq!(told, ["\"account\";q=4;w=2", "\"account\";r=0;t=2"]);
        clock.advance(Duration::from_millis(500));
        assert_eq!((shares.take(one).wait, shares.take(one).wait.is_some()), (None, true));
    }
}
