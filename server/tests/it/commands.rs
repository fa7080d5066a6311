//! The binary as its operator meets it: what it prints, where, and how it exits.

use std::{
    io::Write,
    path::Path,
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;

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

#[test]
fn bad_usage_is_2_and_failure_is_1() {
    let folder = folder();
    assert_eq!(said(&docket(folder.path(), &["nonsense"])).0, 2);
    assert_eq!(said(&docket(folder.path(), &["user", "add", "ann"])).0, 2);
    assert_eq!(said(&docket(folder.path(), &["--help"])).0, 0);
    let (code, out, err) = said(&docket(folder.path(), &["user", "token", "nobody"]));
    assert_eq!((code, out.as_str(), err.as_str()), (1, "", "docket: There is no account “nobody”.\n"));
}

#[test]
fn a_mistake_in_the_settings_stops_every_command() {
    let folder = folder();
    std::fs::write(folder.path().join("docket.toml"), "[queue]\nslot = 3\n").unwrap();
    let (code, _, err) = said(&docket(folder.path(), &["config"]));
    assert_eq!((code, err.as_str()), (1, "docket: queue.slot (file docket.toml): there is no such setting\n"));
    let (code, _, err) = said(&docket(folder.path(), &["config", "--config", "nowhere.toml"]));
    assert_eq!(code, 1);
    assert!(err.starts_with("docket: nowhere.toml: "), "{err}");
}

#[test]
fn config_shows_every_setting_and_hides_secrets() {
    let folder = folder();
    let url = "[database]\nurl = 'postgres://docket:hunter2@db/docket'\n";
    std::fs::write(folder.path().join("docket.toml"), url).unwrap();
    let (code, out, _) = said(&docket(folder.path(), &["config"]));
    assert_eq!(code, 0);
    assert!(out.contains("postgres://docket:…@db/docket") && out.contains("file docket.toml"), "{out}");
    assert!(!out.contains("hunter2"), "{out}");
    assert!(out.lines().any(|line| line.starts_with("queue.slots ") && line.ends_with("default")), "{out}");
}

#[test]
fn accounts_are_added_with_a_password_that_is_shown_once_or_read() {
    let folder = folder();
    let add = ["user", "add", "ann", "--role", "coach", "--name", "Ann Smith"];
    let (code, out, err) = said(&docket(folder.path(), &add));
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("password: "), "{out}");
    let (code, _, err) = said(&docket(folder.path(), &add));
    assert_eq!((code, err.as_str()), (1, "docket: There is an account “ann” already.\n"));
    let (code, out, _) = said(&run(folder.path(), &["user", "passwd", "ann", "--password-stdin"], "a long password\n"));
    assert_eq!((code, out.as_str()), (0, "changed the password of ann\n"));
    let (code, _, err) = said(&run(folder.path(), &["user", "passwd", "ann", "--password-stdin"], ""));
    assert_eq!((code, err.as_str()), (1, "docket: there is no password on standard input\n"));
    let (code, out, _) = said(&docket(folder.path(), &["user", "token", "ann"]));
    assert_eq!((code, out.lines().count()), (0, 1));
    assert_eq!(said(&docket(folder.path(), &["user", "disable", "ann"])).0, 0);
}

#[test]
fn people_and_tasks_are_reached_without_a_server() {
    let folder = folder();
    let (code, out, err) = said(&docket(folder.path(), &["people", "generate", "--count", "5", "--seed", "1"]));
    assert_eq!((code, out.as_str()), (0, "generated 5 people\n"), "{err}");
    let (code, out, _) = said(&docket(folder.path(), &["task", "list", "--json"]));
    assert_eq!(code, 0);
    assert_eq!(serde_json::from_str::<serde_json::Value>(&out).unwrap()["total"]["value"], 0);
    let unknown = "00000000-0000-0000-0000-000000000000";
    for verb in [&["show"][..], &["retry"], &["abandon", "--reason", "x"]] {
        let (code, _, err) = said(&docket(folder.path(), &[&["task"], verb, &[unknown]].concat()));
        assert_eq!((code, err.starts_with("docket: There is no such task")), (1, true), "{err}");
    }
}
