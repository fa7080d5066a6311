//! Where the mail server is, and how a connection to it is made: over TLS with a verified certificate, signed in if there is
//! a password.

use std::time::Duration;

use lettre::transport::smtp::{
    Error,
    authentication::{Credentials, Mechanism},
    client::{AsyncSmtpConnection, TlsParameters},
    extension::ClientId,
};
use percent_encoding::percent_decode_str;
use url::Url;

/// How the connection is kept secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Secrecy {
    /// Not at all; for a mail server on this machine.
    None,
    /// By STARTTLS, or no connection.
    StartTls,
    /// From the first byte.
    Tls,
}

/// A mail server.
pub struct Server {
    host: String,
    port: u16,
    secrecy: Secrecy,
    credentials: Option<Credentials>,
}

impl Server {
    /// Reads `mail.smtp_url`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(url: &str) -> Result<Server, String> {
        let url: Url = url.parse().map_err(|error: url::ParseError| error.to_string())?;
        let required = url.query_pairs().any(|(key, value)| key == "tls" && value == "required");
        let (secrecy, usual) = match url.scheme() {
            "smtps" => (Secrecy::Tls, 465),
            "smtp" if required => (Secrecy::StartTls, 587),
            "smtp" => (Secrecy::None, 25),
            other => return Err(format!("{other} is no scheme of a mail server")),
        };
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let credentials = url.password().map(|password| Credentials::new(decoded(url.username()), decoded(password)));
        let host = url.host_str().ok_or("a host is needed")?.trim_matches(['[', ']']).to_owned();
        Ok(Server { host, port: url.port().unwrap_or(usual), secrecy, credentials })
    }

    /// A connection that is ready for a message.
    pub async fn connect(&self, timeout: Duration) -> Result<AsyncSmtpConnection, Error> {
        let hello = ClientId::default();
        let tls = || TlsParameters::new(self.host.clone());
        let wrapped = if self.secrecy == Secrecy::Tls { Some(tls()?) } else { None };
        let at = (self.host.as_str(), self.port);
        let mut connection = AsyncSmtpConnection::connect_tokio1(at, Some(timeout), &hello, wrapped, None).await?;
        if self.secrecy == Secrecy::StartTls {
            connection.starttls(tls()?, &hello).await?;
        }
        if let Some(credentials) = &self.credentials {
            connection.auth(&[Mechanism::Plain, Mechanism::Login], credentials).await?;
        }
        Ok(connection)
    }
}
