//! What people send is kept in memory until it is answered: so many bytes of one account, of one place where nobody is signed
//! in, and of all together. Whoever sends more, or begins to and never ends, is refused, and nobody else is.

use std::{
    collections::HashMap,
    io,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use caseload::{Actor, Caseload, Limited, Limits, request_origin::network};
use model::{AccountId, Code, Problem};
use tokio_stream::StreamExt;

use crate::{web::client_address::Source, web::problem::ProblemAnswer};

const MIB: usize = 1024 * 1024;
/// What a streamed file keeps in memory at most, in bytes: the piece that is on its way to the store.
const PIECE: usize = 5 * MIB;
/// How long a refused sender is told to wait: those before it may be done by then.
const SOON: Duration = Duration::from_secs(1);

/// What is being kept for whom.
pub struct Bodies {
    /// For one sender, in bytes.
    each: usize,
    /// For all together, in bytes.
    all: usize,
    kept: Mutex<KeptBodies>,
}

#[derive(Default)]
struct KeptBodies {
    of: HashMap<BodySender, usize>,
    in_all: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum BodySender {
    Account(AccountId),
    /// Nobody who is known, from there.
    Place(Option<IpAddr>),
}

/// What one request has sent so far; let go of when it is dropped.
struct SentSoFar {
    bodies: Arc<Bodies>,
    sender: BodySender,
    /// What is kept of it at most, in bytes.
    most: usize,
    bytes: Mutex<usize>,
    /// Whose room was too small for more.
    refused: OnceLock<Full>,
}

/// Who has no room for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Full {
    Sender,
    All,
}

impl Bodies {
    /// Room for so many MiB of all together.
    pub fn new(limits: &Limits, all: usize) -> Bodies {
        Bodies { each: limits.bodies as usize * MIB, all: all * MIB, kept: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, KeptBodies> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, sender: BodySender, bytes: usize) -> Result<(), Full> {
        let mut kept = self.lock();
        let of_sender = kept.of.get(&sender).copied().unwrap_or_default() + bytes;
        let in_all = kept.in_all + bytes;
        if of_sender > self.each {
            return Err(Full::Sender);
        }
        if in_all > self.all {
            return Err(Full::All);
        }
        kept.of.insert(sender, of_sender);
        kept.in_all = in_all;
        Ok(())
    }

    fn give_back(&self, sender: BodySender, bytes: usize) {
        let mut kept = self.lock();
        kept.in_all = kept.in_all.saturating_sub(bytes);
        let left = kept.of.get(&sender).copied().unwrap_or_default().saturating_sub(bytes);
        match left {
            0 => kept.of.remove(&sender),
            left => kept.of.insert(sender, left),
        };
    }
}

impl SentSoFar {
    /// Counts a piece that has come in.
    fn add(&self, piece: &Bytes) -> io::Result<()> {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let more = piece.len().min(self.most - *bytes);
        match self.bodies.take(self.sender, more) {
            Ok(()) => {
                *bytes += more;
                Ok(())
            }
            Err(full) => {
                self.refused.get_or_init(|| full);
                Err(io::Error::other("more is sent at once than there is room for"))
            }
        }
    }
}

impl Drop for SentSoFar {
    fn drop(&mut self) {
        let bytes = *self.bytes.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.bodies.give_back(self.sender, bytes);
    }
}

/// Counts what a request sends that is read as a whole.
pub async fn whole(
    State(bodies): State<Arc<Bodies>>,
    State(caseload): State<Caseload>,
    request: Request,
    next: Next,
) -> Response {
    counted(bodies, &caseload, request, next, usize::MAX).await
}

/// Counts what is kept of a request that is read as it comes in.
pub async fn in_pieces(
    State(bodies): State<Arc<Bodies>>,
    State(caseload): State<Caseload>,
    request: Request,
    next: Next,
) -> Response {
    counted(bodies, &caseload, request, next, PIECE).await
}

async fn counted(bodies: Arc<Bodies>, caseload: &Caseload, request: Request, next: Next, most: usize) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    let sender = sender(&request);
    let (bodies, bytes) = (bodies, Mutex::default());
    let sent = Arc::new(SentSoFar { bodies, sender, most, bytes, refused: OnceLock::new() });
    let counting = sent.clone();
    let request = request.map(|body| {
        Body::from_stream(body.into_data_stream().map(move |piece| {
            let piece = piece?;
            counting.add(&piece).map_err(axum::Error::new)?;
            Ok::<_, axum::Error>(piece)
        }))
    });
    let response = next.run(request).await;
    // Whatever was made of a body that broke off, this is why.
    match sent.refused.get() {
        Some(full) => ProblemAnswer(refusal(*full, sender, caseload.limits())).into_response(),
        None => response,
    }
}

fn sender(request: &Request) -> BodySender {
    match request.extensions().get::<Actor>() {
        Some(actor) => BodySender::Account(actor.person_id),
        None => {
            let source = request.extensions().get::<Source>().copied().unwrap_or_default();
            BodySender::Place(source.address.map(network))
        }
    }
}

fn refusal(full: Full, sender: BodySender, limits: &Limits) -> Problem {
    let (status, code, detail) = match (full, sender) {
        (Full::Sender, BodySender::Account(_)) => return limits.refusal(Limited::Bodies, Some(SOON)),
        (Full::Sender, BodySender::Place(_)) => {
            (429, Code::THROTTLED, "Too much is being sent from your network right now.")
        }
        (Full::All, _) => (503, Code::UNAVAILABLE, "Too much is being sent to Docket right now."),
    };
    let problem = Problem::new(status, code, "Too much at the same time", format!("{detail} Try again in a moment."));
    problem.with("retryAfter", SOON.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: BodySender = BodySender::Account(AccountId::from_u128(1));
    const OTHER: BodySender = BodySender::Account(AccountId::from_u128(2));
    const STRANGER: BodySender = BodySender::Place(None);

    #[test]
    fn each_has_room_of_their_own_within_that_of_all() {
        let bodies = Bodies::new(&Limits { bodies: 2, ..Limits::default() }, 3);
        assert_eq!(bodies.take(ONE, 2 * MIB), Ok(()));
        assert_eq!(bodies.take(ONE, 1), Err(Full::Sender));
        assert_eq!(bodies.take(OTHER, MIB), Ok(()));
        assert_eq!(bodies.take(STRANGER, 1), Err(Full::All));
        bodies.give_back(ONE, 2 * MIB);
        assert_eq!(bodies.take(STRANGER, 2 * MIB), Ok(()));
        bodies.give_back(OTHER, MIB);
        bodies.give_back(STRANGER, 2 * MIB);
        let kept = bodies.lock();
        assert_eq!((kept.in_all, kept.of.len()), (0, 0), "nothing is left of anybody");
    }

    #[test]
    fn of_a_file_no_more_is_counted_than_is_kept() {
        let bodies = Arc::new(Bodies::new(&Limits { bodies: 8, ..Limits::default() }, 8));
        let (bytes, refused) = (Mutex::default(), OnceLock::new());
        let sent = SentSoFar { bodies: bodies.clone(), sender: ONE, most: PIECE, bytes, refused };
        for _ in 0..64 {
            sent.add(&Bytes::from(vec![0; MIB])).unwrap();
        }
        assert_eq!(bodies.lock().in_all, PIECE);
        drop(sent);
        assert_eq!(bodies.lock().in_all, 0);
    }
}
