//! `GET /events`: tells an open page which tasks have changed, and administrators once a second how the queue is. What happens
//! on a stream is only ever a hint with a row in it; a page that missed some is told so and looks at its list again.
//!
//! Each row is built anew for the caller, so nobody hears of a task that their list would not show. Whether the caller may
//! still be here is asked every few seconds, without keeping the session alive.

use std::{collections::HashSet, convert::Infallible, time::Duration};

use axum::{
    Extension,
    extract::State,
    http::{HeaderMap, HeaderName},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use caseload::{Actor, Caseload, LiveChanges};
use futures::{Stream, stream};
use model::{Problem, TaskId, account::TokenScope};
use queue::{Task, TaskChange};
use tokio::time::{Interval, MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tower_sessions::{Session, session::Id};

use crate::{
    api::input::Pairs,
    api::input::unknown,
    auth::actor::{Caller, bearer},
    auth::session,
    fairness::Turns,
    process::metrics::OpenStream,
    state::AppState,
    web::problem::Answer,
};

/// How long somebody who was signed out or disabled may still hear something.
const RECHECK: Duration = Duration::from_secs(4);
/// How often a quiet stream says that it is alive: a page that hears nothing for ten seconds does not call itself live.
const ALIVE: Duration = Duration::from_secs(3);
/// How often the queue as a whole is told of; it is looked at once for all who listen.
const BEAT: Duration = Duration::from_secs(1);

/// What a page wants to hear of.
#[derive(Debug, Default, PartialEq, Eq)]
struct Topics {
    /// All tasks that the caller may see.
    all: bool,
    /// These tasks.
    these: HashSet<TaskId>,
    /// The queue as a whole.
    queue: bool,
}

/// Opens a stream.
pub async fn listen(
    State(state): State<AppState>,
    Caller(actor): Caller,
    session: Extension<Session>,
    headers: HeaderMap,
    pairs: Pairs,
) -> Answer<Response> {
    let topics = topics(pairs.iter())?;
    if topics.queue {
        // Refused now if ever: a stream that has begun has no status any more.
        state.caseload.admin().health(&actor).await?;
    }
    let stream = Listener {
        queue: topics.queue,
        beat: every(BEAT),
        changes: state.caseload.tasks().follow(&actor, (!topics.all).then(|| topics.these.clone()))?,
        proof: match bearer(&headers) {
            Some(token) => Proof::Token(token.to_owned()),
            None => Proof::Session(session.id()),
        },
        sessions: state.sessions,
        turns: state.turns,
        caseload: state.caseload,
        closing: state.closing.0,
        recheck: every(RECHECK),
        actor,
        sent: 0,
        _open: OpenStream::stream(),
    };
    let alive = KeepAlive::new().interval(ALIVE).event(Event::default().event("alive").data("{}"));
    let sse = Sse::new(events(stream)).keep_alive(alive);
    // A proxy that buffers would deliver everything at the end, which never comes.
    Ok(([(HeaderName::from_static("x-accel-buffering"), "no")], sse).into_response())
}

/// `topics=tasks`, `queue`, or `task:` and an id; several with commas.
fn topics<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Result<Topics, Problem> {
    let mut text = "";
    for (key, value) in pairs {
        match key {
            "topics" => text = value,
            other => return Err(unknown(other)),
        }
    }
    let mut topics = Topics::default();
    for topic in text.split(',').map(str::trim) {
        match topic.strip_prefix("task:").map(str::parse::<TaskId>) {
            _ if topic == "tasks" => topics.all = true,
            _ if topic == "queue" => topics.queue = true,
            Some(Ok(id)) if topics.these.len() < 200 => _ = topics.these.insert(id),
            _ => {
                let message =
                    format!("“{topic}” is not a topic: ask for tasks, queue, or task: and an id, at most 200 of them.");
                return Err(Problem::field("topics", "unknown", message));
            }
        };
    }
    Ok(topics)
}

/// One open stream.
struct Listener {
    /// Whether the queue as a whole is followed.
    queue: bool,
    beat: Interval,
    changes: LiveChanges,
    proof: Proof,
    sessions: session::Store,
    turns: Turns,
    caseload: Caseload,
    closing: CancellationToken,
    recheck: Interval,
    actor: Actor,
    /// Events so far, for their ids.
    sent: u64,
    _open: OpenStream,
}

/// What a stream was opened with. A bearer token counts, whatever cookie came along.
enum Proof {
    Session(Option<Id>),
    Token(String),
}

fn events(listener: Listener) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold(listener, |mut listener| async move { Some((Ok(listener.next().await?), listener)) })
}

impl Listener {
    /// The next event; none when the stream is over.
    async fn next(&mut self) -> Option<Event> {
        let event = loop {
            let change = tokio::select! {
                biased;
                () = self.closing.cancelled() => return None,
                _ = self.recheck.tick() => {
                    if !self.may_stay().await {
                        return None;
                    }
                    continue;
                }
                _ = self.beat.tick(), if self.queue => match self.health().await {
                    Some(event) => break event,
                    None => continue,
                },
                change = self.changes.recv() => change,
            };
            match change {
                TaskChange::Task(task) => match self.row(&task).await {
                    Some(event) => break event,
                    None => continue,
                },
                TaskChange::Missed => break Event::default().event("resync").data("{}"),
            }
        };
        self.sent += 1;
        Some(event.id(self.sent.to_string()))
    }

    /// How the queue is; nothing when that cannot be told just now, or not to the caller any more.
    async fn health(&self) -> Option<Event> {
        let health = self.caseload.admin().health(&self.actor).await;
        let health = health.inspect_err(|error| tracing::warn!(%error, "the queue could not be looked at")).ok()?;
        Event::default().event("queue").json_data(&*health).ok()
    }

    async fn row(&self, task: &Task) -> Option<Event> {
        // It is never closed.
        let _turn = self.turns.0.acquire().await.ok()?;
        match self.caseload.tasks().live_row(&self.actor, task).await {
            Ok(row) => Event::default().event("task").json_data(row?).ok(),
            Err(error) => {
                tracing::warn!(%error, "an event could not be made");
                Some(Event::default().event("resync").data("{}"))
            }
        }
    }

    /// Whether the session or token and the account are still good; keeps the actor as it is now. In doubt the stream ends, and the
    /// browser comes back to be looked at again.
    async fn may_stay(&mut self) -> bool {
        let actor = match &self.proof {
            Proof::Token(token) => {
                self.caseload.tokens().actor_of(token, TokenScope::Read, self.actor.via.source).await
            }
            Proof::Session(Some(id)) if !self.sessions.is_alive(id).await.unwrap_or(false) => return false,
            Proof::Session(_) => {
                let via = self.actor.via.clone();
                self.caseload.accounts().actor_of_session(self.actor.person_id, self.actor.session_version, via).await
            }
        };
        match actor {
            // Whoever may read more or fewer tasks than when the stream began follows others from the next one on.
            Ok(Some(actor)) if actor.role.reads_all_tasks() == self.actor.role.reads_all_tasks() => {
                self.actor = actor;
                true
            }
            Ok(_) | Err(_) => false,
        }
    }
}

/// Ticks from one period on; late ones are not made up for.
fn every(period: Duration) -> Interval {
    let mut interval = interval(period);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    interval.reset();
    interval
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn topics_are_all_tasks_some_or_the_queue() {
        let topics = |text: &str| topics([("topics", text)].into_iter());
        let id = TaskId::from_u128(7);
        let all = Topics { all: true, ..Topics::default() };
        let these = Topics { these: HashSet::from([id]), ..Topics::default() };
        assert_eq!(topics("tasks").unwrap(), all);
        assert_eq!(topics(&format!("task:{id}")).unwrap(), these);
        assert_eq!(topics(&format!("task:{id},queue")).unwrap(), Topics { queue: true, ..these });
        for wrong in ["", "queues", "task:", "task:7"] {
            assert_eq!(topics(wrong).unwrap_err().errors[0].field, "topics", "{wrong}");
        }
    }
}
