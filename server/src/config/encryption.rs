//! What leaves this machine is encrypted, and the other end is verified, or a setting says that it need not be.
//!
//! Each function gives what is needed instead when an address is one that others may listen to; nothing when all is well.

use std::net::IpAddr;

use sea_orm::sqlx::postgres::{PgConnectOptions, PgSslMode};
use url::Url;

/// The settings that allow plaintext, each beside the one whose address is then taken as it is.
pub const DATABASE: (&str, &str) = ("database.url", "database.allow_plaintext");
pub const RABBITMQ: (&str, &str) = ("rabbitmq.url", "rabbitmq.allow_plaintext");
pub const STORE: (&str, &str) = ("export.s3.endpoint", "export.s3.allow_plaintext");

/// Of a database.
pub fn database(url: &str) -> Option<&'static str> {
    if !url.starts_with("postgres") {
        return None;
    }
    // What cannot be read is not connected to either.
    let options: PgConnectOptions = url.parse().ok()?;
    let here = options.get_socket().is_some() || options.get_host().starts_with('/') || is_here(options.get_host());
    let verified = matches!(options.get_ssl_mode(), PgSslMode::VerifyFull);
    (!here && !verified).then_some("sslmode=verify-full is needed for a server on another machine, sslrootcert=FILE with it if its authority is your own")
}

/// Of a broker.
pub fn broker(url: &str) -> Option<&'static str> {
    plain(url, "amqps").then_some("amqps://… is needed for a broker on another machine")
}

/// Whether a provider is asked over a line to which others may listen.
pub fn provider(url: &str) -> bool {
    plain(url, "https")
}

/// Of a store of files.
pub fn store(url: &str) -> Option<&'static str> {
    plain(url, "https").then_some("https://… is needed for a store on another machine")
}

fn plain(url: &str, encrypted: &str) -> bool {
    let url: Option<Url> = url.parse().ok();
    url.is_some_and(|url| url.scheme() != encrypted && !url.host_str().is_some_and(is_here))
}

/// Whether a host is this machine.
fn is_here(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}
