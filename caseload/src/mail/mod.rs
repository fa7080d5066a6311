//! Mail: where it is handed over, from whom it comes, and its bounds. What is written to whom, and what became of it, is the
//! affair of those who send it.

mod connection;
mod login;
mod message;
mod post;
mod server_error;
mod settings;

use std::sync::Arc;

pub use lettre::Address;
pub use message::{Envelope, Rendered, Sender};
use model::Sending;
pub use post::{Delivery, Post};
pub use settings::{MailSettings, mailbox};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A cheap handle on the mail server, if there is one, with the settings around it.
#[derive(Clone)]
pub struct Mail {
    inner: Arc<MailInner>,
}

struct MailInner {
    settings: MailSettings,
    /// Absent while there is no mail server.
    post: Option<Post>,
    /// For all emails together: each message that is put down as being sent has a place, so that no more of them are uncertain
    /// after a crash. A quick mail server is kept busy with twice as many as it takes at once.
    places: Arc<Semaphore>,
}

/// Leave to put a message down as being sent; it ends with its value.
pub struct MailPlace(#[allow(dead_code, reason = "it is held, and not read")] OwnedSemaphorePermit);

impl Mail {
    /// Connects to nothing yet.
    ///
    /// # Errors
    /// What is wrong with `mail.smtp_url`.
    pub fn new(settings: MailSettings) -> Result<Mail, String> {
        let post = settings.smtp_url.as_deref().map(|url| Post::new(url, &settings)).transpose()?;
        Ok(Mail::with(settings, post))
    }

    fn with(settings: MailSettings, post: Option<Post>) -> Mail {
        let places = Arc::new(Semaphore::new(settings.concurrency * 2));
        Mail { inner: Arc::new(MailInner { settings, post, places }) }
    }

    /// Without a mail server: every message is logged and marked as not sent.
    pub fn none() -> Mail {
        Mail::with(MailSettings::default(), None)
    }

    pub fn settings(&self) -> &MailSettings {
        &self.inner.settings
    }

    /// Whether there is a mail server.
    pub fn is_configured(&self) -> bool {
        self.inner.post.is_some()
    }

    /// What can become of an email.
    pub fn sending(&self) -> Sending {
        if self.is_configured() { Sending::Ready } else { Sending::NotSetUp }
    }

    /// A place, if one is free.
    pub fn free_place(&self) -> Option<MailPlace> {
        self.inner.places.clone().try_acquire_owned().ok().map(MailPlace)
    }

    /// A place, once one is free.
    pub async fn place(&self) -> MailPlace {
        match self.inner.places.clone().acquire_owned().await {
            Ok(permit) => MailPlace(permit),
            // Nothing closes it.
            Err(_) => std::future::pending().await,
        }
    }

    /// Hands a message over, and says what became of it. It takes as long as the mail server, up to `mail.timeout`.
    pub async fn send(&self, envelope: &Envelope, rendered: &Rendered) -> Delivery {
        let Some(post) = &self.inner.post else {
            tracing::warn!(message = envelope.message_id, "not sent: there is no mail.smtp_url");
            return Delivery::NotConfigured;
        };
        match message::build(self.settings(), envelope, rendered) {
            Ok(message) => match (post.send(&message).await, envelope.wrong_copy()) {
                (Delivery::Accepted, Some(wrong)) => Delivery::Partly(format!("{wrong}: no email address")),
                (handed, _) => handed,
            },
            Err(_) => Delivery::BadAddress,
        }
    }
}
