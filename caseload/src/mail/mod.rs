//! Mail: where it is handed over, from whom it comes, and its bounds. What is written to whom, and what became of it, is the
//! affair of those who send it.

mod connection;
mod message;
mod post;
mod settings;

use std::sync::Arc;

pub use lettre::Address;
pub use message::{Envelope, Rendered, Sender};
pub use post::{Handed, Post};
pub use settings::{Settings, mailbox};

/// A cheap handle on the mail server, if there is one, with the settings around it.
#[derive(Clone)]
pub struct Mail {
    inner: Arc<Inner>,
}

struct Inner {
    settings: Settings,
    /// Absent while there is no mail server.
    post: Option<Post>,
}

impl Mail {
    /// Connects to nothing yet.
    ///
    /// # Errors
    /// What is wrong with `mail.smtp_url`.
    pub fn new(settings: Settings) -> Result<Mail, String> {
        let post = settings.smtp_url.as_deref().map(|url| Post::new(url, &settings)).transpose()?;
        Ok(Mail { inner: Arc::new(Inner { settings, post }) })
    }

    /// Without a mail server: every message is logged and marked as not sent.
    pub fn none() -> Mail {
        Mail { inner: Arc::new(Inner { settings: Settings::default(), post: None }) }
    }

    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// Whether there is a mail server.
    pub fn is_configured(&self) -> bool {
        self.inner.post.is_some()
    }

    /// Hands a message over, and says what became of it. It takes as long as the mail server, up to `mail.timeout`.
    pub async fn send(&self, envelope: &Envelope, rendered: &Rendered) -> Handed {
        let Some(post) = &self.inner.post else {
            tracing::warn!(message = envelope.message_id, "not sent: there is no mail.smtp_url");
            return Handed::NotConfigured;
        };
        match message::build(self.settings(), envelope, rendered) {
            Ok(message) => post.send(&message).await,
            Err(_) => Handed::BadAddress,
        }
    }
}
