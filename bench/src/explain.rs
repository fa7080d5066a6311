//! Which way a database takes to answer a statement: by which indexes it finds rows, of what it reads all, and what it sorts.

use anyhow::{Context, Result};
use queue::Database;
use sea_orm::{ConnectionTrait, Statement};

/// The way of a statement, as a line that begins with what it does. It is asked for where the statement would run, since what
/// was set there for the transaction counts.
pub async fn explain(db: &Database, txn: &impl ConnectionTrait, statement: &Statement) -> Result<String> {
    let (word, column) = if db.is_postgres() { ("EXPLAIN", "QUERY PLAN") } else { ("EXPLAIN QUERY PLAN", "detail") };
    let values = statement.values.clone().map(|values| values.0).unwrap_or_default();
    let asked = Statement::from_sql_and_values(db.backend(), format!("{word} {}", statement.sql), values);
    let rows = txn.query_all_raw(asked).await.with_context(|| statement.sql.clone())?;
    let lines = rows.iter().map(|row| row.try_get::<String>("", column)).collect::<Result<Vec<_>, _>>()?;
    Ok(format!("{}: {}", what(&statement.sql), way(db.is_postgres(), &lines)))
}

/// What a statement does, and to which table.
fn what(sql: &str) -> String {
    // Names are quoted where a statement was put together.
    let sql = sql.replace('"', "");
    let words: Vec<&str> = sql.split_whitespace().collect();
    let count = match words.first() {
        Some(&"UPDATE") => 2,
        Some(&"INSERT" | &"DELETE") => 3,
        _ => 1,
    };
    words.iter().take(count).copied().collect::<Vec<_>>().join(" ")
}

/// The steps that matter, each once and in the order of their letters: which table is looked at first is decided by how many
/// rows the database takes to be there.
fn way(is_postgres: bool, lines: &[String]) -> String {
    let step = if is_postgres { step_of_postgres } else { step_of_sqlite };
    let mut steps: Vec<String> = lines.iter().filter_map(|line| step(line)).collect();
    steps.sort();
    steps.dedup();
    if steps.is_empty() { "nothing is looked for".to_owned() } else { steps.join("; ") }
}

/// Whether an index is read as a bitmap or not, and by several at once or not, hangs on what is guessed of the rows.
fn step_of_postgres(line: &str) -> Option<String> {
    let step = line.trim_start_matches([' ', '-', '>']).split("  (").next()?.trim_start_matches("Parallel ");
    if let Some(index) = step.strip_prefix("Bitmap Index Scan on ") {
        return Some(index.to_owned());
    }
    for scan in
        ["Index Scan using ", "Index Only Scan using ", "Index Scan Backward using ", "Index Only Scan Backward using "]
    {
        if let Some(index) = step.strip_prefix(scan).and_then(|rest| rest.split(' ').next()) {
            return Some(index.to_owned());
        }
    }
    step.strip_prefix("Seq Scan on ").map(|table| format!("all of {table}"))
}

fn step_of_sqlite(line: &str) -> Option<String> {
    let is_one = ["SEARCH ", "SCAN ", "USE TEMP B-TREE "].iter().any(|word| line.starts_with(word));
    // What is put together on the way is called by numbers, of the database or of the statement.
    let step = line.trim_end_matches(|digit: char| digit.is_ascii_digit());
    (is_one && !line.contains("subquery-") && line != "SCAN CONSTANT ROW").then(|| step.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way_of(is_postgres: bool, lines: &[&str]) -> String {
        way(is_postgres, &lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_plan_is_told_by_what_is_read() {
        let postgres = [
            "Limit  (cost=0.42..1.10 rows=26 width=90)",
            "  ->  Nested Loop Left Join  (cost=0.42..9.1 rows=26 width=90)",
            "        ->  Parallel Seq Scan on person p  (cost=0.42..5 rows=26 width=90)",
            "              Filter: student",
            "        ->  Bitmap Heap Scan on person c  (cost=0.42..5 rows=26 width=90)",
            "              ->  Bitmap Index Scan on person_pkey  (cost=0.42..5 rows=26 width=90)",
            "        ->  Index Scan Backward using person_sort on person k  (cost=0.42..5 rows=26 width=90)",
        ];
        assert_eq!(way_of(true, &postgres), "all of person p; person_pkey; person_sort");
        let sqlite = [
            "CO-ROUTINE found",
            "SEARCH p USING INDEX person_sort (sort_key>?)",
            "SCAN (subquery-2)",
            "SCAN part1",
            "SCAN part2",
            "USE TEMP B-TREE FOR ORDER BY",
        ];
        assert_eq!(
            way_of(false, &sqlite),
            "SCAN part; SEARCH p USING INDEX person_sort (sort_key>?); USE TEMP B-TREE FOR ORDER BY"
        );
        assert_eq!(way_of(true, &["Result  (cost=0 rows=1 width=4)"]), "nothing is looked for");
    }

    #[test]
    fn a_statement_is_named_by_what_it_does() {
        assert_eq!(what(" SELECT 1"), "SELECT");
        assert_eq!(what("UPDATE person AS p SET x = 1"), "UPDATE person");
        assert_eq!(what("INSERT INTO \"audit\" (\"id\") VALUES (1)"), "INSERT INTO audit");
        assert_eq!(what("INSERT INTO task_person (a)\n VALUES (1)"), "INSERT INTO task_person");
    }
}
