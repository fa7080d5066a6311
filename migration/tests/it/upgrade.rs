//! What is in each column from the version on that made it, and stays in it through every step since.

use std::collections::{BTreeMap, BTreeSet};

use migration::{Migrator, MigratorTrait};
use sea_orm_migration::sea_orm::DatabaseConnection;
use testkit::On;

use crate::{
    place::{before, run, texts},
    rows::{ADDED, Rows, rows},
};

testkit::on_both!(what_each_version_wrote_comes_through_every_later_step);

/// What a step changes on purpose: the step, the column, and what is in it from then on.
const CHANGED: [(&str, &str, &[&str]); 2] = [
    ("m0029_typed_addresses", "person.primary_email", &["'a@g1.example'", "NULL"]),
    ("m0029_typed_addresses", "person.email_key", &["'a@g1.example'", "NULL"]),
];

/// What may be in a column that nobody has written.
const NOTHING: [&str; 7] = ["NULL", "''", "0", "'0'", "'false'", "'{}'", "'[]'"];

/// What is in each column, called `table.column`. Rows may have been moved, so the values are in an order of their own.
type Values = BTreeMap<String, Vec<String>>;

async fn values(on: On, db: &DatabaseConnection) -> Values {
    let sql = match on {
        On::Sqlite => {
            "SELECT m.name || '.' || c.name FROM sqlite_master m, pragma_table_info(m.name) c
             WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'"
        }
        On::Postgres => {
            "SELECT CAST(table_name || '.' || column_name AS text) FROM information_schema.columns WHERE table_schema = 'public'"
        }
    };
    let mut values = Values::new();
    for column in texts(db, sql).await.into_iter().filter(|column| !column.starts_with("seaql_migrations.")) {
        let (table, _) = column.split_once('.').unwrap();
        let shown = match on {
            On::Sqlite => format!("SELECT quote({column}) FROM {table} ORDER BY 1"),
            On::Postgres => {
                format!("SELECT quote_nullable(CAST({column} AS text)) COLLATE \"C\" FROM {table} ORDER BY 1")
            }
        };
        let found = texts(db, &shown).await;
        values.insert(column, found);
    }
    values
}

/// What the test writes, and where it has.
struct Written {
    rows: Vec<Rows>,
    added: Vec<(&'static str, &'static str, &'static str)>,
    columns: BTreeSet<String>,
}

impl Written {
    /// Writes into whatever has come, and gives what there is then. Fails by the name of a column that it has nothing for.
    async fn fill(&mut self, on: On, db: &DatabaseConnection) -> Values {
        let before = values(on, db).await;
        let is_there = |table: &str, column: &str| before.contains_key(&format!("{table}.{column}"));
        let rows = self.rows.extract_if(.., |rows| rows.columns.iter().all(|column| is_there(rows.table, column)));
        let mut written = BTreeSet::new();
        for rows in rows {
            run(db, &rows.insert()).await;
            written.extend(rows.columns.iter().map(|column| format!("{}.{column}", rows.table)));
        }
        for (table, column, value) in self.added.extract_if(.., |(table, column, _)| is_there(table, column)) {
            run(db, &format!("UPDATE {table} SET {column} = {value}")).await;
            written.insert(format!("{table}.{column}"));
        }
        let after = values(on, db).await;
        for (column, now) in after.iter().filter(|(column, _)| !self.columns.contains(*column)) {
            // Such an id is counted by the database and takes no value.
            let is_written = written.contains(column) || column.ends_with(".id");
            let is_own = before[column] != *now && now.iter().any(|value| !NOTHING.contains(&value.as_str()));
            assert!(is_written && is_own, "nothing is written into {column}, which has {now:?}");
        }
        self.columns.extend(after.keys().cloned());
        after
    }
}

async fn what_each_version_wrote_comes_through_every_later_step(on: On) {
    const SECOND: &str = "m0002_accounts";
    let (_place, db) = before(on, SECOND).await;
    let mut written = Written { rows: rows(on), added: ADDED.to_vec(), columns: BTreeSet::new() };
    let mut before = written.fill(on, &db).await;
    for step in Migrator::migrations().iter().skip_while(|step| step.name() != SECOND) {
        Migrator::up(&db, Some(1)).await.unwrap_or_else(|error| panic!("{}: {error}", step.name()));
        let after = values(on, &db).await;
        for (column, values) in &before {
            let changed = CHANGED.iter().find(|(by, of, _)| (*by, *of) == (step.name(), column));
            let expected = changed.map_or(values.clone(), |(_, _, to)| to.iter().map(ToString::to_string).collect());
            assert_eq!(after.get(column), Some(&expected), "{} changes {column}", step.name());
        }
        before = written.fill(on, &db).await;
    }
    let left: Vec<_> = written.rows.iter().map(|rows| rows.table).collect();
    assert_eq!((left, written.added), (vec![], vec![]), "no step makes these");
    let told = "SELECT p.school_id || ' ' || p.program_status || ' ' || h.program_status || ' ' || tp.before_value || ' ' || a.username
        FROM person p JOIN program_status_history h ON h.person_id = p.id AND h.expiration_date IS NULL
        JOIN task_person tp ON tp.person_id = p.id JOIN queued_task t ON t.id = tp.task_id
        JOIN account a ON a.person_id = t.owner_id AND a.person_id = p.coach_id";
    assert_eq!(texts(&db, told).await, ["g1 ACTIVE ACTIVE NO_SHOW ann"]);
    let address = texts(&db, "SELECT COALESCE(primary_email, '-') FROM person ORDER BY school_id").await;
    assert_eq!(address, ["-", "a@g1.example"], "what staff typed themselves is not used");
    let extra = texts(&db, "SELECT name || ' ' || value FROM person_extra ORDER BY name").await;
    assert_eq!(extra, ["a b", "cohort 2026"], "what was imported before can be asked for");
}
