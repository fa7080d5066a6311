//! Handing messages over to the mail server, and reading from its answer what became of each.
//!
//! A message counts as not sent only when that is certain: the server refused it, or there was no connection. After a cut or
//! a silence nobody knows.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use lettre::{
    AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor,
    transport::smtp::{Error, PoolConfig},
};
use tokio::sync::Semaphore;

use super::Settings;

type Transport = AsyncSmtpTransport<Tokio1Executor>;

/// How long the mail server may take to let its connections go.
const FAREWELL: Duration = Duration::from_secs(1);

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Handed {
    /// The mail server has taken it.
    Accepted,
    /// The mail server does not take it now.
    Deferred(String),
    /// The mail server will never take it.
    Rejected(String),
    /// It may or may not have left.
    Unknown(String),
    /// It did not leave, and that is not its own fault: the mail server could not be reached, or wants nothing from Docket.
    NotBegun(String),
    /// It has an address that is none.
    BadAddress,
    /// There is no mail server.
    NotConfigured,
}

/// The connections to the mail server, and how many of them at once.
pub struct Post {
    url: String,
    connections: u32,
    timeout: Duration,
    places: Semaphore,
    current: Mutex<Arc<Transport>>,
}

impl Post {
    /// Connects to nothing yet.
    pub fn new(url: &str, settings: &Settings) -> Result<Post, String> {
        let connections = u32::try_from(settings.concurrency).unwrap_or(u32::MAX);
        let transport = transport(url, connections, settings.timeout)?;
        Ok(Post {
            url: url.to_owned(),
            connections,
            timeout: settings.timeout,
            places: Semaphore::new(settings.concurrency),
            current: Mutex::new(Arc::new(transport)),
        })
    }

    /// Hands a message over, once there is a place.
    pub async fn send(&self, message: &Message) -> Handed {
        let Ok(_place) = self.places.acquire().await else { return Handed::NotBegun("stopped".to_owned()) };
        let text = message.formatted();
        loop {
            let transport = self.current.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let sent = tokio::time::timeout(self.timeout, transport.send_raw(message.envelope(), &text));
            match sent.await {
                Ok(Ok(_)) => return Handed::Accepted,
                // Somebody else's silence closed the connections; this message had none yet.
                Ok(Err(error)) if error.is_transport_shutdown() => {}
                Ok(Err(error)) => return read(&error),
                Err(_) => {
                    self.renew(&transport).await;
                    return Handed::Unknown(format!("no answer within {} s", self.timeout.as_secs()));
                }
            }
        }
    }

    /// Puts new connections in place of those that one was cut off from: nobody knows in what state it is. Sends that are under
    /// way end on theirs.
    async fn renew(&self, old: &Arc<Transport>) {
        {
            let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
            if !Arc::ptr_eq(&current, old) {
                return;
            }
            match transport(&self.url, self.connections, self.timeout) {
                Ok(new) => *current = Arc::new(new),
                Err(error) => return tracing::error!(error, "cannot build the mail transport anew"),
            }
        }
        // From its first step on nobody is given a connection of the old ones. The rest is a farewell to the server on each of
        // them, and the silent one never answers that.
        let _ = tokio::time::timeout(FAREWELL, old.shutdown()).await;
    }
}

fn transport(url: &str, connections: u32, timeout: Duration) -> Result<Transport, String> {
    let builder = Transport::from_url(url).map_err(|error| error.to_string())?;
    let pool = PoolConfig::new().max_size(connections);
    Ok(builder.timeout(Some(timeout)).pool_config(pool).build())
}

/// What an error says of the message.
fn read(error: &Error) -> Handed {
    let text = told(error);
    let code = error.status().map(u16::from);
    match code {
        // It does not know Docket, or is not ready for anybody (RFC 4954, section 6).
        Some(454 | 530 | 534 | 535 | 538) => Handed::NotBegun(text),
        Some(400..=499) => Handed::Deferred(text),
        Some(500..=599) => Handed::Rejected(text),
        // Said before anything is sent: the server takes no address like this.
        _ if error.is_client() => Handed::Rejected(text),
        _ if error.is_tls() || text.starts_with("Connection error") => Handed::NotBegun(text),
        _ => Handed::Unknown(text),
    }
}

/// The longest answer that is kept, in characters.
const TOLD: usize = 300;

fn told(error: &Error) -> String {
    let source = std::error::Error::source(error).map(ToString::to_string);
    let text = match (error.status(), source) {
        (Some(code), Some(said)) => format!("{code} {said}"),
        _ => error.to_string(),
    };
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(TOLD).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::{Envelope, Rendered, message::build};

    #[tokio::test]
    async fn without_a_connection_nothing_has_left() {
        let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let settings = Settings::default();
        let post = Post::new(&format!("smtp://{closed}"), &settings).unwrap();
        let envelope = Envelope {
            to: vec!["a@b.example".to_owned()],
            copy: None,
            message_id: "1@b.example".to_owned(),
            sender: None,
            date: chrono::DateTime::UNIX_EPOCH,
        };
        let rendered = Rendered { subject: "x".to_owned(), plain: "x".to_owned(), html: "x".to_owned() };
        let handed = post.send(&build(&settings, &envelope, &rendered).unwrap()).await;
        assert!(matches!(handed, Handed::NotBegun(_)), "{handed:?}");
    }
}
