//! The messages of one task that are on their way to the mail server. Each is a future of its own, so that none waits while
//! the database is written to; they end with the flight.

use std::time::{Duration, Instant};

use tokio::{task::JoinSet, time::timeout};

use crate::mail::{Delivery, Envelope, Mail, MailPlace, Rendered};

/// How long a message that has come back waits for others, so that they are written down together.
const GATHERED: Duration = Duration::from_millis(3);

/// A mail server that takes a message in less time is quick: a commit takes a good part of that.
const QUICK: Duration = Duration::from_millis(20);

/// Messages that have come back and are not yet written down. Until they are they keep their places.
#[derive(Default)]
pub struct ReturnedMessages {
    pub messages: Vec<(i64, Delivery)>,
    pub places: Vec<MailPlace>,
}

impl ReturnedMessages {
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    pub fn extend(&mut self, more: ReturnedMessages) {
        self.messages.extend(more.messages);
        self.places.extend(more.places);
    }
}

/// Messages under way.
#[derive(Default)]
pub struct MessagesInFlight {
    messages: JoinSet<(i64, Delivery, Duration, MailPlace)>,
    /// How long one takes, as a moving average.
    average: Option<Duration>,
}

impl MessagesInFlight {
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Sends the message of a position.
    pub fn begin(&mut self, position: i64, mail: &Mail, envelope: Envelope, rendered: Rendered, place: MailPlace) {
        let mail = mail.clone();
        self.messages.spawn(async move {
            let began = Instant::now();
            let handed = mail.send(&envelope, &rendered).await;
            (position, handed, began.elapsed(), place)
        });
    }

    /// How many messages should be on their way when so many can be handed over at once. To a quick mail server twice as many,
    /// or it would wait for each commit; to a slow one no more, since all that are on their way are uncertain after a crash.
    pub fn room(&self, at_once: usize) -> usize {
        let quick = self.average.is_some_and(|average| average < QUICK);
        (if quick { at_once * 2 } else { at_once }).saturating_sub(self.messages.len())
    }

    fn land(
        &mut self,
        landed: &mut ReturnedMessages,
        (position, handed, took, place): (i64, Delivery, Duration, MailPlace),
    ) {
        self.average = Some(self.average.map_or(took, |average| (average * 7 + took) / 8));
        landed.messages.push((position, handed));
        landed.places.push(place);
    }

    /// What has come back, once something has, or nothing after `patience`. More is waited for only while less than `enough`
    /// is there.
    pub async fn landed(&mut self, patience: Duration, enough: usize) -> ReturnedMessages {
        let mut landed = ReturnedMessages::default();
        let mut wait = patience;
        while landed.messages.len() < enough && !self.messages.is_empty() {
            match timeout(wait, self.messages.join_next()).await {
                Ok(Some(Ok(message))) => self.land(&mut landed, message),
                // A panic in the sending library: its message stays as one that is being sent, and so becomes uncertain.
                Ok(Some(Err(error))) => tracing::error!(%error, "a message broke down"),
                Ok(None) | Err(_) => break,
            }
            wait = GATHERED;
        }
        while let Some(Ok(message)) = self.messages.try_join_next() {
            self.land(&mut landed, message);
        }
        landed
    }
}
