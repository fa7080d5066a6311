//! Where the mail server is, and how a connection to it is made: over TLS with a verified certificate, signed in if there is
//! a password.

use std::time::Duration;

use lettre::transport::smtp::{
    authentication::{Credentials, Mechanism},
    client::{AsyncSmtpConnection, TlsParameters},
    extension::ClientId,
};
use percent_encoding::percent_decode_str;
use url::Url;

use super::{login::Login, server_error};

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
    login: Option<Login>,
}

impl Server {
    /// Reads `mail.smtp_url`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(url: &str) -> Result<Server, String> {
        let url: Url = url.parse().map_err(|error: url::ParseError| error.to_string())?;
        let required = url.query_pairs().any(|(key, value)| key == "tls" && value == "required");
        let (secrecy, default_port) = match url.scheme() {
            "smtps" => (Secrecy::Tls, 465),
            "smtp" if required => (Secrecy::StartTls, 587),
            "smtp" => (Secrecy::None, 25),
            other => return Err(format!("{other} is no scheme of a mail server")),
        };
        let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        let login = |password| Login { name: decoded(url.username()), password: decoded(password) };
        let login = url.password().map(login);
        let host = url.host_str().ok_or("a host is needed")?.trim_matches(['[', ']']).to_owned();
        Ok(Server { host, port: url.port().unwrap_or(default_port), secrecy, login })
    }

    /// A connection that is ready for a message.
    ///
    /// # Errors
    /// Why there is none, in words.
    pub async fn connect(&self, timeout: Duration) -> Result<AsyncSmtpConnection, String> {
        let no_connection = |error| server_error::no_connection(&error);
        let hello = ClientId::default();
        let tls = || TlsParameters::new(self.host.clone()).map_err(no_connection);
        let wrapped = if self.secrecy == Secrecy::Tls { Some(tls()?) } else { None };
        let at = (self.host.as_str(), self.port);
        let connecting = AsyncSmtpConnection::connect_tokio1(at, Some(timeout), &hello, wrapped, None);
        let mut connection = connecting.await.map_err(no_connection)?;
        if self.secrecy == Secrecy::StartTls {
            if !connection.can_starttls() {
                return Err("the mail server offers no STARTTLS, and nothing is sent in the clear".to_owned());
            }
            connection.starttls(tls()?, &hello).await.map_err(no_connection)?;
        }
        if let Some(login) = &self.login {
            let credentials = Credentials::new(login.name.clone(), login.password.clone());
            let signing_in = connection.auth(&[Mechanism::Plain, Mechanism::Login], &credentials);
            signing_in.await.map_err(|error| server_error::no_sign_in(&error, login))?;
        }
        Ok(connection)
    }
}
