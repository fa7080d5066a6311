//! How the text of a setting becomes a value. Each function says in its error what is needed instead.

use std::{
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use caseload::{ApprovalRule, PasswordRule, mail::Address, second_factor::SecondFactorRule};
use chrono_tz::Tz;
use ipnet::IpNet;
use model::TaskKind;
use url::Url;

use super::http::ProxyHeader;
use super::{
    amqp,
    choices::{LogFormat, WakeSource},
    duration,
};

/// The longest system id: with start time and randomness it still fits the 150 characters of a process identity.
pub const SYSTEM_ID_LENGTH: usize = 100;

/// What the URL of a PostgreSQL database may say beside host, port, user, password and name.
const PARAMETERS: [&str; 18] = [
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "statement-cache-capacity",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
];

pub fn database_url(text: &str) -> Result<String, String> {
    if !["sqlite:", "postgres://", "postgresql://"].iter().any(|scheme| text.starts_with(scheme)) {
        return Err("sqlite://… or postgres://… is needed".into());
    }
    // The database's client writes what it cannot read, and what it does not know, into the log.
    let url = match text.parse::<Url>() {
        Ok(url) => url,
        Err(_) if text.starts_with("sqlite:") => return Ok(text.to_owned()),
        Err(_) => return Err("this is no URL; in a password # is written %23, / %2F, @ %40 and : %3A".into()),
    };
    let unknown = |key: &str| match url.scheme() {
        "sqlite" => hides(key),
        _ => !PARAMETERS.contains(&key) && !key.starts_with("options["),
    };
    match url.query_pairs().any(|(key, _)| unknown(&key)) {
        true => Err("there is no such parameter; a password is given as password=… or between user and host".into()),
        false => Ok(text.to_owned()),
    }
}

/// Whether what a parameter of a URL says is for nobody's eyes.
fn hides(key: &str) -> bool {
    ["pass", "secret", "token", "key"].iter().any(|word| key.to_lowercase().contains(word)) && key != "sslkey"
}

pub fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "an address and a port are needed, such as 127.0.0.1:3000".into())
}

/// Connections that there is room for.
pub fn places(text: &str) -> Result<usize, String> {
    let places = text.parse().ok().filter(|places| (1..=100_000).contains(places));
    places.ok_or_else(|| "a number from 1 to 100000 is needed".into())
}

/// The same, or nothing.
pub fn maybe_address(text: &str) -> Result<Option<SocketAddr>, String> {
    if text.is_empty() { Ok(None) } else { address(text).map(Some) }
}

/// Addresses and networks, or none.
pub fn networks(text: &str) -> Result<Vec<IpNet>, String> {
    let needed = "addresses and networks are needed, with commas between them, such as 127.0.0.1, 10.0.0.0/8";
    let network = |text: &str| text.parse().ok().or_else(|| text.parse().ok().map(|one: IpAddr| one.into()));
    let networks = text.split(',').map(str::trim).filter(|text| !text.is_empty()).map(network);
    let networks: Vec<IpNet> = networks.collect::<Option<_>>().ok_or(needed)?;
    match networks.iter().any(|network| network.prefix_len() == 0) {
        true => {
            Err("this trusts every address there is, so that anybody could say where they are: name your proxies"
                .into())
        }
        false => Ok(networks),
    }
}

/// What the proxies say it by.
pub fn proxy_header(text: &str) -> Result<ProxyHeader, String> {
    match text {
        "x-forwarded-for" => Ok(ProxyHeader::XForwarded),
        "forwarded" => Ok(ProxyHeader::Forwarded),
        _ => Err("x-forwarded-for or forwarded is needed".into()),
    }
}

pub fn wake_source(text: &str) -> Result<WakeSource, String> {
    match text {
        "auto" => Ok(WakeSource::Auto),
        "none" => Ok(WakeSource::None),
        "postgres" => Ok(WakeSource::Postgres),
        "rabbitmq" => Ok(WakeSource::RabbitMq),
        _ => Err("auto, none, postgres or rabbitmq is needed".into()),
    }
}

/// Where the broker is, or nothing.
pub fn amqp_url(text: &str) -> Result<Option<String>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    if !queue::HAS_RABBITMQ {
        return Err("this build of Docket has no RabbitMQ in it".into());
    }
    let url: Option<Url> = text.parse().ok();
    let url = url.filter(|url| matches!(url.scheme(), "amqp" | "amqps") && url.has_host());
    amqp::parameters(&url.ok_or("amqp://… or amqps://… is needed")?)?;
    queue::Broker::check_url(text).map(|()| Some(text.to_owned()))
}

/// What names at the broker begin with.
pub fn name_prefix(text: &str) -> Result<String, String> {
    match text.len() <= 60 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)) {
        true => Ok(text.to_owned()),
        false => Err("at most 60 letters, digits, dots, dashes or underscores are needed".into()),
    }
}

/// Who must have one.
pub fn second_factor(text: &str) -> Result<SecondFactorRule, String> {
    match text {
        "off" => Ok(SecondFactorRule::Off),
        "administrators" => Ok(SecondFactorRule::Administrators),
        "everybody" => Ok(SecondFactorRule::Everybody),
        _ => Err("off, administrators or everybody is needed".into()),
    }
}

/// A number of people, or `off`.
pub fn above(text: &str) -> Result<Option<u64>, String> {
    match text.parse() {
        _ if text == "off" => Ok(None),
        Ok(number @ 1..=1_000_000) => Ok(Some(number)),
        _ => Err("a whole number from 1 to 1000000 is needed, or off".into()),
    }
}

/// How many people more or fewer are let pass.
pub fn drift(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| *number <= 1_000_000);
    number.ok_or_else(|| "a whole number from 0 to 1000000 is needed".into())
}

/// Kinds of task that can wait for a second person, with commas between them, or none.
pub fn approved_kinds(text: &str) -> Result<Vec<TaskKind>, String> {
    let known = || ApprovalRule::KINDS.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
    let one = |name: String| name.parse().ok().filter(|kind| ApprovalRule::KINDS.contains(kind));
    let kinds: Option<Vec<TaskKind>> = list(text)?.into_iter().map(one).collect();
    kinds.ok_or_else(|| format!("kinds of task are needed, with commas between them; there are {}", known()))
}

pub fn log_format(text: &str) -> Result<LogFormat, String> {
    match text {
        "text" => Ok(LogFormat::Text),
        "json" => Ok(LogFormat::Json),
        _ => Err("text or json is needed".into()),
    }
}

/// Where people reach Docket. The path ends in `/`, so that what is joined to it comes below it.
pub fn public_url(text: &str) -> Result<Url, String> {
    let needed = "a URL is needed, such as https://docket.example.edu or https://example.edu/docket";
    let mut url: Url = text.parse().map_err(|_| needed.to_owned())?;
    let path = url.path().trim_end_matches('/').to_owned();
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
    if !path.split('/').skip(1).all(plain) {
        return Err("letters, digits, dots, dashes and underscores are needed between the slashes of its path".into());
    }
    url.set_path("/");
    let mut url = origin(url.as_str()).map_err(|_| "a URL of scheme, host, port and path only is needed".to_owned())?;
    url.set_path(&format!("{path}/"));
    Ok(url)
}

/// A URL with nothing after the port.
pub fn origin(text: &str) -> Result<Url, String> {
    let url: Url = text.parse().map_err(|_| "a URL is needed, such as https://docket.example.edu".to_owned())?;
    let plain = url.path() == "/" && url.query().is_none() && url.fragment().is_none() && url.username().is_empty();
    match matches!(url.scheme(), "http" | "https") && url.has_host() && plain && url.password().is_none() {
        true => Ok(url),
        false => Err("a URL of scheme, host and port only is needed, such as https://docket.example.edu".into()),
    }
}

pub fn system_id(text: &str) -> Result<String, String> {
    let fits = (1..=SYSTEM_ID_LENGTH).contains(&text.len());
    match fits && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b)) {
        true => Ok(text.to_owned()),
        false => Err(format!("1 to {SYSTEM_ID_LENGTH} letters, digits, dots, dashes or underscores are needed")),
    }
}

pub fn count(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(count @ 1..=10_000) => Ok(count),
        _ => Err("a whole number from 1 to 10000 is needed".into()),
    }
}

/// Where mail is handed over: over TLS with a verified certificate, unless that is this machine itself.
pub fn smtp_url(text: &str) -> Result<Option<String>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let needed = "smtps://… or smtp://…?tls=required is needed; smtp://… alone only for a mail server on this machine";
    let url: Url = text.parse().map_err(|_| needed.to_owned())?;
    let here = url.host_str().is_some_and(|host| matches!(host, "localhost" | "127.0.0.1" | "[::1]"));
    let is_secret = match url.scheme() {
        "smtps" => true,
        "smtp" => here || url.query_pairs().any(|(key, value)| key == "tls" && value == "required"),
        _ => false,
    };
    match is_secret && url.has_host() {
        true => Ok(Some(text.to_owned())),
        false => Err(needed.to_owned()),
    }
}

/// A number of people, or −1 for any.
pub fn limit(text: &str) -> Result<Option<u64>, String> {
    match text.parse() {
        Ok(-1_i64) => Ok(None),
        Ok(limit @ 1..=1_000_000) => Ok(Some(limit.unsigned_abs())),
        _ => Err("a whole number from 1 to 1000000 is needed, or -1 for no limit".into()),
    }
}

/// An address, or nothing.
pub fn recipient(text: &str) -> Result<Option<Address>, String> {
    match text {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| "an email address is needed".into()),
    }
}

/// Connections at once.
pub fn connections(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=100) => Ok(count),
        _ => Err("a whole number from 1 to 100 is needed".into()),
    }
}

/// A number of rows that also fits a sheet of a workbook.
pub fn rows(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(rows @ 1..=1_048_575) => Ok(rows),
        _ => Err("a whole number from 1 to 1048575 is needed".into()),
    }
}

/// Where files go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExportStore {
    Folder(String),
    Bucket { bucket: String, prefix: String },
}

pub fn store(text: &str) -> Result<ExportStore, String> {
    if let Some(folder) = text.strip_prefix("file://").filter(|folder| !folder.is_empty()) {
        return Ok(ExportStore::Folder(folder.to_owned()));
    }
    let rest = text.strip_prefix("s3://").map(|rest| rest.split_once('/').unwrap_or((rest, "")));
    match rest {
        Some((bucket, prefix)) if !bucket.is_empty() => {
            Ok(ExportStore::Bucket { bucket: bucket.to_owned(), prefix: prefix.trim_end_matches('/').to_owned() })
        }
        _ => Err("file://FOLDER or s3://BUCKET/PREFIX is needed".into()),
    }
}

/// Where a store that speaks S3 is, or nothing.
pub fn endpoint(text: &str) -> Result<Option<String>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    origin(text).map(|_| Some(text.trim_end_matches('/').to_owned()))
}

pub fn boolean(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "true or false is needed".into())
}

/// A duration, or `adaptive` for the default.
pub fn adaptive(text: &str) -> Result<Option<Duration>, String> {
    match text {
        "adaptive" => Ok(None),
        text => duration::positive(text).map(Some).map_err(|why| format!("{why}, or adaptive")),
    }
}

/// Words with spaces between them.
pub fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Texts with commas between them.
pub fn list(text: &str) -> Result<Vec<String>, String> {
    Ok(text.split(',').map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned).collect())
}

/// Everybody, or the one account that still has a password.
pub fn passwords(text: &str) -> Result<PasswordRule, String> {
    match text {
        "everybody" => Ok(PasswordRule::Everybody),
        "" => Err("everybody is needed, or the username of one account".into()),
        username => Ok(PasswordRule::Only(caseload::account_key(username))),
    }
}

pub fn text(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

/// When something happens by the calendar, as it was written.
pub fn when(text: &str) -> Result<String, String> {
    let needed = |why: String| format!("every 1h, five fields of cron or DISABLED is needed: {why}");
    text.parse::<queue::schedule::When>().map(|_| text.to_owned()).map_err(needed)
}

pub fn time_zone(text: &str) -> Result<Tz, String> {
    text.parse().map_err(|_| "a time zone is needed, such as Europe/Oslo".into())
}

/// A duration, or `never`.
pub fn retention(text: &str) -> Result<Option<Duration>, String> {
    match text {
        "never" => Ok(None),
        text => duration::positive(text).map(Some).map_err(|why| format!("{why}, or never")),
    }
}

/// A URL without its passwords, before the host and among its parameters, however they are written.
pub fn without_password(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    // Unreadable, so nobody knows where its password is.
    let Ok(mut url) = text.parse::<Url>() else { return "…".to_owned() };
    let (given, asked) = (url.password().is_some(), url.query_pairs().any(|(key, _)| hides(&key)));
    if !given && !asked {
        return text.to_owned();
    }
    if given && url.set_password(Some("…")).is_err() {
        return "…".to_owned();
    }
    if asked {
        let pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        let shown = pairs.iter().map(|(key, value)| (key, if hides(key) { "…" } else { value.as_str() }));
        url.query_pairs_mut().clear().extend_pairs(shown);
    }
    url.to_string().replace("%E2%80%A6", "…")
}
