//! The messages of one task that are on their way to the mail server. Each is a future of its own, so that none waits while
//! the database is written to; they end with the flight.

use std::time::Duration;

use tokio::{task::JoinSet, time::timeout};

use crate::mail::{Envelope, Handed, Mail, Rendered};

/// How long a message that has come back waits for others, so that they are written down together.
const GATHERED: Duration = Duration::from_millis(10);

/// Messages under way.
#[derive(Default)]
pub struct Flight {
    messages: JoinSet<(i64, Handed)>,
}

impl Flight {
    pub fn len(&self) -> usize {
        self.messages.len()
    }

    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Sends the message of a position.
    pub fn begin(&mut self, position: i64, mail: &Mail, envelope: Envelope, rendered: Rendered) {
        let mail = mail.clone();
        self.messages.spawn(async move { (position, mail.send(&envelope, &rendered).await) });
    }

    /// What has come back, once something has, or nothing after `patience`. More is waited for only while less than `enough`
    /// is there.
    pub async fn landed(&mut self, patience: Duration, enough: usize) -> Vec<(i64, Handed)> {
        let mut landed = Vec::new();
        let mut wait = patience;
        while landed.len() < enough && !self.messages.is_empty() {
            match timeout(wait, self.messages.join_next()).await {
                Ok(Some(Ok(message))) => landed.push(message),
                // A panic in the sending library: its message stays as one that is being sent, and so becomes uncertain.
                Ok(Some(Err(error))) => tracing::error!(%error, "a message broke down"),
                Ok(None) | Err(_) => break,
            }
            wait = GATHERED;
        }
        while let Some(Ok(message)) = self.messages.try_join_next() {
            landed.push(message);
        }
        landed
    }
}
