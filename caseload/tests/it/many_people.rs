//! A hundred thousand people by a few statements, and how a database would go about what the product asks of it.

use caseload::{Limits, files::Files, mail::Mail};
use queue::test_faults::{FaultPlan, Faults};
use sea_orm::{ConnectionTrait, Statement};
use testkit::{On, Original, TestDb};
use tokio::sync::OnceCell;

use crate::college::{self, College};

pub const CROWD: u64 = 100_000;

/// A college of so many, spread evenly over six campuses, twenty-five majors and eight terms; one in twenty is `TRANSITIONED`, the others
/// are active. Each coach has half of them. Without statistics of the tables.
pub async fn crowd(on: On) -> College {
    static MADE: [OnceCell<Original>; 2] = [OnceCell::const_new(), OnceCell::const_new()];
    let made = MADE[usize::from(on == On::Postgres)].get_or_init(|| made(on)).await;
    College::at(made.copy().await.unwrap()).await
}

/// Once for all tests, as it takes seconds.
async fn made(on: On) -> Original {
    let test = TestDb::new(on).await.unwrap();
    if on == On::Postgres {
        test.db.reader().execute_unprepared("ALTER TABLE person SET (autovacuum_enabled = false)").await.unwrap();
    }
    let caseload = college::opened(&test, Mail::none(), Limits::default(), Files::in_memory());
    let [_, coach, other, _] = college::add_accounts(&caseload).await;
    test.db.write(
        "INSERT INTO person (id, student, school_id, first_name, last_name, home_campus, declared_major, start_term,
            coach_id, program_status, activated, email_opt_out, extra, sort_key, given_key, school_key, email_key,
            created_date, modified_date)
         WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
         SELECT {postgres:gen_random_uuid()}{sqlite:randomblob(16)}, TRUE, 'C' || n, 'First', 'Last', 'Campus ' || (n % 6),
            'Major ' || (n % 25), 'Term ' || (n / 7 % 8), CASE WHEN n / 3 % 2 = 0 THEN $2 ELSE $3 END,
            CASE WHEN n / 6 % 20 = 0 THEN 'TRANSITIONED' ELSE 'ACTIVE' END, TRUE, FALSE, '{' || '}',
            'name ' || ((n * 7919) % 100003), 'given ' || n, 'c' || n, 'c' || n || '@example.org', {now}, {now}
         FROM numbers",
        [CROWD.into(), coach.into(), other.into()],
    )
    .await
    .unwrap();
    drop(caseload);
    test.into_original().await.unwrap()
}

/// The steps of a plan, one line each.
pub async fn plan(c: &College, statement: &Statement) -> String {
    let how = if c.test.db.is_postgres() { "EXPLAIN" } else { "EXPLAIN QUERY PLAN" };
    let sql = format!("{how} {}", statement.sql);
    let explained = match statement.values.clone() {
        Some(values) => Statement::from_sql_and_values(c.test.db.backend(), sql, values.0),
        None => Statement::from_string(c.test.db.backend(), sql),
    };
    let rows = c.test.db.reader().query_all_raw(explained).await.unwrap();
    let column = if c.test.db.is_postgres() { "QUERY PLAN" } else { "detail" };
    rows.iter().map(|row| row.try_get::<String>("", column).unwrap()).collect::<Vec<_>>().join("\n")
}

/// Keeps the statements of this college from here on.
pub fn keep_statements(c: &College) -> Faults {
    let faults = Faults::new(FaultPlan { keeps: true, ..FaultPlan::default() });
    c.test.db.disturb(faults.clone());
    faults
}
