//! The binary as its operator meets it: what it prints, where, and how it exits.

use std::{
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

use model::short_id;
use tempfile::TempDir;
use testkit::On;

use crate::binary::Place;

testkit::tests!(a_task_has_one_short_id_on_pages_and_in_commands, a_look_at_another_schema_says_so_and_leaves_it);

testkit::tests!(
    without a runtime;
    bad_usage_is_2_and_failure_is_1,
    a_mistake_in_the_settings_stops_every_command,
    config_shows_every_setting_and_hides_secrets,
    accounts_are_added_with_a_password_that_is_shown_once_or_read,
    people_and_tasks_are_reached_without_a_server,
    commands_that_only_look_leave_no_trace,
    accounts_are_listed_let_in_again_and_given_another_role,
    a_file_that_root_made_is_named_with_its_cure,
    what_the_binary_makes_is_for_its_own_account,
);

fn docket(folder: &Path, arguments: &[&str]) -> Output {
    run(folder, arguments, "")
}

fn run(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_docket"))
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn bad_usage_is_2_and_failure_is_1() {
    let folder = folder();
    assert_eq!(said(&docket(folder.path(), &["nonsense"])).0, 2);
    assert_eq!(said(&docket(folder.path(), &["user", "add", "ann"])).0, 2);
    assert_eq!(said(&docket(folder.path(), &["--help"])).0, 0);
    let (code, out, err) = said(&docket(folder.path(), &["user", "token", "nobody"]));
    assert_eq!((code, out.as_str(), err.as_str()), (1, "", "docket: There is no account “nobody”.\n"));
}

fn a_mistake_in_the_settings_stops_every_command() {
    let folder = folder();
    std::fs::write(folder.path().join("docket.toml"), "[queue]\nslot = 3\n").unwrap();
    let (code, _, err) = said(&docket(folder.path(), &["config"]));
    assert_eq!((code, err.as_str()), (1, "docket: queue.slot (file docket.toml): there is no such setting\n"));
    let (code, _, err) = said(&docket(folder.path(), &["config", "--config", "nowhere.toml"]));
    assert_eq!(code, 1);
    assert!(err.starts_with("docket: nowhere.toml: "), "{err}");
}

fn config_shows_every_setting_and_hides_secrets() {
    let folder = folder();
    let url = "[database]\nurl = 'postgres://docket:hunter2@db/docket?sslmode=verify-full&password=hunter2'\n";
    std::fs::write(folder.path().join("docket.toml"), url).unwrap();
    let (code, out, _) = said(&docket(folder.path(), &["config"]));
    assert_eq!(code, 0);
    assert!(
        out.contains("postgres://docket:…@db/docket?sslmode=verify-full&password=…")
            && out.contains("file docket.toml"),
        "{out}"
    );
    assert!(!out.contains("hunter2"), "{out}");
    assert!(out.lines().any(|line| line.starts_with("queue.slots ") && line.ends_with("default")), "{out}");
}

fn accounts_are_added_with_a_password_that_is_shown_once_or_read() {
    let folder = folder();
    let add = ["user", "add", "ann", "--role", "coach", "--name", "Ann Smith"];
    let (code, out, err) = said(&docket(folder.path(), &add));
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("password: "), "{out}");
    let (code, _, err) = said(&docket(folder.path(), &add));
    assert_eq!(
        (code, err.as_str()),
        (1, "docket: There is already an account with that username. Choose another one.\n")
    );
    let (code, out, _) =
        said(&run(folder.path(), &["user", "passwd", "ann", "--password-stdin"], "violet kettle seven moons\n"));
    assert_eq!((code, out.as_str()), (0, "changed the password of ann\n"));
    let (code, _, err) = said(&run(folder.path(), &["user", "passwd", "ann", "--password-stdin"], ""));
    assert_eq!((code, err.as_str()), (1, "docket: there is no password on standard input\n"));
    let (code, out, _) = said(&docket(folder.path(), &["user", "token", "ann"]));
    assert_eq!((code, out.lines().count()), (0, 1));
    let (code, out, _) = said(&docket(folder.path(), &["user", "reset-second-factor", "ann"]));
    assert_eq!((code, out.as_str()), (0, "ann has no second factor\n"));
    let (code, _, err) = said(&docket(folder.path(), &["user", "reset-second-factor", "eve"]));
    assert_eq!((code, err.contains("There is no account “eve”")), (1, true), "{err}");
    assert_eq!(said(&docket(folder.path(), &["user", "disable", "ann"])).0, 0);
}

fn people_and_tasks_are_reached_without_a_server() {
    let folder = folder();
    let (code, out, err) = said(&docket(folder.path(), &["people", "generate", "--count", "5", "--seed", "1"]));
    assert_eq!((code, out.as_str()), (0, "people generated: 5\n"), "{err}");
    let (code, out, _) = said(&docket(folder.path(), &["task", "list", "--json"]));
    assert_eq!(code, 0);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&out).unwrap()["total"]["value"], 0);
    for unknown in ["00000000-0000-0000-0000-000000000000", "00000000"] {
        for verb in [&["show"][..], &["retry"], &["abandon", "--reason", "x"]] {
            let (code, _, err) = said(&docket(folder.path(), &[&["task"], verb, &[unknown]].concat()));
            assert_eq!((code, err.starts_with("docket: This task does not exist")), (1, true), "{err}");
        }
    }
    let (code, _, err) = said(&docket(folder.path(), &["task", "show", "nonsense"]));
    assert_eq!((code, err.contains("neither the ID of a task nor")), (2, true), "{err}");
}

async fn a_task_has_one_short_id_on_pages_and_in_commands() {
    let place = Place::on(On::Sqlite).await;
    let server = place.start("one", "all", &[("DOCKET__QUEUE__SELF_TEST", "true")]);
    let id = server.self_tests(1, 1, 0).remove(0);
    let short = short_id(id.parse().unwrap());
    let listed = place.command(&["task", "list"]);
    assert_eq!(listed.split_whitespace().next(), Some(short.as_str()), "{listed}");
    assert!(place.command(&["task", "show", &short]).contains(&id));
    let page = ureq::get(format!("http://{}/admin/tasks/{id}", server.address))
        .header("authorization", format!("Bearer {}", server.token));
    let page = page.call().unwrap().body_mut().read_to_string().unwrap();
    assert!(page.contains(&format!(">{short}<")), "{page}");
}

/// Every file below a folder, with its size and when it was written.
fn traces(folder: &Path) -> Vec<(std::path::PathBuf, u64, std::time::SystemTime)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let (path, data) = {
            let entry = entry.unwrap();
            (entry.path(), entry.metadata().unwrap())
        };
        if data.is_dir() {
            found.extend(traces(&path));
        } else {
            found.push((path, data.len(), data.modified().unwrap()));
        }
    }
    found.sort();
    found
}

const LOOKS: [&[&str]; 6] = [
    &["task", "list"],
    &["task", "list", "--json"],
    &["lock", "list"],
    &["lock", "list", "--json"],
    &["user", "list"],
    &["migrate", "--check"],
];

fn commands_that_only_look_leave_no_trace() {
    let folder = folder();
    for look in LOOKS {
        let (_, out, err) = said(&docket(folder.path(), look));
        assert!(format!("{out}{err}").contains("there is no database of Docket yet"), "{look:?}: {out}{err}");
        assert!(traces(folder.path()).is_empty(), "{look:?}");
    }
    // The settings are there without a database.
    let settings: &[&str] = &["config"];
    assert_eq!(said(&docket(folder.path(), settings)).0, 0);
    assert!(traces(folder.path()).is_empty());
    assert_eq!(said(&docket(folder.path(), &["migrate"])).0, 0);
    let before = traces(folder.path());
    for look in LOOKS.into_iter().chain([settings]) {
        let (code, _, err) = said(&docket(folder.path(), look));
        assert_eq!((code, err.as_str()), (0, ""), "{look:?}");
        assert_eq!(traces(folder.path()), before, "{look:?}");
    }
}

/// A newer binary that somebody tried brought the schema forward, and every process of the service stopped taking tasks.
async fn a_look_at_another_schema_says_so_and_leaves_it() {
    let folder = folder();
    let url = format!("sqlite://{}/data/docket.db", folder.path().display());
    migration::up(&url).await.unwrap();
    migration::down(&url, Some(1)).await.unwrap();
    for look in [&["task", "list"][..], &["lock", "list"], &["user", "list"]] {
        let (code, out, err) = said(&docket(folder.path(), look));
        assert_eq!((code, out.as_str()), (1, ""));
        assert!(err.contains("older version") && err.contains("`docket migrate` would take 1 step"), "{err}");
    }
    let (code, out, _) = said(&docket(folder.path(), &["migrate", "--check"]));
    assert_eq!((code, out.lines().count()), (0, 2), "{out}");
    assert_eq!(said(&docket(folder.path(), &["migrate"])).0, 0);
    let db = queue::Database::connect(&url, queue::Clock::default(), 1).await.unwrap();
    db.write("INSERT INTO seaql_migrations (version, applied_at) VALUES ('m9999_later', 0)", []).await.unwrap();
    db.close().await.unwrap();
    let (code, _, err) = said(&docket(folder.path(), &["task", "list"]));
    assert!(code == 1 && err.contains("a newer Docket has brought the database to m9999_later"), "{err}");
}

fn accounts_are_listed_let_in_again_and_given_another_role() {
    let folder = folder();
    for name in ["ann", "eve"] {
        assert_eq!(said(&docket(folder.path(), &["user", "add", name, "--role", "administrator"])).0, 0);
    }
    assert_eq!(said(&docket(folder.path(), &["user", "disable", "eve"])).0, 0);
    assert_eq!(said(&docket(folder.path(), &["user", "enable", "eve"])), (0, "enabled eve\n".into(), String::new()));
    assert_eq!(said(&docket(folder.path(), &["user", "role", "eve", "coach"])).1, "eve is coach now\n");
    let (_, out, _) = said(&docket(folder.path(), &["user", "list", "--json"]));
    let users: serde_json::Value = serde_json::from_str(&out).unwrap();
    let told = |n: usize| (users[n]["username"].clone(), users[n]["role"].clone(), users[n]["disabled"].clone());
    assert_eq!(told(1), ("eve".into(), "coach".into(), false.into()));
    assert_eq!(said(&docket(folder.path(), &["user", "list"])).1.lines().count(), 2);
    assert_eq!(said(&docket(folder.path(), &["user", "role", "ann", "coach"])).0, 1, "the last administrator");
}

/// The service runs as somebody, and root has run a command: what is root's stops it with one line that says how to mend it.
fn a_file_that_root_made_is_named_with_its_cure() {
    use std::os::unix::{
        fs::{MetadataExt, chown},
        process::CommandExt,
    };
    const NOBODY: u32 = 65_534;
    let folder = folder();
    if folder.path().metadata().unwrap().uid() != 0 {
        let name = "commands::a_file_that_root_made_is_named_with_its_cure";
        return testkit::not_run_here(name, "root, who alone can be somebody else");
    }
    assert_eq!(said(&docket(folder.path(), &["migrate"])).0, 0);
    let (data, binary) = (folder.path().join("data"), folder.path().join("docket"));
    std::fs::copy(env!("CARGO_BIN_EXE_docket"), &binary).unwrap();
    [folder.path(), &data, &binary].iter().for_each(|path| chown(path, Some(NOBODY), None).unwrap());
    let as_nobody = |arguments: &[&str]| {
        let mut command = Command::new(&binary);
        command.args(arguments).current_dir(folder.path()).env_clear().uid(NOBODY);
        said(&command.output().unwrap())
    };
    let serve = || as_nobody(&["user", "add", "ann", "--role", "coach"]);
    // Hidden by its folder, and then closed itself.
    for owner in [0, NOBODY] {
        chown(&data, Some(owner), None).unwrap();
        for look in LOOKS {
            let (code, out, err) = as_nobody(look);
            assert_eq!((code, out.as_str(), err.lines().count()), (1, "", 1), "{look:?}: {err}");
            assert!(err.contains("data/docket.db cannot be read") && err.contains("belongs to user 0"), "{err}");
        }
    }
    let (code, _, err) = serve();
    assert_eq!((code, err.lines().count()), (1, 1), "{err}");
    assert!(err.contains("data/docket.db") && err.contains("belongs to user 0") && err.contains("chown"), "{err}");
    for entry in std::fs::read_dir(&data).unwrap() {
        chown(entry.unwrap().path(), Some(NOBODY), None).unwrap();
    }
    assert_eq!(serve().0, 0, "{err}");
}

/// Whatever the shell that starts it allows others.
fn what_the_binary_makes_is_for_its_own_account() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder();
    let in_shell = |command: &str| {
        let command = format!("umask 022 && {} {command}", env!("CARGO_BIN_EXE_docket"));
        let done = Command::new("sh").args(["-c", &command]).current_dir(folder.path()).env_clear().output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    in_shell("migrate");
    in_shell("people generate --count 5 --seed 1");
    in_shell("backup copy.db");
    let mut waiting = vec![folder.path().join("data"), folder.path().join("copy.db")];
    let mut seen = 0;
    while let Some(path) = waiting.pop() {
        let found = std::fs::metadata(&path).unwrap();
        assert_eq!(found.permissions().mode() & 0o077, 0, "{} is open to others", path.display());
        if found.is_dir() {
            waiting.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        seen += 1;
    }
    assert!(seen > 3, "{seen}");
}
