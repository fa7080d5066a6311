//! Why the mail server could not be used, in words for whoever looks after Docket. A password is never among them: some servers
//! repeat what they were sent.

use std::io;

use base64::{Engine, prelude::BASE64_STANDARD};
use lettre::transport::smtp::Error;
use rustls::CertificateError::{Expired, ExpiredContext, NotValidForName, NotValidForNameContext, UnknownIssuer};

use super::login::Login;

/// The longest answer that is kept, in characters.
const TOLD: usize = 300;

/// What the mail server said, or what broke.
pub fn in_words(error: &Error) -> String {
    cut(&reply(error))
}

fn reply(error: &Error) -> String {
    let source = std::error::Error::source(error).map(ToString::to_string);
    match (error.status(), source) {
        (Some(code), Some(said)) => format!("{code} {said}"),
        _ => error.to_string(),
    }
}

fn cut(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(TOLD).collect()
}

/// Why there is no connection, or none that is secret.
pub fn no_connection(error: &Error) -> String {
    match tls(error) {
        Some(rustls::Error::InvalidCertificate(why)) => match why {
            Expired | ExpiredContext { .. } => "the certificate of the mail server has expired".to_owned(),
            NotValidForName | NotValidForNameContext { .. } => {
                "the certificate of the mail server is for another name".to_owned()
            }
            UnknownIssuer => "the certificate of the mail server is from an authority that is not trusted".to_owned(),
            other => format!("the certificate of the mail server is not valid: {other}"),
        },
        Some(rustls::Error::InvalidMessage(_)) => "the mail server speaks no TLS at this port".to_owned(),
        _ => in_words(error),
    }
}

/// What stands at the bottom of errors that hold one another.
fn tls(error: &Error) -> Option<&rustls::Error> {
    std::iter::successors(std::error::Error::source(error), |error| error.source())
        .filter_map(|error| error.downcast_ref::<io::Error>()?.get_ref()?.downcast_ref())
        .next()
}

/// Why Docket may not hand anything over.
pub fn no_sign_in(error: &Error, login: &Login) -> String {
    if error.status().is_none() {
        return in_words(error);
    }
    let plain = BASE64_STANDARD.encode(format!("\0{}\0{}", login.name, login.password));
    let hidden = [plain, BASE64_STANDARD.encode(&login.password), login.password.clone()]
        .iter()
        .filter(|secret| !secret.is_empty())
        .fold(reply(error), |said, secret| said.replace(secret.as_str(), "(hidden)"));
    cut(&format!("the mail server refused the username or the password: {hidden}"))
}
