//! Handing messages over to the mail server, step by step, so that of each it is known how far it came. Until its text has
//! begun to leave it has not been sent, whatever breaks; once the server has answered it has been, or not. Only what breaks in
//! between leaves nobody knowing.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use lettre::{
    Address, Message,
    transport::smtp::{
        Error,
        client::AsyncSmtpConnection,
        commands::{Data, Mail, Rcpt, Rset},
        extension::{Extension, MailBodyParameter, MailParameter},
    },
};
use tokio::{sync::Semaphore, time::timeout};

use super::{MailSettings, connection::Server, server_error::in_words};

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// The mail server has taken it.
    Accepted,
    /// The mail server has taken it for some of those it was for, and these it refused.
    Partly(String),
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

/// How long a connection may wait for the next message; mail servers end it a little later.
const IDLE: Duration = Duration::from_secs(30);

/// The connections to the mail server, and how many of them at once.
pub struct Post {
    server: Server,
    timeout: Duration,
    places: Semaphore,
    parked: Mutex<Vec<(AsyncSmtpConnection, Instant)>>,
}

impl Post {
    /// Connects to nothing yet.
    ///
    /// # Errors
    /// What is wrong with the address.
    pub fn new(url: &str, settings: &MailSettings) -> Result<Post, String> {
        Ok(Post {
            server: Server::read(url)?,
            timeout: settings.timeout,
            places: Semaphore::new(settings.concurrency),
            parked: Mutex::default(),
        })
    }

    /// Hands a message over, once there is a place.
    pub async fn send(&self, message: &Message) -> Delivery {
        let Ok(_place) = self.places.acquire().await else { return Delivery::NotBegun("stopped".to_owned()) };
        let (envelope, text) = (message.envelope(), message.formatted());
        // A parked connection may have ended since; then there is a new one.
        let mut connection = match self.parked() {
            Some(mut parked) => match self.begin(&mut parked, message).await {
                Ok(()) => parked,
                Err(_) => match self.begun(message).await {
                    Ok(fresh) => fresh,
                    Err(handed) => return handed,
                },
            },
            None => match self.begun(message).await {
                Ok(fresh) => fresh,
                Err(handed) => return handed,
            },
        };
        let mut refused = Vec::new();
        for to in envelope.to() {
            match timeout(self.timeout, connection.command(Rcpt::new(to.clone(), vec![]))).await {
                Ok(Ok(_)) => {}
                Ok(Err(error)) if error.status().is_some() => refused.push((to, error)),
                Ok(Err(error)) => return Delivery::Deferred(in_words(&error)),
                Err(_) => return Delivery::Deferred(self.silence()),
            }
        }
        // Whoever may be taken later is not given up for the others: the whole message waits.
        let later = refused.iter().find(|(_, error)| !error.is_permanent());
        if let Some((_, error)) = later.or_else(|| refused.first().filter(|_| refused.len() == envelope.to().len())) {
            let answer = refusal(error);
            self.go_back(connection).await;
            return answer;
        }
        match timeout(self.timeout, connection.command(Data)).await {
            Ok(Ok(_)) => {}
            Ok(Err(error)) if error.status().is_some() => {
                self.go_back(connection).await;
                return refusal(&error);
            }
            Ok(Err(error)) => return Delivery::Deferred(in_words(&error)),
            Err(_) => return Delivery::Deferred(self.silence()),
        }
        // From here on it may leave. A connection that is not parked is closed, so that a late answer meets no other message.
        match timeout(self.timeout, connection.message(&text)).await {
            Ok(Ok(_)) => {
                self.park(connection);
                match refused.is_empty() {
                    true => Delivery::Accepted,
                    false => Delivery::Partly(names(&refused)),
                }
            }
            Ok(Err(error)) if error.status().is_some() => refusal(&error),
            Ok(Err(error)) => Delivery::Unknown(in_words(&error)),
            Err(_) => Delivery::Unknown(self.silence()),
        }
    }

    /// A new connection that has heard whom the message is from.
    async fn begun(&self, message: &Message) -> Result<AsyncSmtpConnection, Delivery> {
        let mut fresh = match timeout(self.timeout, self.server.connect(self.timeout)).await {
            Ok(Ok(fresh)) => fresh,
            Ok(Err(why)) => return Err(Delivery::NotBegun(why)),
            Err(_) => return Err(Delivery::NotBegun(self.silence())),
        };
        self.begin(&mut fresh, message).await.map(|()| fresh)
    }

    async fn begin(&self, connection: &mut AsyncSmtpConnection, message: &Message) -> Result<(), Delivery> {
        let envelope = message.envelope();
        let mut options = Vec::new();
        let foreign = |address: &Address| !address.to_string().is_ascii();
        if envelope.to().iter().chain(envelope.from()).any(foreign) {
            if !connection.server_info().supports_feature(Extension::SmtpUtfEight) {
                return Err(Delivery::Rejected("the mail server takes no address with letters like these".to_owned()));
            }
            options.push(MailParameter::SmtpUtfEight);
        }
        if connection.server_info().supports_feature(Extension::EightBitMime) {
            options.push(MailParameter::Body(MailBodyParameter::EightBitMime));
        }
        let from = Mail::new(envelope.from().cloned(), options);
        match timeout(self.timeout, connection.command(from)).await {
            Ok(Ok(_)) => Ok(()),
            // What is wrong with the sender is wrong with every message.
            Ok(Err(error)) if error.status().is_some() => {
                Err(Delivery::NotBegun(format!("the mail server takes no message from Docket: {}", in_words(&error))))
            }
            Ok(Err(error)) => Err(Delivery::NotBegun(in_words(&error))),
            Err(_) => Err(Delivery::NotBegun(self.silence())),
        }
    }

    fn parked(&self) -> Option<AsyncSmtpConnection> {
        let mut parked = self.parked.lock().unwrap_or_else(PoisonError::into_inner);
        parked.retain(|(_, since)| since.elapsed() < IDLE);
        parked.pop().map(|(connection, _)| connection)
    }

    fn park(&self, connection: AsyncSmtpConnection) {
        if !connection.has_broken() {
            self.parked.lock().unwrap_or_else(PoisonError::into_inner).push((connection, Instant::now()));
        }
    }

    /// Lets a connection forget the message that was refused.
    async fn go_back(&self, mut connection: AsyncSmtpConnection) {
        if let Ok(Ok(_)) = timeout(self.timeout, connection.command(Rset)).await {
            self.park(connection);
        }
    }

    fn silence(&self) -> String {
        format!("no answer within {} s", self.timeout.as_secs())
    }
}

/// A refusal with a code, which is of this message.
fn refusal(error: &Error) -> Delivery {
    match error.is_permanent() {
        true => Delivery::Rejected(in_words(error)),
        false => Delivery::Deferred(in_words(error)),
    }
}

fn names(refused: &[(&Address, Error)]) -> String {
    refused.iter().map(|(address, error)| format!("{address}: {}", in_words(error))).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::{Envelope, Rendered, message::build};

    testkit::tests!(on one thread; without_a_greeting_nothing_has_left);

    async fn handed(listener: std::net::TcpListener) -> Delivery {
        let settings = MailSettings { timeout: Duration::from_millis(300), ..MailSettings::default() };
        let post = Post::new(&format!("smtp://{}", listener.local_addr().unwrap()), &settings).unwrap();
        let envelope = Envelope {
            to: vec!["a@b.example".to_owned()],
            copy: None,
            message_id: "1@b.example".to_owned(),
            sender: None,
            date: chrono::DateTime::UNIX_EPOCH,
        };
        let rendered = Rendered { subject: "x".to_owned(), plain: "x".to_owned(), html: "x".to_owned() };
        post.send(&build(&settings, &envelope, &rendered).unwrap()).await
    }

    async fn without_a_greeting_nothing_has_left() {
        let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let answer = handed(silent.try_clone().unwrap()).await;
        assert!(matches!(answer, Delivery::NotBegun(_)), "{answer:?}");
    }

    #[test]
    fn addresses_of_mail_servers_are_read() {
        for wrong in ["mail.example", "http://mail.example", ""] {
            assert!(Server::read(wrong).is_err(), "{wrong}");
        }
        assert!(Server::read("smtps://me%40x:p%3Aw@mail.example").is_ok());
    }
}
