//! The reference of all settings, `docs/settings.md`, as `docket config --reference` prints it: keys and defaults are those
//! that [`Config`] reads, what they are for is said here, for the page of the settings in effect too. A test keeps the two
//! and the file together.

use std::fmt::Write;

use super::{Config, ShownSetting, Wrong};

/// A setting with what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedSetting<'a> {
    /// One that there is for each kind ends in `KIND` where no kind has any.
    pub key: String,
    pub about: &'static str,
    /// Nothing where none is given.
    pub shown: Option<&'a ShownSetting>,
    /// What it would be if nobody had set it.
    pub usual: String,
}

/// The settings that are shown, section by section, each with what it is for.
pub fn explained<'a>(shown: &'a [ShownSetting]) -> Vec<(&'static str, Vec<ExplainedSetting<'a>>)> {
    let usual = Config::from_text("").map(|config| config.shown).unwrap_or_default();
    let of = |(key, about): &(&'static str, &'static str)| {
        let is_it = |shown: &&ShownSetting| is_of(key, &shown.key);
        let usual = usual.iter().find(|usual| usual.key == *key).map(|usual| usual.value.clone()).unwrap_or_default();
        let explained = |shown: Option<&'a ShownSetting>| ExplainedSetting {
            key: shown.map_or(*key, |shown| &shown.key).to_owned(),
            about,
            shown,
            usual: usual.clone(),
        };
        let its: Vec<_> = shown.iter().filter(is_it).map(|shown| explained(Some(shown))).collect();
        if its.is_empty() { vec![explained(None)] } else { its }
    };
    SECTIONS.iter().map(|(title, settings)| (*title, settings.iter().flat_map(of).collect())).collect()
}

/// Whether a setting is this one, or one of those that it stands for.
fn is_of(key: &str, shown: &str) -> bool {
    match ["KIND", "NAME"].iter().find_map(|name| key.split_once(name)) {
        Some((before, after)) => {
            let named = shown.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
            named.is_some_and(|name| !name.is_empty() && !name.contains('.'))
        }
        None => shown == key,
    }
}

/// What each setting is for, by section. A key that ends in `KIND` stands for one of each kind of task.
const SECTIONS: &[(&str, &[(&str, &str)])] = &[
    (
        "Addresses and sign-in",
        &[
            ("database.url", "Where the data is: `sqlite://…` for one machine, `postgres://…` for several processes."),
            (
                "database.allow_plaintext",
                "Whether Docket can use a PostgreSQL on another machine without `sslmode=verify-full`, which encrypts the connection and checks whom it leads to. Docket warns of it at each start.",
            ),
            ("http.listen", "The address and port on which Docket answers browsers and programs."),
            (
                "http.public_url",
                "The address at which people open Docket, with a path if it is served under one. Links in emails begin with it. With `https`, browsers send sign-in cookies over encrypted connections only.",
            ),
            (
                "http.trusted_proxies",
                "If people reach Docket through proxies of yours: their addresses or networks, with commas between them. Docket takes their word for who is behind them, which the audit trail and limits on sign-ins need, and nobody else’s.",
            ),
            (
                "http.proxy_header",
                "Where those proxies write who is behind them: in `x-forwarded-for`, with `X-Forwarded-Proto`, or in `forwarded`. Docket ignores the other one.",
            ),
            (
                "http.connections",
                "How many connections browsers and programs can have open at the same time. When all are taken, the next person still gets in: Docket closes the quietest connection of whoever has most.",
            ),
            (
                "http.sending_mib",
                "How much memory all the files and forms that are being sent to Docket can take together, in MiB. While it is used up, whoever sends more is asked to try again.",
            ),
            (
                "http.idle_timeout",
                "How long Docket waits for a browser or program that has stopped sending, or does not take its answer, before it closes the connection.",
            ),
            (
                "system_id",
                "What processes on this machine are called on the pages of administrators; the machine’s name unless given.",
            ),
            (
                "metrics.listen",
                "The address and port where Prometheus can collect figures; off when empty. Let only the collector reach it.",
            ),
            ("log.format", "How the log is written: `text` for people, `json` for programs."),
            (
                "auth.passwords",
                "Who can sign in with a password: `everybody`, or the username of one account for emergencies, where everybody else signs in with a provider.",
            ),
            (
                "auth.second_factor",
                "Who must show a second factor, a code of an authenticator app or a passkey, when they sign in with a password: `off` (whoever wants to), `administrators` or `everybody`. Whoever must and has none sets one up before anything else.",
            ),
            ("session.idle", "How long somebody who does nothing stays signed in."),
            ("session.absolute", "How long somebody stays signed in at most, then signs in again."),
        ],
    ),
    (
        "Sign-in with your institution",
        &[
            (
                "oidc.NAME.issuer",
                "The address of an OpenID Connect provider, letter by letter as it calls itself. NAME is one word of yours; the addresses to register there are `…/login/return/NAME` and, to have sessions end, `…/login/ended/NAME`.",
            ),
            (
                "oidc.NAME.allow_plaintext",
                "Whether a provider on another machine can be asked without encryption; for trials.",
            ),
            ("oidc.NAME.client_id", "What the provider calls Docket."),
            ("oidc.NAME.client_secret", "The secret that the provider gave Docket, unless there is none."),
            ("oidc.NAME.client_secret_file", "A file with that secret, instead of the secret itself."),
            (
                "oidc.NAME.scopes",
                "What Docket asks for beside `openid`, with spaces between. Add `offline_access` so that people stay signed in beyond `confirm_every`.",
            ),
            ("oidc.NAME.label", "The name on the button: “Sign in with …”."),
            (
                "oidc.NAME.prompt",
                "What the provider is asked to show: `login`, `select_account`, `consent`, or nothing in particular.",
            ),
            ("oidc.NAME.acr", "Ways to sign in there of which one must have been used, with spaces between."),
            ("oidc.NAME.clock_skew", "How far the provider’s clock can be off."),
            (
                "oidc.NAME.confirm_every",
                "How long somebody stays signed in without the provider confirming that they still may. Roles that were taken away there end within this time.",
            ),
            ("oidc.NAME.username_claim", "Where the provider writes the username."),
            ("oidc.NAME.school_id_claim", "Where it writes the school ID of staff, if it does."),
            (
                "oidc.NAME.role_claim",
                "Where it writes groups or roles, such as `groups` or `realm_access.roles`. Without it, roles are given in Docket.",
            ),
            ("oidc.NAME.role_administrator", "The groups that make an administrator, with commas between."),
            ("oidc.NAME.role_manager", "The groups that make a manager."),
            ("oidc.NAME.role_coach", "The groups that make a coach."),
            (
                "oidc.NAME.link_by",
                "How somebody who comes for the first time gets an account that an administrator made: by `username`, by confirmed `email`, or `nothing`.",
            ),
            (
                "oidc.NAME.create_accounts",
                "Whether somebody without an account gets one when they come for the first time.",
            ),
            ("oidc.NAME.new_role", "The role of such an account, where no `role_claim` is given."),
        ],
    ),
    (
        "The directory of the institution",
        &[
            (
                "scim.link_by",
                "How a user whom the directory adds gets an account that is there already: by `username`, by `email`, or `nothing`: then such a user is refused.",
            ),
            ("scim.new_role", "The role of a new account, until a group makes another one."),
            (
                "scim.role_administrator",
                "The groups of the directory, by name, that make an administrator, with commas between. If any group makes a role, whoever is in none of them is disabled. Without any, roles are given in Docket.",
            ),
            ("scim.role_manager", "The groups that make a manager."),
            ("scim.role_coach", "The groups that make a coach."),
            ("scim.users", "How many users the directory can have, those it has deleted among them."),
            ("scim.groups", "How many groups it can have."),
            ("scim.members", "How many users one group can have."),
            ("scim.page", "How many users or groups one answer lists at most."),
            ("scim.operations", "How many operations one PATCH can have."),
            ("scim.body_kib", "How long one request can be, in KiB; 2048 at most."),
            ("scim.filter_bytes", "How long a filter can be, in bytes."),
        ],
    ),
    (
        "Approval by a second person",
        &[
            (
                "approvals.above",
                "A task that changes more people than this waits until a second person approves it; `off` for none. An undo counts like any other task.",
            ),
            (
                "approvals.kinds",
                "Kinds of task that always wait for a second person, with commas between them: `program-status`, `email`, `watch`, `export`, `early-alert`, `reassign-coach`, `reassign-list`.",
            ),
            ("approvals.expire", "How long a task waits for a second person. Then it ends without having run."),
            (
                "approvals.drift",
                "If the number of people who would change differs by more than this from what the second person saw, Docket shows it again before it approves.",
            ),
        ],
    ),
    (
        "The queue",
        &[
            ("queue.poll_interval", "How often a process looks for due tasks, if nothing tells it of one sooner."),
            ("queue.slots", "How many tasks a process runs at the same time, to begin with."),
            ("queue.max_per_tick", "How many tasks a process takes from the queue in one go, at most."),
            (
                "queue.per_owner",
                "How many tasks of one person run at the same time, over all processes; the others wait.",
            ),
            (
                "queue.per_kind.KIND",
                "How many tasks of that kind run at the same time, over all processes; the others wait.",
            ),
            ("queue.heartbeat", "How often a process reports that it is running, on PostgreSQL."),
            (
                "queue.lease",
                "How long a process can be silent before others take over its tasks; at least four heartbeats.",
            ),
            ("queue.max_failures", "How often a task can fail before Docket no longer retries it automatically."),
            ("queue.backoff", "How long a task waits after its first failure; each further failure doubles it."),
            ("queue.backoff_max", "How long a task waits after a failure at most."),
            (
                "queue.deadline",
                "How long a task can run without making progress before it is stalled and goes back to the queue.",
            ),
            ("queue.deadline_per_kind.KIND", "The same as `queue.deadline`, for tasks of that kind."),
            ("queue.retention", "How long finished tasks and their results are kept, or `never` (kept for ever)."),
            ("queue.drain", "How long a process that is being stopped gives its tasks to save what they are at."),
            ("queue.self_test", "Whether administrators can submit self-tests."),
            (
                "actions.chunk",
                "How long a task works between two saves of its progress: a time, or `adaptive`, which is 25 ms on SQLite and 100 ms on PostgreSQL.",
            ),
        ],
    ),
    (
        "Limits for one account",
        &[
            (
                "limits.event_streams",
                "How many live pages, and programs that listen, can be open at the same time, in each process.",
            ),
            (
                "limits.waiting_tasks",
                "How many tasks can wait, scheduled and held ones among them; self-tests do not count.",
            ),
            (
                "limits.approvals",
                "How many tasks can wait for the approval of a second person, and of how many within an hour others hear by email.",
            ),
            (
                "limits.previews",
                "Previews that are kept, and checks of many tasks; a newer one takes the place of the oldest.",
            ),
            ("limits.selections", "Selections that are kept; a newer one takes the place of the oldest."),
            ("limits.templates", "Templates of emails."),
            ("limits.tokens", "Access tokens that are neither revoked nor expired."),
            ("limits.passkeys", "Passkeys."),
            ("limits.saved_views", "Saved views of the people page."),
            (
                "limits.drafts",
                "Drafts of emails that were replaced by another one and kept as templates; a newer one replaces the oldest.",
            ),
            (
                "limits.prepared_imports",
                "Files that are uploaded for import and not imported yet; a newer one takes the place of the oldest.",
            ),
            ("limits.saved_matchings", "Saved matchings of the columns of files."),
            ("limits.test_mails_per_hour", "Test emails within an hour."),
            ("limits.address_links_per_hour", "Links within an hour that confirm an address of one’s own."),
            ("limits.reset_links_per_hour", "Links within an hour to choose a new password, whoever asks for them."),
            ("limits.sending_mib", "How much of `http.sending_mib` one account can take, in MiB, in each process."),
            (
                "limits.requests_at_once",
                "How many requests are answered at the same time, in each process. Pages and access tokens have as many each.",
            ),
            (
                "limits.requests_per_second",
                "How many requests a second are answered in the long run, in each process. Pages and access tokens have as many each.",
            ),
            (
                "limits.request_burst",
                "How many requests are answered one right after the other after a rest, in each process. Pages and access tokens have as many each.",
            ),
        ],
    ),
    (
        "Several processes",
        &[
            (
                "wake.source",
                "What tells processes that something may be due: `auto`, `none`, `postgres` or `rabbitmq`. `auto` is \
                 RabbitMQ where it is given, else PostgreSQL where there is one.",
            ),
            (
                "rabbitmq.url",
                "The RabbitMQ broker: `amqps://USER:PASSWORD@HOST/VHOST`, or `amqp://…` in a network that nobody else is in.",
            ),
            (
                "rabbitmq.allow_plaintext",
                "Whether Docket can use a broker on another machine by `amqp://…`, which is not encrypted. Docket warns of it at each start.",
            ),
            (
                "rabbitmq.prefix",
                "Put before the names of exchanges and queues, where installations share a virtual host.",
            ),
            (
                "rabbitmq.retry_time",
                "If RabbitMQ announces a task that is not there yet, how long Docket waits before it looks again.",
            ),
            ("rabbitmq.give_up_time", "If RabbitMQ announces a task that is not there, how long Docket keeps looking."),
            ("rabbitmq.cleanup_interval", "How often Docket looks for due tasks that no process has taken."),
            (
                "rabbitmq.resend_after",
                "How long a task that no process has taken is due before it is announced again; two cleanup intervals.",
            ),
            (
                "rabbitmq.crash_interval",
                "How long a task of a stopped process is silent before the cleanup puts it back in the queue. Usually another process has done so already, after `queue.lease`.",
            ),
            ("rabbitmq.crash_interval_per_kind.KIND", "The same as `rabbitmq.crash_interval`, for that kind."),
            ("scaler.min", "The fewest slots of a process; as many as `queue.slots` unless given."),
            ("scaler.max", "The most slots of a process; as many as `queue.slots` unless given."),
            ("scaler.interval", "How often a process adjusts how many slots it has."),
        ],
    ),
    (
        "Files",
        &[
            (
                "export.store",
                "Where exported files are kept: `file://FOLDER`, or `s3://BUCKET/PREFIX` where web and worker processes are on several machines.",
            ),
            ("export.s3.endpoint", "Where the store is, unless it is Amazon’s."),
            (
                "export.s3.allow_plaintext",
                "Whether Docket can use a store on another machine by `http://…`, which is not encrypted. Docket warns of it at each start.",
            ),
            ("export.s3.region", "The region of the store."),
            ("export.s3.access_key_id", "The key for the store. Leave it empty to use the machine’s own credentials."),
            ("export.s3.secret_access_key", "The secret of the key for the store."),
            ("export.max_rows", "The most people of one file."),
            ("export.retention", "How long a file can be downloaded."),
        ],
    ),
    (
        "Mail",
        &[
            (
                "mail.smtp_url",
                "The mail server: `smtps://USER:PASSWORD@HOST`, or `smtp://…?tls=required`. Without it emails fail, and nobody gets them.",
            ),
            ("mail.from", "The sender of all mail; needed with `mail.smtp_url`."),
            ("mail.hold", "How long an email is held before it is sent."),
            ("mail.limit", "The most people one email can go to; -1 for no limit."),
            ("mail.reroute_all_to", "Redirects every email to this address, for trials."),
            (
                "mail.concurrency",
                "How many connections to the mail server are open at the same time. More send faster, as far as the mail server allows it.",
            ),
            ("mail.timeout", "How long the mail server can take to accept an email."),
            ("mail.retry", "How long until a delayed email is retried."),
            ("notice.operator_email", "Who is emailed when a task fails for good."),
        ],
    ),
    (
        "Recurring jobs",
        &[
            ("schedule.time_zone", "The time zone of schedules with days and hours."),
            (
                "schedule.prune_finished",
                "Deletes tasks and results older than `queue.retention`. `every 1h`, five cron fields, or `DISABLED`, here and below.",
            ),
            ("schedule.prune_processes", "Removes processes that stopped without notice."),
            ("schedule.prune_unused", "Deletes expired selections and previews."),
            ("schedule.prune_files", "Deletes exported files that have expired."),
            ("schedule.prune_sessions", "Deletes sessions that have ended."),
            ("schedule.prune_sign_ins", "Deletes failed sign-ins after a day."),
            ("schedule.confirm_sign_ins", "Asks providers whether people who are signed in still may be."),
            ("schedule.send_notices", "Sends Docket’s own notices."),
            ("schedule.sum_up", "Counts what was done, for the charts."),
        ],
    ),
];

/// The reference, in Markdown.
pub fn text() -> Result<String, Wrong> {
    let config = Config::from_text("")?;
    let default = |key: &str| match key {
        "system_id" => "the machine's name".to_owned(),
        "scaler.min" | "scaler.max" => "`queue.slots`".to_owned(),
        key => config
            .shown
            .iter()
            .find(|shown| shown.key == key && !shown.value.is_empty())
            .map_or_else(|| "none".to_owned(), |shown| format!("`{}`", shown.value)),
    };
    let mut text = "# Settings\n\nIn `docket.toml`, overridden by environment variables: `queue.slots` is \
        `DOCKET__QUEUE__SLOTS`, and a kind's dashes are underscores there. Durations are written like `15s`, `5m`, `2h` or \
        `7d`. What is wrong is named by its key when Docket starts; `docket config` prints what is in effect, with secrets \
        hidden.\n\nThis page is printed by `docket config --reference`.\n"
        .to_owned();
    for (title, settings) in SECTIONS {
        let _ = write!(text, "\n## {title}\n\n| key | default | what it is for |\n|---|---|---|\n");
        for (key, about) in *settings {
            let _ = writeln!(text, "| `{key}` | {} | {about} |", default(key));
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_setting_is_in_the_reference_and_nothing_else() {
        let config = Config::from_text("").unwrap();
        let mut read: BTreeSet<String> = config.shown.iter().map(|shown| shown.key.clone()).collect();
        read.extend(config.families.iter().cloned());
        let told: BTreeSet<String> =
            SECTIONS.iter().flat_map(|(_, settings)| *settings).map(|(key, _)| (*key).to_owned()).collect();
        assert_eq!(told, read);
    }

    #[test]
    fn each_setting_in_effect_is_explained_once() {
        let text = "[queue]\nslots = 3\n[queue.per_kind]\nemail = 1\nexport = 2";
        let config = Config::from_text(text).unwrap();
        let explained = explained(&config.shown);
        let told: Vec<&ExplainedSetting> = explained.iter().flat_map(|(_, settings)| settings).collect();
        let mut keys: Vec<&str> = told.iter().filter_map(|told| told.shown).map(|shown| shown.key.as_str()).collect();
        let mut read: Vec<&str> = config.shown.iter().map(|shown| shown.key.as_str()).collect();
        keys.sort_unstable();
        read.sort_unstable();
        assert_eq!(keys, read);
        let slots = told.iter().find(|told| told.key == "queue.slots").unwrap();
        assert_eq!((slots.usual.as_str(), slots.shown.unwrap().value.as_str()), ("8", "3"));
        assert!(told.iter().any(|told| told.key == "queue.deadline_per_kind.KIND" && told.shown.is_none()));
    }

    /// Whoever looks at the settings in effect may show them to others.
    #[test]
    fn what_is_secret_by_its_name_is_shown_to_nobody() {
        let config = Config::from_text("").unwrap();
        // A username.
        let is_none = |key: &str| key == "auth.passwords";
        let is_secret = |key: &&str| {
            !is_none(key) && (["secret", "password"].iter().any(|word| key.contains(word)) || key.ends_with("_key"))
        };
        let secret: Vec<&str> = config.shown.iter().map(|shown| shown.key.as_str()).filter(is_secret).collect();
        assert!(!secret.is_empty());
        for key in secret {
            let (section, name) = key.rsplit_once('.').unwrap();
            let given = Config::from_text(&format!("[{section}]\n{name} = \"{}\"", "s3cret".repeat(12))).unwrap();
            let shown = given.shown.iter().find(|shown| shown.key == key).unwrap();
            assert_eq!(shown.value, "…", "{key}");
        }
        let provider = "[oidc.north]\nissuer = 'https://north.example'\nclient_id = 'docket'\nclient_secret = 's3cret'";
        let given = Config::from_text(provider).unwrap();
        assert!(given.shown.iter().any(|shown| shown.key == "oidc.north.client_secret" && shown.value == "…"));
        assert!(!format!("{given:?}").contains("s3cret"));
    }

    #[test]
    fn the_page_is_what_is_printed() {
        let page = include_str!("../../../docs/settings.md");
        assert!(page == text().unwrap(), "print it anew: docket config --reference > docs/settings.md");
    }
}
