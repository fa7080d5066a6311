//! The settings: `docket.toml`, overridden by environment variables. This is the only file that
//! reads the environment. A setting is one line of [`Config::read`]: its key, its default, how its text is read.
//!
//! Everything is checked before anything starts; what is wrong is named by its key and by where it came from.

mod amqp;
pub mod base_path;
mod choices;
pub mod duration;
pub mod encryption;
pub mod http;
pub mod institution;
pub mod reference;
pub mod schedules;
mod source;
mod value;

use std::{net::SocketAddr, path::Path, time::Duration};

use caseload::{
    ApprovalRule, Limits, PasswordRule,
    directory::DirectoryRule,
    files::{FileStore, S3},
    mail,
    second_factor::SecondFactorRule,
};
use model::admin::ScheduleName;
use queue::{Broker, Hints, Scaling};

use source::Sources;
pub use source::{SettingOrigin, ShownSetting, Wrong};

pub use choices::{LogFormat, WakeSource};
use http::Bounds;
pub use http::{Cookie, Http};

/// All settings, read and checked.
#[derive(Clone, Debug)]
pub struct Config {
    pub database_url: String,
    pub http: Http,
    pub queue: queue::Settings,
    /// Whether self-tests may be submitted.
    pub self_test: bool,
    /// Where exports go, and their bounds.
    pub exports: ExportSettings,
    pub mail: mail::MailSettings,
    pub schedules: schedules::ScheduleSettings,
    pub session: Session,
    /// By whom people are let in beside Docket itself.
    pub providers: Vec<institution::providers::ProviderSettings>,
    /// What the directory of the institution may do.
    pub directory: DirectoryRule,
    /// Who may come in by a password.
    pub passwords: PasswordRule,
    /// Who must have a second factor beside it.
    pub second_factor: SecondFactorRule,
    /// Which tasks wait for a second person.
    pub approvals: ApprovalRule,
    /// What one account may have.
    pub limits: Limits,
    /// Where this process is measured; nowhere when absent.
    pub metrics: Option<SocketAddr>,
    pub log: LogFormat,
    /// The settings by which something goes unencrypted to another machine.
    pub plaintext: Vec<&'static str>,
    /// All of them as they can be shown: secrets are hidden.
    pub shown: Vec<ShownSetting>,
    /// The settings that there is one of for each kind, or for each of what has a name.
    pub families: Vec<String>,
}

/// Where exports go, and their bounds.
#[derive(Clone, Debug)]
pub struct ExportSettings {
    pub store: FileStore,
    /// The most people of one file.
    pub most: u64,
    /// How long a file can be downloaded.
    pub kept: Duration,
}

/// How long somebody stays signed in: without a request, and at most.
#[derive(Clone, Copy, Debug)]
pub struct Session {
    pub idle: Duration,
    pub absolute: Duration,
}

/// Whom mail comes from while there is none.
const NOBODY: &str = "Docket <docket@localhost.localdomain>";

impl Config {
    /// Reads `file`, or `docket.toml` in the working folder if there is one, and the environment.
    pub fn load(file: Option<&Path>) -> Result<Config, Wrong> {
        Config::read(Sources::open(file, environment())?)
    }

    /// Reads a text in the form of `docket.toml`, and nothing else.
    pub fn from_text(text: &str) -> Result<Config, Wrong> {
        Sources::new("docket.toml", text, Vec::new()).and_then(Config::read)
    }

    fn read(mut from: Sources) -> Result<Config, Wrong> {
        let database_url = from.secret("database.url", "sqlite://data/docket.db", value::database_url)?;
        let mut plaintext = Vec::new();
        if from.protected(encryption::DATABASE, encryption::database(&database_url))? {
            plaintext.push(encryption::DATABASE.1);
        }
        let listen = from.one("http.listen", "127.0.0.1:3000", value::address)?;
        let public_url = from.one("http.public_url", &format!("http://{listen}"), value::public_url)?;
        let trusted_proxies = from.one("http.trusted_proxies", "", value::networks)?;
        let defaults = queue::Settings::default();
        let slots = from.one("queue.slots", "8", value::count)?;
        let mut config = Config {
            database_url,
            http: Http {
                listen,
                public_url: public_url.clone(),
                trusted_proxies,
                proxy_header: from.one("http.proxy_header", "x-forwarded-for", value::proxy_header)?,
                sending: from.one("http.sending_mib", "64", value::places)?,
                bounds: Bounds {
                    connections: from.one("http.connections", "1024", value::places)?,
                    idle: from.one("http.idle_timeout", "30s", duration::positive)?,
                },
            },
            queue: queue::Settings {
                system_id: from.one("system_id", &host_name(), value::system_id)?,
                host: host_name(),
                poll_interval: from.one("queue.poll_interval", "15s", duration::positive)?,
                hints: hints(&mut from, &mut plaintext)?,
                cleaning: queue::Cleaning {
                    interval: from.one("rabbitmq.cleanup_interval", "1m", duration::positive)?,
                    resend_after: from.one("rabbitmq.resend_after", "2m", duration::positive)?,
                    crash_interval: from.one("rabbitmq.crash_interval", "1h", duration::positive)?,
                    crash_interval_per_kind: from.each("rabbitmq.crash_interval_per_kind", duration::positive)?,
                },
                slots,
                scaling: scaling(&mut from, slots)?,
                max_per_tick: from.one("queue.max_per_tick", "100", value::count)?,
                per_owner: from.one("queue.per_owner", "4", value::count)?,
                per_kind: from.each("queue.per_kind", value::count)?,
                heartbeat: from.one("queue.heartbeat", "2s", duration::positive)?,
                lease: from.one("queue.lease", "10s", duration::positive)?,
                max_failures: from.one("queue.max_failures", "5", value::count)?,
                backoff: from.one("queue.backoff", "10s", duration::positive)?,
                backoff_max: from.one("queue.backoff_max", "1h", duration::positive)?,
                deadline: from.one("queue.deadline", "15m", duration::positive)?,
                deadline_per_kind: from.each("queue.deadline_per_kind", duration::positive)?,
                retention: from.one("queue.retention", "90d", value::retention)?,
                drain: from.one("queue.drain", "20s", duration::parse)?,
                chunk: queue::ChunkSize {
                    target: from.one("actions.chunk", "adaptive", value::adaptive)?,
                    min: defaults.chunk.min,
                    max: defaults.chunk.max,
                },
                broker_head_start: defaults.broker_head_start,
                sweep: defaults.sweep,
            },
            self_test: from.one("queue.self_test", "false", value::boolean)?,
            exports: ExportSettings {
                store: store(&mut from, &mut plaintext)?,
                most: from.one("export.max_rows", "1000000", value::rows)?,
                kept: from.one("export.retention", "7d", duration::positive)?,
            },
            mail: mail::MailSettings {
                smtp_url: from.secret("mail.smtp_url", "", value::smtp_url)?,
                from: from.one("mail.from", NOBODY, mail::mailbox)?,
                hold: from.one("mail.hold", "60s", duration::parse)?,
                limit: from.one("mail.limit", "500", value::limit)?,
                reroute: from.one("mail.reroute_all_to", "", value::recipient)?,
                concurrency: from.one("mail.concurrency", "5", value::connections)?,
                timeout: from.one("mail.timeout", "60s", duration::positive)?,
                retry: from.one("mail.retry", "1m", duration::positive)?,
                operator: from.one("notice.operator_email", "", value::recipient)?,
                public_url: public_url.as_str().trim_end_matches('/').to_owned(),
            },
            schedules: schedules::ScheduleSettings {
                zone: from.one("schedule.time_zone", "UTC", value::time_zone)?,
                expressions: ScheduleName::ALL
                    .iter()
                    .filter_map(|name| schedules::default_times(*name).map(|times| (*name, times)))
                    .map(|(name, default)| {
                        let key = format!("schedule.{}", name.name().replace('-', "_"));
                        Ok((name, from.one(&key, &default.to_string(), value::when)?))
                    })
                    .collect::<Result<_, Wrong>>()?,
            },
            session: Session {
                idle: from.one("session.idle", "30m", duration::positive)?,
                absolute: from.one("session.absolute", "12h", duration::positive)?,
            },
            providers: institution::providers::read(&mut from)?,
            directory: institution::directory::read(&mut from)?,
            passwords: from.one("auth.passwords", "everybody", value::passwords)?,
            second_factor: from.one("auth.second_factor", "off", value::second_factor)?,
            approvals: ApprovalRule {
                above: from.one("approvals.above", "off", value::above)?,
                kinds: from.one("approvals.kinds", "", value::approved_kinds)?,
                expire: from.one("approvals.expire", "3d", duration::positive)?,
                drift: from.one("approvals.drift", "20", value::drift)?,
            },
            limits: limits(&mut from)?,
            metrics: from.one("metrics.listen", "", value::maybe_address)?,
            log: from.one("log.format", "text", value::log_format)?,
            plaintext,
            shown: Vec::new(),
            families: Vec::new(),
        };
        if config.providers.is_empty() && config.passwords != PasswordRule::Everybody {
            return Err(Wrong::Missing { key: "oidc", because: "auth.passwords is not everybody" });
        }
        if config.mail.smtp_url.is_some() {
            from.given("mail.from", "mail.smtp_url is given")?;
        }
        let (queue, session) = (&config.queue, &config.session);
        from.ordered("queue.backoff", queue.backoff, "queue.backoff_max", queue.backoff_max)?;
        // Half a lease without a beat ends a process, so there must be room for a late one.
        from.ordered("four times queue.heartbeat", queue.heartbeat * 4, "queue.lease", queue.lease)?;
        // Until then it may only be slow to say that it lives.
        let cleaning = &queue.cleaning;
        from.ordered("queue.lease", queue.lease, "rabbitmq.crash_interval", cleaning.crash_interval)?;
        for crash_interval in cleaning.crash_interval_per_kind.values() {
            from.ordered("queue.lease", queue.lease, "rabbitmq.crash_interval_per_kind", *crash_interval)?;
        }
        let twice = cleaning.interval * 2;
        from.ordered("twice rabbitmq.cleanup_interval", twice, "rabbitmq.resend_after", cleaning.resend_after)?;
        from.ordered("session.idle", session.idle, "session.absolute", session.absolute)?;
        (config.shown, config.families) = from.finish()?;
        Ok(config)
    }
}

/// Where files go.
fn store(from: &mut Sources, plaintext: &mut Vec<&'static str>) -> Result<FileStore, Wrong> {
    let store = from.one("export.store", "file://data/exports", value::store)?;
    let endpoint = from.one("export.s3.endpoint", "", value::endpoint)?;
    if from.protected(encryption::STORE, endpoint.as_deref().and_then(encryption::store))? {
        plaintext.push(encryption::STORE.1);
    }
    let region = from.one("export.s3.region", "us-east-1", value::text)?;
    let id = from.one("export.s3.access_key_id", "", value::text)?;
    let secret = from.hidden("export.s3.secret_access_key", value::text)?;
    Ok(match store {
        value::ExportStore::Folder(folder) => FileStore::Folder(folder),
        value::ExportStore::Bucket { bucket, prefix } => {
            if !id.is_empty() {
                from.given("export.s3.secret_access_key", "export.s3.access_key_id is given")?;
            }
            if !secret.is_empty() {
                from.given("export.s3.access_key_id", "export.s3.secret_access_key is given")?;
            }
            let key = (!id.is_empty()).then_some((id, secret));
            FileStore::S3(S3 { bucket, prefix, endpoint, region, key })
        }
    })
}

/// What one account may have.
fn limits(from: &mut Sources) -> Result<Limits, Wrong> {
    let defaults = Limits::default();
    let mut limit = |key: &str, default: u32| from.one(key, &default.to_string(), value::count);
    Ok(Limits {
        streams: limit("limits.event_streams", defaults.streams)?,
        waiting_tasks: limit("limits.waiting_tasks", defaults.waiting_tasks)?,
        approvals: limit("limits.approvals", defaults.approvals)?,
        previews: limit("limits.previews", defaults.previews)?,
        selections: limit("limits.selections", defaults.selections)?,
        templates: limit("limits.templates", defaults.templates)?,
        tokens: limit("limits.tokens", defaults.tokens)?,
        passkeys: limit("limits.passkeys", defaults.passkeys)?,
        views: limit("limits.saved_views", defaults.views)?,
        drafts: limit("limits.drafts", defaults.drafts)?,
        prepared_imports: limit("limits.prepared_imports", defaults.prepared_imports)?,
        matchings: limit("limits.saved_matchings", defaults.matchings)?,
        test_mails: limit("limits.test_mails_per_hour", defaults.test_mails)?,
        address_links: limit("limits.address_links_per_hour", defaults.address_links)?,
        password_links: limit("limits.reset_links_per_hour", defaults.password_links)?,
        bodies: limit("limits.sending_mib", defaults.bodies)?,
        at_once: limit("limits.requests_at_once", defaults.at_once)?,
        requests: limit("limits.requests_per_second", defaults.requests)?,
        burst: limit("limits.request_burst", defaults.burst)?,
    })
}

/// How processes tell each other that something may be due.
fn hints(from: &mut Sources, plaintext: &mut Vec<&'static str>) -> Result<Hints, Wrong> {
    let source = from.one("wake.source", "auto", value::wake_source)?;
    let url = from.secret("rabbitmq.url", "", value::amqp_url)?;
    if from.protected(encryption::RABBITMQ, url.as_deref().and_then(encryption::broker))? {
        plaintext.push(encryption::RABBITMQ.1);
    }
    let prefix = from.one("rabbitmq.prefix", "", value::name_prefix)?;
    let retry_time = from.one("rabbitmq.retry_time", "2s", duration::positive)?;
    let give_up_time = from.one("rabbitmq.give_up_time", "10s", duration::positive)?;
    from.ordered("rabbitmq.retry_time", retry_time, "rabbitmq.give_up_time", give_up_time)?;
    if source == WakeSource::RabbitMq {
        from.given("rabbitmq.url", "wake.source is rabbitmq")?;
    }
    Ok(match (source, url) {
        (WakeSource::Auto | WakeSource::RabbitMq, Some(url)) => {
            Hints::Rabbit(Broker { url, prefix, retry_time, give_up_time })
        }
        (WakeSource::None, _) => Hints::None,
        _ => Hints::Postgres,
    })
}

/// Between how many slots a process may move; none when it may not.
fn scaling(from: &mut Sources, slots: u32) -> Result<Option<Scaling>, Wrong> {
    let min = from.one("scaler.min", &slots.to_string(), value::count)?;
    let max = from.one("scaler.max", &slots.to_string(), value::count)?;
    let interval = from.one("scaler.interval", "10s", duration::positive)?;
    if !(min..=max).contains(&slots) {
        return Err(Wrong::Bounds { what: "queue.slots", low: "scaler.min", high: "scaler.max" });
    }
    Ok(Some(Scaling { min, max, interval }))
}

/// The log filter of this start: `RUST_LOG`, which is the logging library's and no setting of Docket.
#[expect(clippy::disallowed_methods, reason = "this is the file that reads the environment")]
pub fn log_filter() -> Option<String> {
    std::env::var("RUST_LOG").ok().filter(|filter| !filter.is_empty())
}

fn environment() -> Vec<(String, String)> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// The machine's name, cut to what a process identity has room for.
fn host_name() -> String {
    let name: String = gethostname::gethostname().to_string_lossy().chars().take(value::SYSTEM_ID_LENGTH).collect();
    if value::system_id(&name).is_ok() { name } else { "docket".to_owned() }
}

#[cfg(test)]
mod tests;
