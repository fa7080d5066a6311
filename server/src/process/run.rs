//! The start and the stop of `docket serve`, in their order. It owns the futures it spawns and joins them.
//!
//! Start: schema, database, queue, domain, address, runtime, requests. Stop: no new claims, event streams end (they would
//! keep the rest waiting for ever), running requests are answered, running chunks commit, the database closes.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use anyhow::{Context, Result, bail};
use app::{
    pages::admin::settings::{InEffect, SetBy, SettingsPart},
    server::SettingsInEffect,
};
use caseload::{Caseload, Exports, files::Files, mail::Mail, second_factor::SecondFactors};
use cookie::Key;
use metrics_exporter_prometheus::PrometheusHandle;
use migration::SchemaState;
use queue::{Clock, Database, DatabaseLimits, Queue, Runtime};
use tokio::net::TcpListener;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    auth::cookie_key,
    auth::provider::{Providers, confirm::ConfirmSignIns},
    auth::second_factor::sealing::AppKeys,
    auth::session,
    config::{
        Config, SettingOrigin,
        reference::{self, ExplainedSetting},
    },
    fairness::{Bodies, Shares, Turns, WaitingLine},
    listen::listen,
    pages,
    process::demo::Demo,
    process::metrics,
    process::preflight,
    process::schedules,
    process::schema_version::{self, KnownSchema},
    router,
    state::{AppState, Closing, PagesBeingMade},
};

/// Connections for requests.
const CONNECTIONS: u32 = 16;
/// Connections for tasks, beside one for each that runs: claims, rescues, schedules.
const BESIDE: u32 = 4;

/// How long the database may take to close.
const CLOSING: Duration = Duration::from_secs(5);

/// Opens the database, brought to the newest schema, and builds the domain on it. Nothing runs yet.
pub async fn open(config: &Config) -> Result<Caseload> {
    preflight::may_write(&config.database_url)?;
    migration::up(&config.database_url).await.context("cannot bring the database to the newest schema")?;
    // Past its lease a process has lost its tasks, so it must not hold their rows either.
    let slots = config.queue.scaling.map_or(config.queue.slots, |scaling| scaling.max);
    let limits = DatabaseLimits {
        connections: CONNECTIONS,
        for_tasks: slots + BESIDE,
        frozen: config.queue.lease,
        ..DatabaseLimits::default()
    };
    let database = Database::connect_with(&config.database_url, Clock::default(), limits).await;
    let database = database.map_err(schema_version::plainly).context("cannot open the database")?;
    let files = Files::open(&config.exports.store).map_err(anyhow::Error::msg).context("export.store")?;
    build(config, database, files)
}

/// Opens the database as it is, for commands that only look: it is not brought to another schema, and nothing is written, so
/// that one which is used too early, or by somebody else than the service, stops nobody.
pub async fn look(config: &Config) -> Result<Caseload> {
    let database = schema_version::look(&config.database_url).await?;
    match migration::schema_state(database.reader()).await.context("cannot read the database")? {
        SchemaState::Newest => build(config, database, Files::in_memory()),
        state => bail!("{}", schema_version::in_words(&state)),
    }
}

fn build(config: &Config, database: Database, files: Files) -> Result<Caseload> {
    let exports = Exports { files, most: config.exports.most, kept: config.exports.kept };
    let mail = Mail::new(config.mail.clone()).map_err(anyhow::Error::msg).context("mail.smtp_url")?;
    let registry = Caseload::registry(&exports, &mail);
    let queue = Queue::with_notices(database, registry, config.queue.clone(), Caseload::notices(&mail));
    let passwords = config.passwords.clone();
    let caseload = Caseload::with_passwords(queue, exports, mail, config.self_test, config.limits, passwords);
    caseload.with_approvals(config.approvals.clone());
    Ok(caseload)
}

/// The state of the web side.
pub async fn state(
    config: &Config,
    caseload: Caseload,
    demo: pages::DemoAccounts,
    closing: Closing,
) -> Result<AppState> {
    let (at_once, key) = (at_once(caseload.db()), key(&caseload).await?);
    let sealing = Arc::new(AppKeys(key.clone()));
    caseload.with_second_factors(SecondFactors { rule: config.second_factor, sealing });
    Ok(AppState {
        key,
        sessions: session::Store::new(caseload.db().clone(), config.session),
        shares: Arc::new(Shares::new(caseload.limits())),
        bodies: Arc::new(Bodies::new(caseload.limits(), config.http.sending)),
        line: Arc::new(WaitingLine::new(at_once)),
        turns: Turns::new(at_once),
        caseload,
        http: config.http.clone(),
        demo,
        providers: Providers::new(&config.providers, &config.http)?,
        directory: Arc::new(config.directory.clone()),
        settings: in_effect(config),
        leptos: pages::options(),
        closing,
        making: PagesBeingMade::default(),
        document: Default::default(),
    })
}

/// The key under which what is left with others is sealed.
async fn key(caseload: &Caseload) -> Result<Key> {
    let key = queue::patiently(queue::is_outage, async || cookie_key::of(caseload.db()).await).await;
    key.context("cannot read the key of the server")
}

/// How many requests are worked on at once: SQLite does so on the processors of this machine, PostgreSQL in its connections.
fn at_once(db: &Database) -> usize {
    match db.is_shared() {
        true => CONNECTIONS as usize,
        false => std::thread::available_parallelism().map_or(1, usize::from),
    }
}

/// The settings, for the page that shows them.
fn in_effect(config: &Config) -> SettingsInEffect {
    let told = |setting: ExplainedSetting| InEffect {
        key: setting.key,
        about: setting.about.to_owned(),
        value: setting.shown.map(|shown| shown.value.clone()).unwrap_or_default(),
        set_by: match setting.shown.map(|shown| &shown.origin) {
            None | Some(SettingOrigin::Default) => None,
            Some(SettingOrigin::File(path)) => Some(SetBy::File(path.clone())),
            Some(SettingOrigin::Environment(name)) => Some(SetBy::Environment(name.clone())),
        },
        usual: setting.usual,
    };
    let parts = reference::explained(&config.shown).into_iter();
    SettingsInEffect(
        parts
            .map(|(title, settings)| SettingsPart {
                title: title.to_owned(),
                settings: settings.into_iter().map(told).collect(),
            })
            .collect(),
    )
}

/// What a process is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ProcessRole {
    All,
    Web,
    Worker,
}

impl ProcessRole {
    pub fn serves_pages(self) -> bool {
        self != ProcessRole::Worker
    }

    fn runs_tasks(self) -> bool {
        self != ProcessRole::Web
    }
}

/// Limits may be meant for kinds of a newer version, so they refuse nothing.
fn warn_of_unknown_kinds(caseload: &Caseload) {
    let settings = caseload.queue().settings();
    let named = [
        ("queue.per_kind", settings.per_kind.keys().collect::<Vec<_>>()),
        ("queue.deadline_per_kind", settings.deadline_per_kind.keys().collect()),
        ("rabbitmq.crash_interval_per_kind", settings.cleaning.crash_interval_per_kind.keys().collect()),
    ];
    for (setting, kinds) in named {
        for kind in kinds.into_iter().filter(|kind| !caseload.queue().kinds().any(|known| known == *kind)) {
            let known = caseload.queue().kinds().collect::<Vec<_>>().join(", ");
            tracing::warn!("{setting}.{kind}: this version knows no such kind of task; it knows {known}");
        }
    }
}

/// Who reads the log shall know what others can read.
fn warn_of_plaintext(config: &Config) {
    for setting in &config.plaintext {
        tracing::warn!("{setting} is true: what goes there, passwords and people among it, can be read on the way");
    }
}

/// Serves until `told` returns; when it returns once more, gives up what still goes on.
pub async fn serve(config: Config, role: ProcessRole, demo: Option<Demo>, mut told: impl AsyncFnMut()) -> Result<()> {
    warn_of_plaintext(&config);
    let caseload = tokio::select! {
        opened = open(&config) => opened?,
        // The schema may be waited for.
        () = told() => return Ok(()),
    };
    if role != ProcessRole::All && !caseload.db().is_shared() {
        bail!("a SQLite database has one process only: use --role all, or PostgreSQL");
    }
    warn_of_unknown_kinds(&caseload);
    let accounts = match demo {
        Some(demo) => demo.prepare(&caseload, &config.http).await?,
        None => Vec::new(),
    };
    // Before the runtime, so that a taken address leaves every task alone.
    let listener = match role.serves_pages() {
        true => Some(TcpListener::bind(config.http.listen).await),
        false => None,
    };
    let listener = listener.transpose().with_context(|| format!("cannot listen on {}", config.http.listen))?;
    let measured = match config.metrics {
        Some(address) => Some(Measured::at(address).await?),
        None => None,
    };
    let runtime = match role.runs_tasks() {
        true if caseload.db().is_shared() => {
            let known = KnownSchema(caseload.db().for_tasks());
            Some(Runtime::start_behind(caseload.queue(), known).await?)
        }
        // Nobody else migrates a database that one process has to itself.
        true => Some(Runtime::start(caseload.queue()).await?),
        false => None,
    };

    let (tasks, claiming, hints) = (TaskTracker::new(), CancellationToken::new(), CancellationToken::new());
    let (queue, until) = (caseload.queue().clone(), hints.clone());
    let exchange = tasks.spawn(async move { queue.exchange_hints(until).await });
    if let Some(runtime) = &runtime {
        let sessions = session::Store::new(caseload.db().clone(), config.session);
        let confirm = ConfirmSignIns {
            caseload: caseload.clone(),
            sessions: sessions.clone(),
            providers: Providers::new(&config.providers, &config.http)?,
            key: key(&caseload).await?,
        };
        let scheduler = schedules::scheduler(confirm, &config.schedules, runtime);
        let until = claiming.clone();
        tasks.spawn(async move { scheduler.run(until).await });
    }
    let stop_claiming = claiming.clone();
    let mut running = tasks.spawn(async move {
        match runtime {
            Some(runtime) => runtime.run(stop_claiming).await,
            None => stop_claiming.cancelled().await,
        }
    });
    let closing = Closing::default();
    if let Some(measured) = measured {
        let (router, until) = (metrics::router(caseload.clone(), measured.handle.clone()), closing.0.clone());
        tasks.spawn(listen(measured.listener, router, config.http.bounds, until.clone()));
        tasks.spawn(async move {
            while until.run_until_cancelled(tokio::time::sleep(metrics::UPKEEP)).await.is_some() {
                measured.handle.run_upkeep();
            }
        });
    }
    let mut making = PagesBeingMade::default();
    let http = match listener {
        Some(listener) => {
            let address = listener.local_addr()?;
            let state = state(&config, caseload.clone(), pages::DemoAccounts(accounts), closing.clone()).await?;
            making = state.making.clone();
            let router = router::router(state).context("http.public_url")?;
            let http = tasks.spawn(listen(listener, router, config.http.bounds, closing.0.clone()));
            log_first_steps(&caseload, &config.http.public_url).await;
            tracing::info!("ready at http://{address}");
            Some(http)
        }
        None => {
            tracing::info!("ready to run tasks");
            None
        }
    };
    tasks.close();

    tokio::select! {
        () = told() => tracing::info!("stopping"),
        _ = &mut running => bail!("the queue has ended by itself"),
    }
    claiming.cancel();
    closing.0.cancel();
    // The others hear of what is put back, so hints end last.
    let ended = async {
        let _ = (&mut running).await;
        hints.cancel();
        tasks.wait().await;
        making.0.close();
        making.0.wait().await;
    };
    tokio::select! {
        // A client that never finishes its request is worth no more waiting than a chunk is.
        _ = tokio::time::timeout(config.queue.drain, ended) => {}
        () = told() => bail!("stopped at once"),
    }
    if let Err(error) = caseload.audit().note_rest_of_denials().await {
        tracing::error!(%error, "denied requests could not be noted");
    }
    if !running.is_finished() {
        // Its own grace time ends at about the same moment; what it says then goes to the log.
        tokio::select! {
            _ = tokio::time::timeout(CLOSING, &mut running) => {}
            () = told() => bail!("stopped at once"),
        }
        running.abort();
    }
    hints.cancel();
    let _ = exchange.await;
    if let Some(http) = http {
        http.abort();
    }
    // Bounded: a client that was given up above may still hold a connection.
    let closed = tokio::time::timeout(CLOSING, caseload.db().clone().close()).await;
    closed.unwrap_or(Ok(())).context("cannot close the database")?;
    tracing::info!("stopped");
    Ok(())
}

/// Where this process is measured.
struct Measured {
    listener: TcpListener,
    handle: PrometheusHandle,
}

impl Measured {
    async fn at(address: SocketAddr) -> Result<Measured> {
        let listener = TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
        let handle = metrics::install()?;
        tracing::info!("measured at http://{}/metrics", listener.local_addr()?);
        Ok(Measured { listener, handle })
    }
}

/// Says how the first account is made, while there is none. That this cannot be found out stops nobody who has an account.
async fn log_first_steps(caseload: &Caseload, at: &url::Url) {
    let passes = |error: &caseload::Error| matches!(error, caseload::Error::Database(error) if queue::is_outage(error));
    match queue::patiently(passes, async || caseload.accounts().setup_token().await).await {
        Ok(Some(token)) => {
            tracing::warn!("nobody can sign in yet; make the first account at {at}setup?token={token}");
        }
        Ok(None) => {}
        Err(error) => tracing::error!(%error, "cannot look whether anybody can sign in; the next start will"),
    }
}
