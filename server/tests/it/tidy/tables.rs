//! Whose tables are, and who writes what.

use std::collections::BTreeSet;

use sea_orm::ConnectionTrait;
use testkit::{On, TestDb};

use super::{Source, files_with, root, set, sources, texts};

testkit::on_both!(every_table_is_an_entity_of_one_crate);

/// Each table that is an entity, with the crate whose it is.
fn entities() -> Vec<(String, String)> {
    let of = |source: Source| {
        let owner = source.path.split('/').next().unwrap_or_default().to_owned();
        let names = source.code.split("table_name = \"").skip(1).map(|rest| rest.split('"').next().unwrap_or_default());
        names.map(|name| (name.to_owned(), owner.clone())).collect::<Vec<_>>()
    };
    sources().into_iter().flat_map(of).collect()
}

/// The tables that a database has, but for that of the steps of the schema.
async fn tables(on: On) -> Vec<String> {
    let test = TestDb::new(on).await.unwrap();
    let sql = match on {
        On::Sqlite => "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
        On::Postgres => "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename",
    };
    let rows = test.db.reader().query_all_raw(test.db.statement(sql, [])).await.unwrap();
    let names = rows.iter().map(|row| row.try_get_by_index::<String>(0).unwrap());
    names.filter(|name| name != "seaql_migrations").collect()
}

async fn every_table_is_an_entity_of_one_crate(on: On) {
    let mut owned: Vec<String> = entities().into_iter().map(|(table, _)| table).collect();
    owned.sort();
    assert_eq!(owned, tables(on).await);
}

/// New accounts have what is usual for their role, and those that are there would never have it.
#[test]
fn a_permission_is_given_to_those_who_are_there_by_a_step_of_the_schema() {
    let steps = texts(&root().join("migration/src")).concat();
    for permission in model::Permission::ALL {
        let name = permission.name();
        let given = [format!("\"{name}\""), format!("'{name}'"), format!("\\\"{name}\\\"")];
        assert!(given.iter().any(|given| steps.contains(given)), "{name}");
    }
}

#[test]
fn a_table_is_written_by_the_crate_that_owns_it() {
    let entities = entities();
    for source in sources() {
        let here = source.path.split('/').next().unwrap_or_default();
        // The schema's steps write to all, and pages have words for it.
        for (table, owner) in
            entities.iter().filter(|(_, owner)| owner != here && !["migration", "app"].contains(&here))
        {
            assert!(!writes(&source.code, table), "{} writes {table}, which is {owner}'s", source.path);
        }
    }
}

/// Whether a statement there writes this table, however it is laid out.
fn writes(code: &str, table: &str) -> bool {
    let code = code.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase();
    let verbs = [
        "insert into",
        "replace into",
        "ignore into",
        "update",
        "delete from",
        "merge into",
        "truncate",
        "truncate table",
    ];
    verbs.iter().any(|verb| ["", "only "].iter().any(|only| has_words(&code, &format!("{verb} {only}{table}"))))
}

#[test]
fn a_table_that_is_written_is_found_however_the_statement_is_laid_out() {
    for statement in [
        "DELETE FROM\n    queued_task WHERE id = $1",
        "update queued_task set held = true",
        "INSERT OR IGNORE INTO\tqueued_task (id)",
        "TRUNCATE queued_task",
        "UPDATE ONLY queued_task",
    ] {
        assert!(writes(statement, "queued_task"), "{statement}");
    }
    assert!(!writes("SELECT 1 FROM queued_task", "queued_task") && !writes("UPDATE queued_task_copy", "queued_task"));
}

/// What stands between two of these quotes and is all in capitals.
fn words_in_capitals(code: &str, quote: char) -> impl Iterator<Item = &str> {
    code.split(quote).filter(|word| word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
}

#[test]
fn a_state_that_a_statement_asks_for_is_one_that_is_kept() {
    let sources = sources();
    let has_states = |source: &&Source| source.path.starts_with("model/") || source.path.contains("/entity/");
    let states = sources.iter().filter(has_states).flat_map(|source| words_in_capitals(&source.code, '"'));
    let states: BTreeSet<&str> = states.collect();
    assert!(states.contains("QUEUED") && states.contains("SAME_ADDRESS"), "{states:?}");
    let mut asked = BTreeSet::new();
    for source in
        sources.iter().filter(|source| ["queue/", "caseload/"].iter().any(|name| source.path.starts_with(name)))
    {
        // That is a time zone.
        let here: BTreeSet<&str> = words_in_capitals(&source.code, '\'').filter(|word| *word != "UTC").collect();
        let unknown: Vec<_> = here.difference(&states).collect();
        assert!(unknown.is_empty(), "{}: nothing is ever {unknown:?}", source.path);
        asked.extend(here);
    }
    assert!(asked.contains("QUEUED") && asked.contains("SENDING"), "{asked:?}");
}

#[test]
fn what_opens_an_account_is_written_in_one_file() {
    let writes = [
        "SET password_hash",
        "session_version + 1",
        "SET revoked_date = {now} WHERE person_id",
        "col_expr(account::Column::PasswordHash, ",
        "col_expr(account::Column::SessionVersion, ",
        "col_expr(account::Column::Disabled, ",
        "col_expr(access_token::Column::RevokedDate, ",
        "password_hash: Set(",
        "session_version: Set(",
    ];
    let mut files = files_with(&writes);
    // A session has a column of this name, which says with which of the account's it began.
    files.remove("server/src/auth/session.rs");
    assert_eq!(files, set(&["caseload/src/accounts/credentials.rs"]));
}

#[test]
fn periods_of_a_status_are_written_in_one_file() {
    let writes = [
        "INSERT INTO program_status_history ",
        "INSERT INTO program_status_history\n",
        "UPDATE program_status_history ",
        "program_status_history::ActiveModel",
        "program_status_history::Entity::insert",
        "program_status_history::Entity::update",
        "program_status_history::Entity::delete",
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
