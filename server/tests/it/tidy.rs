//! The invariants of the code base that can be seen by reading its files.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// A source file: its path from the root, its text, and its text without tests and comments.
struct Source {
    path: String,
    text: String,
    code: String,
}

const CRATES: &[&str] = &["model", "queue", "caseload", "app", "frontend", "server", "migration", "testkit", "xtask"];

/// The Rust sources of the product's crates, tests in folders of their own left out.
fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    for name in CRATES {
        collect(&root().join(name).join("src"), &mut found);
    }
    assert!(found.len() > 100, "the sources are where this test looks for them");
    found
}

fn collect(folder: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            let product = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            let code =
                product.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
            let path = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
            found.push(Source { path, text, code });
        }
    }
}

/// The files whose code holds one of these.
fn files_with(words: &[&str]) -> BTreeSet<String> {
    sources()
        .into_iter()
        .filter(|source| words.iter().any(|word| source.code.contains(word)))
        .map(|source| source.path)
        .collect()
}

fn set(files: &[&str]) -> BTreeSet<String> {
    files.iter().map(|file| (*file).to_owned()).collect()
}

/// The product's crates that a crate depends on, outside of tests.
fn depends_on(name: &str) -> BTreeSet<String> {
    let manifest: toml::Table = fs::read_to_string(root().join(name).join("Cargo.toml")).unwrap().parse().unwrap();
    let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table).cloned().unwrap_or_default();
    dependencies.keys().filter(|key| CRATES.contains(&key.as_str())).cloned().collect()
}

#[test]
fn crates_depend_downwards_only() {
    let allowed: &[(&str, &[&str])] = &[
        ("model", &[]),
        ("migration", &[]),
        ("queue", &["model"]),
        ("caseload", &["model", "queue"]),
        ("app", &["caseload", "model"]),
        ("frontend", &["app"]),
        ("server", &["app", "caseload", "migration", "model", "queue"]),
        ("testkit", &["migration", "queue"]),
        ("xtask", &[]),
    ];
    for (name, below) in allowed {
        assert!(depends_on(name).is_subset(&set(below)), "{name} depends on {:?}", depends_on(name));
    }
}

#[test]
fn no_crate_knows_what_is_above_it() {
    for source in sources() {
        let forbidden: &[&str] = match source.path.split('/').next() {
            Some("model") => &["tokio::", "axum::", "leptos::", "std::fs", "std::net"],
            Some("queue") => &["axum::", "leptos::", "caseload::", "person"],
            Some("caseload") => &["axum::", "leptos::", "http::", "tower"],
            _ => &[],
        };
        for word in forbidden {
            // The ledger of a task may be spoken of; a table or a type of people may not be used.
            let used =
                source.code.lines().any(|line| line.contains(word) && (word.contains("::") || line.contains("FROM ")));
            assert!(!used, "{} uses {word}", source.path);
        }
    }
}

#[test]
fn nothing_is_named_for_being_left_over() {
    let vague =
        ["common", "core", "util", "utils", "helper", "helpers", "service", "services", "repository", "dto", "misc"];
    for source in sources() {
        let names = source.path.trim_end_matches(".rs").split('/');
        let vague = names.clone().find(|name| vague.contains(name));
        assert!(vague.is_none(), "{}: a module is named for its idea", source.path);
    }
}

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
    // Neither is part of the product.
    let product: BTreeSet<_> =
        files.into_iter().filter(|file| !file.starts_with("xtask/") && !file.starts_with("testkit/")).collect();
    assert_eq!(product, set(&["server/src/config/mod.rs"]));
}

#[test]
fn passwords_cost_what_they_should_outside_of_tests() {
    let users = files_with(&["cost_next_to_nothing"]);
    assert_eq!(users, set(&["caseload/src/accounts/hashing.rs"]), "sources that are no tests");
}

#[test]
fn futures_are_spawned_where_somebody_joins_them() {
    let files = files_with(&["tokio::spawn(", ".spawn(", "spawn_local("]);
    let product: BTreeSet<_> =
        files.into_iter().filter(|file| !file.starts_with("xtask/") && !file.starts_with("testkit/")).collect();
    // The first holds messages on their way, which end with it. The second begins a transaction in a task of its own and
    // awaits it on the next line.
    let known = [
        "caseload/src/actions/email/in_transit.rs",
        "queue/src/database/mod.rs",
        "queue/src/runtime/mod.rs",
        "queue/src/runtime/work.rs",
        "server/src/listen/mod.rs",
        "server/src/process/run.rs",
    ];
    assert_eq!(product, set(&known));
}

#[test]
fn messages_are_handed_over_by_who_has_written_them_down() {
    let files = files_with(&["mail.send(", "mail().send("]);
    assert_eq!(files, set(&["caseload/src/actions/email/in_transit.rs", "caseload/src/notices/send.rs"]));
}

#[test]
fn pages_know_the_server_in_one_line() {
    let lines: Vec<_> = sources()
        .iter()
        .filter(|source| source.path.starts_with("app/"))
        .flat_map(|source| source.code.lines().map(str::trim).map(str::to_owned).collect::<Vec<_>>())
        .filter(|line| line.contains("feature = \"ssr\""))
        .collect();
    assert_eq!(lines, ["#[cfg(feature = \"ssr\")]"]);
}

#[test]
fn a_text_area_is_escaped_because_there_is_one() {
    assert_eq!(files_with(&["<textarea"]), set(&["app/src/components/textarea.rs"]));
}

/// The component itself is the linter's; what it does not see is an element in markup.
#[test]
fn a_title_is_text_because_one_component_writes_it() {
    // These have pages of constants.
    assert_eq!(files_with(&["<title"]), set(&["server/src/api/docs.rs", "server/src/api/problems.rs"]));
    assert_eq!(files_with(&["<TitlesAreText/>"]), set(&["app/src/lib.rs"]), "around every page");
}

/// Types and methods are the linter's; what it does not see is an attribute in a view, and a script.
#[test]
fn what_is_written_as_markup_comes_through_one_door() {
    for source in sources() {
        for (at, _) in source.code.match_indices("inner_html").filter(|(at, _)| !source.code[..*at].ends_with("set_")) {
            let given = source.code[at..].strip_prefix("inner_html=").unwrap_or_default();
            let audited = ["trusted_html::fixed(", "trusted_html::made(", "trusted_html::area("]
                .iter()
                .any(|door| given.starts_with(door));
            assert!(audited, "{} writes markup past app/src/components/trusted_html.rs", source.path);
        }
    }
    assert_eq!(files_with(&[".to_html()"]), set(&["app/src/answer.rs"]));
    let scripts = fs::read_to_string(root().join("frontend/served.js")).unwrap();
    for (way, times) in
        [("innerHTML", 1), ("insertAdjacentHTML", 0), ("document.write", 0), ("fetch(", 2), ("form.action", 0)]
    {
        assert_eq!(scripts.matches(way).count(), times, "served.js: {way}");
    }
    // Where they lead stands in the script, and in no markup.
    let constant = ["fetch(DRAFTS,", "fetch(VALUES,"].map(|call| scripts.matches(call).count());
    assert_eq!(constant, [1, 1]);
}

/// Markup that comes anew is grafted onto what is there (`app/src/components/fragment.rs`): a row that does not say what it stands
/// for would become another's, with what somebody has ticked or opened in it. The rows of a head or a foot are always the same.
#[test]
fn a_row_says_what_it_stands_for() {
    // The browser makes these itself, and all of them anew.
    let made_anew = ["app/src/pages/tasks/row.rs"];
    let mut seen = 0;
    for source in sources().iter().filter(|source| source.path.starts_with("app/")) {
        let rows = source.code.match_indices("<tr").map(|(at, _)| (&source.code[..at], &source.code[at + 3..]));
        // Not a type or another element whose name begins so.
        for (before, row) in rows.filter(|(_, row)| row.starts_with([' ', '\n', '>'])) {
            let within = before.trim_end().rsplit('<').next().unwrap_or_default();
            let fixed = within.ends_with('>') && ["thead", "tfoot"].iter().any(|part| within.starts_with(part));
            let says = row.trim_start().starts_with("data-key=");
            let fine = fixed || says || made_anew.contains(&source.path.as_str());
            let shown = row.lines().next().unwrap_or_default();
            assert!(fine, "{}: a row whose first attribute is no data-key: <tr{shown}", source.path);
            seen += usize::from(says);
        }
    }
    assert!(seen > 20, "the rows are where this test looks for them");
}

#[test]
fn what_callers_sent_reaches_a_header_through_one_door() {
    let names = ["LOCATION", "Location:", "\"location\""];
    assert_eq!(files_with(&names), set(&["server/src/web/redirect.rs"]));
    assert_eq!(
        files_with(&["Redirect::", "leptos_axum::redirect"]),
        set(&["app/src/server/redirect.rs", "server/src/web/redirect.rs"])
    );
    let names = ["CONTENT_DISPOSITION", "content-disposition"];
    assert_eq!(files_with(&names), set(&["server/src/web/headers.rs"]));
}

#[test]
fn no_style_attribute_breaks_the_policy() {
    assert_eq!(files_with(&[" style=", " style:"]), set(&[]));
}

#[test]
fn a_build_never_unifies_what_browser_and_server_need() {
    let manifest: toml::Table = fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    let members = manifest["workspace"]["default-members"].as_array().unwrap();
    assert!(!members.iter().any(|member| member.as_str() == Some("frontend")));
}

/// Each table that is an entity, with the crate whose it is.
fn entities() -> Vec<(String, String)> {
    let of = |source: Source| {
        let owner = source.path.split('/').next().unwrap_or_default().to_owned();
        let names = source.code.split("table_name = \"").skip(1).map(|rest| rest.split('"').next().unwrap_or_default());
        names.map(|name| (name.to_owned(), owner.clone())).collect::<Vec<_>>()
    };
    sources().into_iter().flat_map(of).collect()
}

/// The tables that the steps of the schema make, but for those with which a step makes room.
fn tables() -> BTreeSet<String> {
    let steps = texts(&root().join("migration/src"));
    let made = steps.iter().flat_map(|step| step.split("CREATE TABLE ").skip(1));
    let names = made.map(|rest| rest.split([' ', '(']).next().unwrap_or_default().to_owned());
    names.filter(|name| !steps.iter().any(|step| step.contains(&format!("ALTER TABLE {name} RENAME TO")))).collect()
}

#[test]
fn every_table_is_an_entity_of_one_crate() {
    let mut owned: Vec<String> = entities().into_iter().map(|(table, _)| table).collect();
    owned.sort();
    assert_eq!(owned, tables().into_iter().collect::<Vec<_>>());
}

#[test]
fn a_table_is_written_by_the_crate_that_owns_it() {
    let entities = entities();
    for source in sources() {
        let here = source.path.split('/').next().unwrap_or_default();
        for (table, owner) in entities.iter().filter(|(_, owner)| owner != here && here != "migration") {
            let verbs = [
                "INSERT INTO",
                "UPDATE",
                "DELETE FROM",
                "INSERT OR REPLACE INTO",
                "INSERT OR IGNORE INTO",
                "REPLACE INTO",
            ];
            let found = verbs.iter().find(|verb| has_words(&source.code, &format!("{verb} {table}")));
            assert!(found.is_none(), "{} writes {table}, which is {owner}'s", source.path);
        }
    }
}

#[test]
fn what_opens_an_account_is_written_in_one_file() {
    let files = files_with(&["SET password_hash", "session_version + 1", "SET revoked_date = {now} WHERE person_id"]);
    assert_eq!(files, set(&["caseload/src/accounts/credentials.rs"]));
}

#[test]
fn periods_of_a_status_are_written_in_one_file() {
    let writes = [
        "INSERT INTO program_status_history ",
        "INSERT INTO program_status_history\n",
        "UPDATE program_status_history ",
    ];
    let written: BTreeSet<_> = files_with(&writes).into_iter().filter(|file| !file.starts_with("migration/")).collect();
    assert_eq!(written, set(&["caseload/src/people/status.rs"]));
    // An instant from the fence is older than what was locked after it; an email writes to its own rows only.
    assert_eq!(files_with(&["chunk.fenced"]), set(&["caseload/src/actions/email/run.rs"]));
}

#[test]
fn a_task_is_moved_in_one_file() {
    let found =
        sources().into_iter().filter(|source| !source.path.starts_with("migration/") && moves_a_task(&source.code));
    assert_eq!(found.map(|source| source.path).collect::<BTreeSet<_>>(), set(&["queue/src/task/transition.rs"]));
}

/// Whether it writes the state of a task: by a statement, by a column with its value, or by a row.
fn moves_a_task(code: &str) -> bool {
    let in_one_line = code.split_whitespace().collect::<Vec<_>>().join(" ");
    let set_by_sql = in_one_line.split("UPDATE queued_task").skip(1).any(|rest| {
        let set = rest.split_once("SET ").map_or("", |(_, set)| set);
        let ends = ["WHERE", "FROM", "RETURNING", "\""].iter().filter_map(|end| set.find(end)).min();
        set[..ends.unwrap_or(set.len())].contains("workflow_status =")
    });
    // With its value behind it, a column is written; alone, or as the last one, it is read.
    let dense = in_one_line.replace(' ', "");
    let columns = ["(Column::WorkflowStatus,", "(TaskColumn::WorkflowStatus,", "(queued_task::Column::WorkflowStatus,"];
    let rows =
        ["workflow_status:Set(", "workflow_status:ActiveValue", "TaskEntity::insert", "queued_task::ActiveModel"];
    set_by_sql || columns.iter().chain(&rows).any(|written| dense.contains(written))
}

#[test]
fn a_move_is_found_however_it_is_written() {
    for moves in [
        "UPDATE queued_task SET workflow_status = 'QUEUED' WHERE id = $1",
        "UPDATE queued_task {by x} SET attempt = 1,\n    workflow_status = $2\n WHERE id = $1",
        "update.values([(Column::WorkflowStatus, Expr::val(1))])",
        "update.value(\n    TaskColumn::WorkflowStatus,\n    1)",
        "making.write(Column::WorkflowStatus, 1)",
        "many.col_expr(Column::WorkflowStatus, Expr::val(1))",
        "ActiveModel { workflow_status: Set(WorkflowStatus::Queued) }",
    ] {
        assert!(moves_a_task(moves), "{moves}");
    }
    for reads in [
        "UPDATE queued_task SET held = FALSE WHERE workflow_status = 'QUEUED'",
        "\"UPDATE queued_task SET held = FALSE\"; \"SELECT 1 WHERE workflow_status = 'QUEUED'\"",
        "picked.columns([Column::Id, Column::WorkflowStatus]).and_where(Column::WorkflowStatus.is_in(names))",
        "Expr::col((PICKED, Column::WorkflowStatus))",
    ] {
        assert!(!moves_a_task(reads), "{reads}");
    }
}

/// Whether these words are there, and not as the beginning of a longer one.
fn has_words(code: &str, words: &str) -> bool {
    let ends = code.match_indices(words).map(|(at, _)| code[at + words.len()..].chars().next());
    ends.into_iter().any(|next| next.is_none_or(|next| !next.is_alphanumeric() && next != '_'))
}

/// A macro of these tests has each end by its name when it hangs; what takes cases does only what its process answers at once.
#[test]
fn no_test_can_hang_without_a_name() {
    let exempt = set(&["server/tests/it/hanging.rs", "server/tests/it/tidy.rs"]);
    for folder in ["queue", "caseload", "server", "migration"] {
        let mut found = Vec::new();
        collect(&root().join(folder).join("tests"), &mut found);
        let found =
            found.iter().filter(|source| !source.path.contains("/endurance/") && !exempt.contains(&source.path));
        for source in found {
            let lines: Vec<&str> = source.text.lines().map(str::trim).collect();
            for pair in lines.windows(2).filter(|pair| pair[1].starts_with("#[tokio::test")) {
                let ends = pair[0].starts_with("#[timeout") || source.path.ends_with("/lock.rs");
                assert!(ends, "{}: name it in testkit::tests! or on_both!, after {}", source.path, pair[0]);
            }
            // What only reads has nothing to wait for.
            let waits = source.text.contains("Command::new") && lines.contains(&"#[test]");
            assert!(!waits, "{}: name its tests in testkit::tests!(without a runtime; …)", source.path);
        }
    }
}

#[test]
fn every_file_says_what_it_is_for() {
    for source in sources() {
        assert!(source.text.starts_with("//! "), "{} opens with a paragraph", source.path);
    }
}

#[test]
fn a_file_that_a_comment_refers_to_is_there() {
    for source in sources() {
        let comments = source.text.lines().filter(|line| line.trim_start().starts_with("//"));
        let words = comments.flat_map(|line| line.split(|c: char| !(c.is_ascii_alphanumeric() || "./_-".contains(c))));
        for name in words.filter(|word| word.len() > 3 && word.ends_with(".md")) {
            let path = root().join(name.trim_start_matches(['.', '/']));
            assert!(path.is_file(), "{}: {name} is no file of this repository", source.path);
        }
    }
}

/// Also of what is no Rust, and of tests.
#[test]
fn a_source_that_is_named_elsewhere_is_there() {
    let mut looked_at = 0;
    for (path, text) in written() {
        let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || "./_-".contains(c)));
        let sources = words.filter(|word| {
            CRATES.iter().any(|name| word.strip_prefix(name).is_some_and(|rest| rest.starts_with("/src/")))
        });
        for name in sources.filter(|word| word.ends_with(".rs") || word.ends_with(".js")) {
            looked_at += 1;
            assert!(root().join(name).is_file(), "{path}: {name} is no file of this repository");
        }
    }
    assert!(looked_at > 50, "{looked_at}");
}

/// What people write and read here, with its path: sources of every sort, tests and documents.
fn written() -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
            let left_out = ["target", "node_modules", "CHANGELOG.md"].contains(&name.as_str()) || name.starts_with('.');
            match path.is_dir() {
                _ if left_out => {}
                true => walk(&path, found),
                false
                    if ["rs", "md", "js", "ts", "mjs", "css", "toml"]
                        .iter()
                        .any(|end| name.ends_with(&format!(".{end}"))) =>
                {
                    let path_here = path.strip_prefix(root()).unwrap().display().to_string();
                    found.push((path_here, fs::read_to_string(&path).unwrap()));
                }
                false => {}
            }
        }
    }
    let mut found = Vec::new();
    walk(&root(), &mut found);
    found
}

#[test]
fn files_hold_one_idea_each() {
    let mut lengths: Vec<(usize, String)> =
        sources().into_iter().map(|source| (source.text.lines().count(), source.path)).collect();
    lengths.sort();
    let median = &lengths[lengths.len() / 2];
    assert!(median.0 < 120, "the median file has {} lines", median.0);
}

#[test]
fn the_tables_of_tests_name_tests_that_exist() {
    for (readme, folders) in [
        ("queue/tests/README.md", ["queue", "caseload", "migration", "server"]),
        ("caseload/tests/README.md", ["caseload", "model", "server", "queue"]),
    ] {
        let code: String = folders.iter().flat_map(|folder| texts(&root().join(folder))).collect();
        let text = fs::read_to_string(root().join(readme)).unwrap();
        for line in text.lines().filter(|line| line.starts_with('|')) {
            let cell = line.split('|').nth(2).unwrap_or_default();
            for name in cell.split('`').skip(1).step_by(2).filter(|name| name.contains("::") || name.contains('_')) {
                let name = name.rsplit("::").next().unwrap_or_default();
                let known = name.ends_with(".rs") || code.contains(&format!("fn {name}("));
                assert!(known, "{readme}: there is no test {name}");
            }
        }
    }
}

/// The texts of all Rust files below a folder.
fn texts(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        match entry.extension().and_then(|extension| extension.to_str()) {
            Some("rs") => found.push(fs::read_to_string(&entry).unwrap()),
            _ if entry.is_dir() => found.extend(texts(&entry)),
            _ => {}
        }
    }
    found
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
