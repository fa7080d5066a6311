//! Many clients of the event stream. Each does what an open page does: it follows its stream, fetches the list when it was told
//! that it missed something or comes back after a break, and remembers which tasks are completed. That they can be many, only
//! what is needed is read of a row.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use anyhow::{Result, ensure};
use queue::Clock;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::{sync::Notify, task::JoinSet, time::sleep};
use uuid::Uuid;

use crate::http;

/// The longest that a client waits before it comes, or comes back, in milliseconds.
const SCATTER: u64 = 2_000;
/// The latest tasks, as a page fetches them.
pub const LIST: &str = "/api/1/tasks?scope=all&limit=200";
const DAY: i64 = 86_400_000_000;

/// What a client has seen.
#[derive(Default)]
pub struct Seen {
    /// The tasks that it follows; all of them when there are none.
    follows: Option<HashSet<Uuid>>,
    /// Whether its stream is open now.
    pub open: bool,
    /// Tasks that it knows to be completed.
    pub done: HashSet<Uuid>,
    pub counts: Counts,
}

/// What came to a client, or to all of them.
#[derive(Default)]
pub struct Counts {
    /// Events with a row.
    pub events: u64,
    /// From the commit of each of them until it was read, in microseconds.
    pub latencies: Vec<u32>,
    /// Times that it was told to have missed something.
    pub missed: u64,
    /// Lists that it fetched.
    pub lists: u64,
    /// Streams that it opened.
    pub opened: u64,
    /// Streams and lists that were refused or broken off.
    pub failed: u64,
}

/// The clients. They end when this is dropped.
pub struct Crowd {
    seen: Vec<Arc<Mutex<Seen>>>,
    _running: JoinSet<()>,
}

impl Crowd {
    /// Lets clients come to the server at this address, each with a token and the tasks that it follows, or all of them.
    pub fn gather(address: &str, clients: impl Iterator<Item = (String, Option<Vec<Uuid>>)>) -> Crowd {
        let (mut seen, mut running) = (Vec::new(), JoinSet::new());
        for (number, (token, follows)) in clients.enumerate() {
            let topics = match &follows {
                None => "tasks".to_owned(),
                Some(ids) => ids.iter().map(|id| format!("task:{id}")).collect::<Vec<_>>().join(","),
            };
            let follows = follows.map(|ids| ids.into_iter().collect());
            let client = Client {
                address: address.to_owned(),
                path: format!("/events?topics={topics}"),
                token,
                clock: Clock::default(),
                seen: Arc::new(Mutex::new(Seen { follows, ..Seen::default() })),
                behind: Notify::new(),
            };
            seen.push(client.seen.clone());
            running.spawn(async move {
                tokio::join!(client.follow(number as u64), client.catch_up());
            });
        }
        Crowd { seen, _running: running }
    }

    /// How many clients this holds for.
    pub fn count(&self, holds: impl Fn(&Seen) -> bool) -> usize {
        self.seen.iter().filter(|seen| holds(&lock(seen))).count()
    }

    /// What has come to all of them since this was asked last.
    pub fn counts(&self) -> Counts {
        let mut all = Counts::default();
        for seen in &self.seen {
            let one = std::mem::take(&mut lock(seen).counts);
            all.events += one.events;
            all.latencies.extend(one.latencies);
            all.missed += one.missed;
            all.lists += one.lists;
            all.opened += one.opened;
            all.failed += one.failed;
        }
        all
    }
}

struct Client {
    address: String,
    path: String,
    token: String,
    clock: Clock,
    seen: Arc<Mutex<Seen>>,
    /// Told when something may have been missed.
    behind: Notify,
}

impl Client {
    /// Follows a stream, and another one when it ends, for ever.
    async fn follow(&self, seed: u64) {
        let mut random = StdRng::seed_from_u64(seed);
        let mut again = false;
        loop {
            sleep(Duration::from_millis(random.random_range(0..SCATTER))).await;
            let heard = self.hear(again).await;
            let mut seen = lock(&self.seen);
            again |= seen.open;
            seen.open = false;
            seen.counts.failed += u64::from(heard.is_err());
        }
    }

    async fn hear(&self, again: bool) -> Result<()> {
        let mut answer = http::request(&self.address, &self.token, "GET", &self.path, None).await?;
        ensure!(answer.status == 200, "{}", answer.status);
        {
            let mut seen = lock(&self.seen);
            seen.open = true;
            seen.counts.opened += 1;
        }
        if again {
            self.behind.notify_one();
        }
        let mut text = Vec::new();
        while answer.read(&mut text).await? {
            self.take(&mut text);
        }
        Ok(())
    }

    /// Reads the lines that are whole.
    fn take(&self, text: &mut Vec<u8>) {
        let Some(end) = text.iter().rposition(|byte| *byte == b'\n') else { return };
        let now = self.clock.now().timestamp_micros();
        let mut seen = lock(&self.seen);
        for line in std::str::from_utf8(&text[..=end]).unwrap_or_default().lines() {
            if let Some(data) = line.strip_prefix("data:") {
                let Some((row, _)) = Row::first_of(data) else { continue };
                seen.counts.events += 1;
                seen.counts.latencies.extend(row.age(now));
                seen.note(&row);
            } else if line.strip_prefix("event:").is_some_and(|event| event.trim() == "resync") {
                seen.counts.missed += 1;
                self.behind.notify_one();
            }
        }
        text.drain(..=end);
    }

    /// Fetches the list whenever something may have been missed, one at a time.
    async fn catch_up(&self) {
        loop {
            self.behind.notified().await;
            match http::text(&self.address, &self.token, "GET", LIST, None).await {
                Ok(text) => {
                    let mut seen = lock(&self.seen);
                    seen.counts.lists += 1;
                    rows(&text).for_each(|row| seen.note(&row));
                }
                Err(_) => {
                    lock(&self.seen).counts.failed += 1;
                    sleep(Duration::from_millis(SCATTER)).await;
                    self.behind.notify_one();
                }
            }
        }
    }
}

impl Seen {
    /// Whether it knows the end of all of these that it follows.
    pub fn knows(&self, ids: &HashSet<Uuid>) -> bool {
        let follows = |id: &Uuid| self.follows.as_ref().is_none_or(|follows| follows.contains(id));
        ids.iter().filter(|id| follows(id)).all(|id| self.done.contains(id))
    }

    fn note(&mut self, row: &Row) {
        // Nothing leaves this state, so what comes late does no harm.
        if row.status == "COMPLETED" {
            self.done.extend(Uuid::try_parse(row.id).ok());
        }
    }
}

/// What is read of a task.
#[derive(Debug, PartialEq, Eq)]
pub struct Row<'a> {
    pub id: &'a str,
    pub status: &'a str,
    modified_date: &'a str,
}

/// The rows of a list.
pub fn rows(mut text: &str) -> impl Iterator<Item = Row<'_>> {
    std::iter::from_fn(move || {
        let (row, after) = Row::first_of(text)?;
        text = after;
        Some(row)
    })
}

impl Row<'_> {
    /// The first row, whose members are in this order, and what comes after them.
    fn first_of(text: &str) -> Option<(Row<'_>, &str)> {
        let (id, text) = member(text, "\"id\":\"")?;
        let (status, text) = member(text, "\"status\":\"")?;
        let (modified_date, text) = member(text, "\"modifiedDate\":\"")?;
        Some((Row { id, status, modified_date }, text))
    }

    /// How long ago it was written, in microseconds, as of `now` since 1970; within a day.
    fn age(&self, now: i64) -> Option<u32> {
        let age = (now - micros_of_day(self.modified_date)?).rem_euclid(DAY);
        // A clock that was set back a little.
        u32::try_from(if age > DAY / 2 { 0 } else { age }).ok()
    }
}

fn member<'a>(text: &'a str, name: &str) -> Option<(&'a str, &'a str)> {
    text.split_once(name)?.1.split_once('"')
}

/// The time of day of an instant such as `2026-11-22T13:29:33.830436Z`, in microseconds.
fn micros_of_day(date: &str) -> Option<i64> {
    let time = date.split_once('T')?.1.trim_end_matches('Z');
    let (time, fraction) = time.split_once('.').unwrap_or((time, ""));
    let seconds = time.split(':').try_fold(0, |sum, part| Some(sum * 60 + part.parse::<i64>().ok()?))?;
    let digits = u32::try_from(fraction.len()).ok()?;
    let fraction = fraction.parse::<i64>().unwrap_or(0) * 10_i64.pow(6_u32.saturating_sub(digits));
    Some(seconds * 1_000_000 + fraction)
}

fn lock(seen: &Mutex<Seen>) -> MutexGuard<'_, Seen> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_row_only_what_is_needed_is_read() {
        let one =
            r#"{"id":"a","status":"EXECUTING","ownerId":"x","modifiedDate":"2026-11-22T00:00:01.5Z","reason":null}"#;
        let text = format!("[{one},{}]", one.replace("\"a\"", "\"b\""));
        let rows: Vec<_> = rows(&text).collect();
        assert_eq!((rows.len(), rows[0].id, rows[1].id, rows[1].status), (2, "a", "b", "EXECUTING"));
        assert_eq!(rows[0].age(DAY + 2_000_000), Some(500_000));
        assert_eq!(rows[0].age(DAY + 1_400_000), Some(0));
    }

    #[test]
    fn instants_have_any_number_of_digits() {
        let of = |time: &str| micros_of_day(&format!("2026-11-22T{time}Z"));
        assert_eq!(of("01:02:03"), Some(3_723_000_000));
        assert_eq!(of("01:02:03.25"), Some(3_723_250_000));
        assert_eq!(of("01:02:03.250001"), Some(3_723_250_001));
    }
}
