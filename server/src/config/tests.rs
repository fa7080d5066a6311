//! The settings as somebody who writes them meets them.

use rstest::rstest;

use super::*;

fn read(file: &str, environment: &[(&str, &str)]) -> Result<Config, Wrong> {
    let environment = environment.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    Sources::new("docket.toml", file, environment).and_then(Config::read)
}

#[test]
fn without_a_word_everything_has_its_documented_default() {
    let config = read("", &[]).unwrap();
    assert_eq!(config.database_url, "sqlite://data/docket.db");
    assert_eq!(config.http.public_url.as_str(), "http://127.0.0.1:3000/");
    assert_eq!((config.queue.slots, config.queue.drain.as_secs(), config.queue.chunk.target), (8, 20, None));
    assert_eq!((config.session.idle.as_secs(), config.session.absolute.as_secs()), (1_800, 43_200));
    assert!(config.shown.iter().all(|setting| setting.origin == SettingOrigin::Default));
}

#[test]
fn a_queue_that_is_told_nothing_has_the_defaults_of_the_settings() {
    let read = read("", &[]).unwrap().queue;
    let own = queue::Settings { system_id: read.system_id.clone(), host: read.host.clone(), ..Default::default() };
    // Bounds that are the same leave the slots alone, as none do.
    let own = queue::Settings { scaling: read.scaling, ..own };
    assert_eq!(format!("{read:#?}"), format!("{own:#?}"));
}

#[test]
fn the_environment_wins_over_the_file() {
    let file = "[http]\nlisten = '127.0.0.1:4000'\n[queue]\nslots = 3\n";
    let config = read(file, &[("DOCKET__QUEUE__SLOTS", "5"), ("PATH", "/bin")]).unwrap();
    assert_eq!((config.http.listen.port(), config.queue.slots), (4000, 5));
    // The public address follows the listening one unless it is given.
    assert_eq!(config.http.public_url.port(), Some(4000));
    let origin = |key: &str| config.shown.iter().find(|setting| setting.key == key).unwrap().origin.to_string();
    assert_eq!(origin("http.listen"), "file docket.toml");
    assert_eq!(origin("queue.slots"), "environment DOCKET__QUEUE__SLOTS");
}

#[test]
fn proxies_are_a_list_or_a_text_with_commas() {
    let file = "http.trusted_proxies = ['10.0.0.0/8', '::1']";
    let text = [("DOCKET__HTTP__TRUSTED_PROXIES", "10.0.0.0/8, ::1")];
    let proxies = ["10.0.0.0/8", "::1/128"].map(|network| network.parse().unwrap());
    assert_eq!(read(file, &[]).unwrap().http.trusted_proxies, proxies);
    assert_eq!(read("", &text).unwrap().http.trusted_proxies, proxies);
    assert!(read("", &[]).unwrap().http.trusted_proxies.is_empty());
}

#[test]
fn a_path_in_the_public_address_goes_into_cookies_and_mail() {
    let read = |url: &str| read(&format!("http.public_url = '{url}'"), &[]).unwrap();
    for url in ["https://a.b/apps/docket", "https://a.b/apps/docket/"] {
        let config = read(url);
        assert_eq!(config.http.public_url.join("setup").unwrap().as_str(), "https://a.b/apps/docket/setup");
        assert_eq!(config.mail.public_url, "https://a.b/apps/docket");
        let set = config.http.cookie("docket").set("", 0);
        assert_eq!(set, "__Secure-docket=; Path=/apps/docket; HttpOnly; SameSite=Lax; Max-Age=0; Secure");
    }
    let config = read("https://a.b");
    assert_eq!(config.mail.public_url, "https://a.b");
    assert_eq!(
        config.http.cookie("docket").set("x", 9),
        "__Host-docket=x; Path=/; HttpOnly; SameSite=Lax; Max-Age=9; Secure"
    );
}

#[test]
fn a_kind_has_a_deadline_of_its_own_from_either_source() {
    let file = "[queue.deadline_per_kind]\nprogram-status = '1h'\nexport = '2h'\n";
    let config = read(file, &[("DOCKET__QUEUE__DEADLINE_PER_KIND__PROGRAM_STATUS", "3h")]).unwrap();
    let hours: Vec<_> = config.queue.deadline_per_kind.iter().map(|(k, d)| (k.as_str(), d.as_secs() / 3600)).collect();
    assert_eq!(hours, [("export", 2), ("program-status", 3)]);
}

#[rstest]
#[case::unknown("[http]\nport = 1", "http.port (file docket.toml): there is no such setting")]
#[case::unknown_section("colour = 'red'", "colour (file docket.toml): there is no such setting")]
#[case::bad_duration("[queue]\ndrain = 20", "queue.drain = \"20\" (file docket.toml): a duration is needed")]
#[case::zero("[queue]\nslots = 0", "queue.slots = \"0\" (file docket.toml): a whole number from 1")]
#[case::bad_scheme("[database]\nurl = 'mysql://x'", "database.url = \"mysql://x\" (file docket.toml): sqlite://")]
#[case::query("[http]\npublic_url = 'https://a.b/?c'", "http.public_url = \"https://a.b/?c\"")]
#[case::odd_path(
    "[http]\npublic_url = 'https://a.b/c;d'",
    "http.public_url = \"https://a.b/c;d\" (file docket.toml): lett"
)]
#[case::list("[queue]\nslots = [1]", "docket.toml: queue.slots: a text, a number")]
#[case::proxy(
    "[http]\ntrusted_proxies = 'proxy.example'",
    "http.trusted_proxies = \"proxy.example\" (file docket.toml): addr"
)]
#[case::everybody("[http]\ntrusted_proxies = ['::1', '0.0.0.0/0']", "http.trusted_proxies = \"::1, 0.0.0.0/0\" (file")]
#[case::order("[session]\nidle = '2d'", "session.idle is longer than session.absolute")]
#[case::bare_smtp(
    "[mail]\nsmtp_url = 'smtp://mail.example.edu'",
    "mail.smtp_url = \"smtp://mail.example.edu\" (file docket.toml): smtps://"
)]
#[case::no_sender(
    "[mail]\nsmtp_url = 'smtps://mail.example.edu'",
    "mail.from: it is needed when mail.smtp_url is given"
)]
#[case::metrics("[metrics]\nlisten = 'here'", "metrics.listen = \"here\" (file docket.toml): an address and a port")]
#[case::log("[log]\nformat = 'xml'", "log.format = \"xml\" (file docket.toml): text or json")]
#[case::wake(
    "[wake]\nsource = 'kafka'",
    "wake.source = \"kafka\" (file docket.toml): auto, none, postgres or rabbitmq"
)]
#[case::broker_option(
    "[rabbitmq]\nurl = 'amqp://mq?heartbeat=x'",
    "rabbitmq.url = \"amqp://mq?heartbeat=x\" (file docket.toml): heartbeat: a whole number of seconds"
)]
#[case::broker_slip(
    "[rabbitmq]\nurl = 'amqp://mq?heartbeet=5'",
    "rabbitmq.url = \"amqp://mq?heartbeet=5\" (file docket.toml): heartbeet: there is no such parameter"
)]
#[case::broker_mechanism(
    "[rabbitmq]\nurl = 'amqp://mq?auth_mechanism=magic'",
    "rabbitmq.url = \"amqp://mq?auth_mechanism=magic\" (file docket.toml): auth_mechanism: plain, amqplain"
)]
#[case::broker_twice(
    "[rabbitmq]\nurl = 'amqp://mq?heartbeat=5&heartbeat=6'",
    "rabbitmq.url = \"amqp://mq?heartbeat=5&heartbeat=6\" (file docket.toml): heartbeat is there twice"
)]
#[case::broker("[rabbitmq]\nurl = 'http://x'", "rabbitmq.url = \"http://x\" (file docket.toml): amqp://")]
#[case::no_broker("[wake]\nsource = 'rabbitmq'", "rabbitmq.url: it is needed when wake.source is rabbitmq")]
#[case::give_up("[rabbitmq]\nretry_time = '1m'", "rabbitmq.retry_time is longer than rabbitmq.give_up_time")]
#[case::scaler("[scaler]\nmax = 4", "queue.slots: it has to be from scaler.min to scaler.max")]
#[case::limit("[mail]\nlimit = 0", "mail.limit = \"0\" (file docket.toml): a whole number")]
#[case::operator("[notice]\noperator_email = 'me'", "notice.operator_email = \"me\" (file docket.toml): an email")]
#[case::provider("[oidc.North]\nissuer = 'https://n.example'", "oidc.North = \"\" (default): a short name")]
#[case::issuer(
    "[oidc.n]\nissuer = 'http://n.example'",
    "oidc.n.issuer = \"http://n.example\" (file docket.toml): https://…"
)]
#[case::client("[oidc.n]\nissuer = 'https://n.example'", "oidc.n.client_id = \"\" (default): a value is needed")]
#[case::prompt("[oidc.n]\nissuer = 'https://n.example'\nclient_id = 'd'\nprompt = 'none'", "oidc.n.prompt = \"none\"")]
#[case::no_groups(
    "[oidc.n]\nissuer = 'https://n.example'\nclient_id = 'd'\nrole_claim = 'g'",
    "oidc.n.role_claim = \"g\""
)]
#[case::no_claim(
    "[oidc.n]\nissuer = 'https://n.example'\nclient_id = 'd'\nrole_coach = 'g'",
    "oidc.n.role_claim = \"\""
)]
#[case::passwords("[auth]\npasswords = 'admin'", "oidc: it is needed when auth.passwords is not everybody")]
#[case::syntax("[queue", "docket.toml: TOML parse error")]
fn a_mistake_in_the_file_is_named(#[case] file: &str, #[case] message: &str) {
    let error = read(file, &[]).unwrap_err().to_string();
    assert!(error.starts_with(message), "{error}");
}

#[test]
fn a_mistake_in_the_environment_is_named_by_its_variable() {
    let error = read("", &[("DOCKET__QUEUE__SLOT", "5")]).unwrap_err().to_string();
    assert_eq!(error, "queue.slot (environment DOCKET__QUEUE__SLOT): there is no such setting");
}

#[test]
fn every_time_of_the_broker_can_be_set() {
    let file = "[rabbitmq]\nurl = 'amqps://docket:hunter2@mq/docket'\nprefix = 'east.'\nretry_time = '1s'\n\
         give_up_time = '5s'\ncleanup_interval = '30s'\nresend_after = '1m'\ncrash_interval = '10m'\n\
         crash_interval_per_kind.export = '2h'\n[scaler]\nmin = 2\nmax = 32\ninterval = '5s'\n";
    let config = read(file, &[]).unwrap();
    let queue::Hints::Rabbit(broker) = &config.queue.hints else { panic!("no broker") };
    assert_eq!((broker.url.as_str(), broker.prefix.as_str()), ("amqps://docket:hunter2@mq/docket", "east."));
    assert_eq!((broker.retry_time.as_secs(), broker.give_up_time.as_secs()), (1, 5));
    let cleaning = &config.queue.cleaning;
    let times = [cleaning.interval, cleaning.resend_after, cleaning.crash_interval].map(|time| time.as_secs());
    assert_eq!((times, cleaning.crash_interval_per_kind["export"].as_secs()), ([30, 60, 600], 7_200));
    let scaling = config.queue.scaling.unwrap();
    assert_eq!((scaling.min, scaling.max, scaling.interval.as_secs()), (2, 32, 5));
    assert!(config.shown.iter().all(|setting| !setting.value.contains("hunter2")));
    // Said otherwise, the broker is left alone.
    let config = read(&format!("{file}[wake]\nsource = 'postgres'"), &[]).unwrap();
    assert_eq!(config.queue.hints, queue::Hints::Postgres);
}

#[test]
fn a_password_is_shown_nowhere() {
    let url = "postgres://docket:hunter2@db.example.edu/docket?sslmode=verify-full";
    let config = read("", &[("DOCKET__DATABASE__URL", url)]).unwrap();
    assert_eq!(config.database_url, url);
    assert_eq!(config.shown[0].value, "postgres://docket:…@db.example.edu/docket?sslmode=verify-full");
    let error = read("", &[("DOCKET__DATABASE__URL", "mysql://docket:hunter2@db")]).unwrap_err().to_string();
    assert!(!error.contains("hunter2"), "{error}");
}

#[test]
fn schedules_and_retention_are_settings_and_no_other_schedule_is_known() {
    let file = "[schedule]\ntime_zone = 'Europe/Oslo'\nprune_finished = '30 2 * * *'\n[queue]\nretention = 'never'\n";
    let config = read(file, &[]).unwrap();
    assert_eq!((config.schedules.zone, config.queue.retention), (chrono_tz::Europe::Oslo, None));
    assert_eq!(config.schedules.expressions[&ScheduleName::PruneFinished], "30 2 * * *");
    assert_eq!(config.schedules.expressions[&ScheduleName::PruneUnused], "every 3600s");
    for (wrong, key) in [
        ("[schedule]\nprune_everything = 'every 1s'", "schedule.prune_everything"),
        ("[schedule]\ntime_zone = 'Atlantis'", "schedule.time_zone"),
        ("[schedule]\nsum_up = 'hourly'", "schedule.sum_up"),
        ("[schedule]\nprune_files = 'every 1w'", "schedule.prune_files"),
        ("[queue]\nretention = 'long'", "queue.retention"),
    ] {
        assert!(read(wrong, &[]).unwrap_err().to_string().starts_with(key), "{wrong}");
    }
}

#[test]
fn a_schedule_takes_what_its_own_reference_recommends() {
    let config = Config::from_text("[schedule]\nprune_finished = 'every 1h'\nsum_up = 'DISABLED'").unwrap();
    assert_eq!(config.schedules.expressions[&ScheduleName::PruneFinished], "every 1h");
}

#[rstest]
#[case::parameter("postgres://db/docket?sslmode=verify-full&password=hunter2")]
#[case::encoded("postgres://db/docket?sslmode=verify-full&p%61ssword=hunter2")]
#[case::twice("postgres://docket:hunter2@db/docket?password=hunter2&sslmode=verify-full")]
#[case::capitals("postgres://localhost/docket?PassWord=hunter2")]
#[case::another("postgres://localhost/docket?sslpassword=hunter2")]
#[case::secret("postgres://localhost/docket?secret=hunter2")]
#[case::file("sqlite://data/docket.db?Password=hunter2")]
fn a_password_among_the_parameters_is_shown_nowhere(#[case] url: &str) {
    match read("", &[("DOCKET__DATABASE__URL", url)]) {
        Ok(config) => {
            assert!(config.shown.iter().all(|setting| !setting.value.contains("hunter2")), "{:?}", config.shown[0]);
            assert!(config.shown[0].value.contains("password=…"), "{:?}", config.shown[0]);
        }
        Err(error) => {
            let error = error.to_string();
            assert!(error.starts_with("database.url") && !error.contains("hunter2"), "{error}");
            assert!(error.contains("=…"), "{error}");
        }
    }
}

/// The start wrote it into the log, twice, in saying that it could not be parsed.
#[rstest]
#[case("postgres://docket:hunter#2@localhost/docket")]
#[case("postgres://docket:hunter/2@localhost/docket")]
#[case("postgres://docket:hunter2@localhost:port/docket")]
#[case("postgres://docket:hunter2@local host/docket")]
fn a_database_that_cannot_be_understood_is_refused_without_its_password(#[case] url: &str) {
    let error = read("", &[("DOCKET__DATABASE__URL", url)]).unwrap_err().to_string();
    assert!(error.starts_with("database.url") && error.contains("%23") && !error.contains("hunter"), "{error}");
}

#[test]
fn a_broker_is_refused_without_its_password() {
    for url in ["amqps://docket:hunter2@mq/?heartbeet=5", "amqps://docket@mq/?password=hunter2"] {
        let error = read("", &[("DOCKET__RABBITMQ__URL", url)]).unwrap_err().to_string();
        assert!(error.contains("there is no such parameter") && !error.contains("hunter2"), "{error}");
    }
}

#[rstest]
#[case("[database]\nurl = 'postgres://db.example.edu/docket'", "database.url: sslmode=verify-full is needed")]
#[case("[database]\nurl = 'postgres://db.example.edu/docket?sslmode=require'", "database.url: sslmode=verify-full")]
#[case("[database]\nurl = 'postgres://localhost/docket?host=db.example.edu'", "database.url: sslmode=verify-full")]
#[case("[rabbitmq]\nurl = 'amqp://docket:x@mq.example.edu'", "rabbitmq.url: amqps://")]
#[case("[export.s3]\nendpoint = 'http://store.example.edu:9000'", "export.s3.endpoint: https://")]
fn what_others_could_read_on_the_way_is_refused_unless_allowed(#[case] file: &str, #[case] says: &str) {
    let error = read(file, &[]).unwrap_err().to_string();
    assert!(error.starts_with(says), "{error}");
    let allowed = read(&format!("{file}\nallow_plaintext = true"), &[]).unwrap();
    assert_eq!(allowed.plaintext.len(), 1);
    assert!(error.contains(allowed.plaintext[0]), "{error} names {:?}", allowed.plaintext);
}

#[rstest]
#[case("[database]\nurl = 'postgres://db.example.edu/docket?sslmode=verify-full'")]
#[case("[database]\nurl = 'postgres://127.0.0.1:5433/docket'")]
#[case("[database]\nurl = 'postgres://[::1]/docket'")]
#[case("[database]\nurl = 'postgres:///docket?host=/run/postgresql'")]
#[case("[rabbitmq]\nurl = 'amqps://docket:x@mq.example.edu'")]
#[case(
    "[rabbitmq]\nurl = 'amqps://docket:x@mq.example.edu/v?heartbeat=5&auth_mechanism=PLAIN&connection_timeout=9000'"
)]
#[case("[rabbitmq]\nurl = 'amqp://docket:x@LOCALHOST'")]
#[case("[export.s3]\nendpoint = 'http://127.0.0.1:9000'")]
#[case("[export.s3]\nendpoint = 'https://store.example.edu'")]
fn what_nobody_else_can_read_is_taken(#[case] file: &str) {
    assert_eq!(read(file, &[]).unwrap().plaintext, [""; 0]);
}
