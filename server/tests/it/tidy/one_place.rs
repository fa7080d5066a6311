//! What is done in one place, and what comes through one door.

use super::{files_with, of_the_product, set, sources};

#[test]
fn the_clock_is_read_in_one_place() {
    assert_eq!(files_with(&["Utc::now(", "SystemTime::now(", "Local::now("]), set(&["queue/src/clock.rs"]));
}

#[test]
fn each_crate_draws_random_numbers_in_one_file() {
    let files = files_with(&["rand::rng()", "rand::random", "Uuid::new_v4", "Uuid::now_v7"]);
    let mut crates: Vec<_> = files.iter().filter_map(|file| file.split('/').next()).collect();
    crates.dedup();
    assert_eq!(crates.len(), files.len(), "{files:?}");
}

#[test]
fn the_environment_is_read_in_one_file() {
    let files = files_with(&["env::var", "env::vars"]);
    assert_eq!(of_the_product(files), set(&["server/src/config/mod.rs"]));
}

#[test]
fn passwords_cost_what_they_should_outside_of_tests() {
    let users = files_with(&["cost_next_to_nothing"]);
    assert_eq!(users, set(&["caseload/src/accounts/passwords/hashing.rs"]), "sources that are no tests");
}

#[test]
fn futures_are_spawned_where_somebody_joins_them() {
    let files = files_with(&["tokio::spawn(", ".spawn(", "spawn_local("]);
    // The first holds messages on their way, which end with it. The second begins a transaction in a task of its own and
    // awaits it on the next line. Pages are made to their end, and the stop of the process waits for them.
    let known = [
        "caseload/src/actions/email/sending.rs",
        "queue/src/database/transactions.rs",
        "queue/src/runtime/mod.rs",
        "queue/src/runtime/main_loop.rs",
        "server/src/listen/mod.rs",
        "server/src/pages.rs",
        "server/src/process/run.rs",
    ];
    assert_eq!(of_the_product(files), set(&known));
}

#[test]
fn messages_are_handed_over_by_who_has_written_them_down() {
    let files = files_with(&["mail.send(", "mail().send("]);
    assert_eq!(files, set(&["caseload/src/actions/email/sending.rs", "caseload/src/notices/send.rs"]));
}

#[test]
fn which_database_it_is_one_place_of_each_crate_asks() {
    let files = files_with(&[
        "is_postgres()",
        "DbBackend::",
        "DatabaseBackend::",
        "SET LOCAL ",
        "ANALYZE ",
        "{postgres:",
        "{sqlite:",
    ]);
    let is_known = |file: &String| {
        ["queue/src/database/", "caseload/src/statement.rs", "bench/", "testkit/", "xtask/"]
            .iter()
            .any(|of| file.starts_with(of))
    };
    assert!(files.contains("queue/src/database/dialect.rs"));
    let others: Vec<_> = files.into_iter().filter(|file| !is_known(file)).collect();
    // What was is not written anew.
    assert!(others.iter().all(|file| file.starts_with("migration/src/")), "{others:?}");
}

/// What is no word of ours goes to the database as it is, so a mistyped one would be an error of the database's at the earliest.
#[test]
fn what_stands_in_braces_in_sql_is_a_word_of_ours() {
    let words = [
        "for update",
        "for update, or skip",
        "is in queue",
        "is running",
        "has failed",
        "has failed or waits",
        "is finished",
    ];
    let is_known = |word: &str| {
        // An empty value as JSON, too.
        word.is_empty()
            || words.contains(&word)
            || ["postgres:", "sqlite:", "by "].iter().any(|begin| word.starts_with(begin))
    };
    let is_sql = |text: &str| {
        ["SELECT ", "UPDATE ", "DELETE FROM ", "INSERT INTO ", " WHERE ", "AND "].iter().any(|word| text.contains(word))
    };
    let mut seen = 0;
    let is_of_sql = |path: &str| {
        ["queue/src/", "caseload/src/", "server/src/"].iter().any(|of| path.starts_with(of))
            && !path.starts_with("queue/src/database/")
    };
    for source in sources().iter().filter(|source| is_of_sql(&source.path)) {
        for text in source.code.split('"').skip(1).step_by(2).filter(|text| is_sql(text) && !text.contains('\\')) {
            for word in text.split('{').skip(1).filter_map(|rest| rest.split_once('}')).map(|(word, _)| word) {
                seen += 1;
                assert!(is_known(word), "{}: {{{word}}} is no word of ours in: {text}", source.path);
            }
        }
    }
    assert!(seen > 30, "only {seen} words were found");
}

#[test]
fn doors_are_short() {
    for source in sources().iter().filter(|source| is_door(&source.path)) {
        for body in bodies(&source.code) {
            let lines = body.lines().filter(|line| !line.trim_start().starts_with("use ")).count();
            assert!(lines <= 20, "{}: a door of {lines} lines:\n{body}", source.path);
        }
    }
}

/// Who may send a form, and that no token does, goes by its address (`server/src/auth/actor.rs`).
#[test]
fn what_a_page_sends_has_an_address_below_the_page() {
    let places = [("admin/api.rs", "admin/"), ("import/api.rs", "admin/"), ("settings/api.rs", "settings/")];
    for (file, below) in places {
        let file = format!("app/src/pages/{file}");
        let code = sources().into_iter().find(|source| source.path == file).unwrap().code;
        let endpoints: Vec<_> = code.split("endpoint = \"").skip(1).collect();
        assert!(!endpoints.is_empty() && endpoints.iter().all(|address| address.starts_with(below)), "{file}");
    }
}

fn is_door(path: &str) -> bool {
    path.starts_with("server/src/api/") || path.starts_with("app/src/pages/") && path.ends_with("/api.rs")
}

/// The bodies of the public async functions of a file, which rustfmt ends with a brace in the first column.
fn bodies(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in code.split("\npub async fn ").skip(1) {
        let body = part.split("\n}").next().unwrap_or_default();
        found.push(body.split_once("{\n").map(|(_, body)| body).unwrap_or_default().to_owned());
    }
    found
}
