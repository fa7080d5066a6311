//! The schema goes up over what is there, down again, and up by five processes at once, on both databases.

use sea_orm_migration::{
    MigratorTrait,
    sea_orm::{ConnectionTrait, Database, DatabaseConnection, DbBackend, Statement},
};
use testkit::On;

use crate::place::{before, empty, id, run, texts};

testkit::on_both!(
    up_down_and_up_again_leaves_the_same_tables,
    going_up_twice_keeps_the_data,
    tasks_that_wait_during_an_upgrade_keep_their_order,
    five_processes_that_start_at_once_all_find_the_schema,
);

async fn names(db: &DatabaseConnection) -> Vec<String> {
    let sql = match db.get_database_backend() {
        DbBackend::Postgres => {
            "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public'
             UNION SELECT indexname::text FROM pg_indexes WHERE schemaname = 'public' ORDER BY name"
        }
        _ => "SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name",
    };
    let rows = db.query_all_raw(Statement::from_string(db.get_database_backend(), sql)).await.unwrap();
    rows.iter().map(|row| row.try_get("", "name").unwrap()).collect()
}

async fn up_down_and_up_again_leaves_the_same_tables(on: On) {
    let place = empty(on).await;
    migration::up(&place.url).await.unwrap();
    let db = Database::connect(&place.url).await.unwrap();
    let (first, made) = (names(&db).await, testkit::made(&db).await);
    for table in ["person", "queued_task", "task_attempt", "process", "task_person", "selection", "audit", "session"] {
        assert!(first.iter().any(|name| name == table), "{table} is missing of {first:?}");
    }
    migration::down(&place.url, None).await.unwrap();
    let left = names(&db).await;
    assert!(left.iter().all(|name| name.starts_with("seaql_migrations")), "{left:?}");
    migration::up(&place.url).await.unwrap();
    assert_eq!(testkit::made(&db).await, made);
}

async fn going_up_twice_keeps_the_data(on: On) {
    let place = empty(on).await;
    migration::up(&place.url).await.unwrap();
    let db = Database::connect(&place.url).await.unwrap();
    db.execute_unprepared(
        "INSERT INTO audit (audit_date, action, object_kind, detail) VALUES ('2026-01-01T00:00:00+00:00', 'a', 'b', '{}')",
    )
    .await
    .unwrap();
    migration::up(&place.url).await.unwrap();
    let count = Statement::from_string(db.get_database_backend(), "SELECT COUNT(*) AS count FROM audit");
    assert_eq!(db.query_one_raw(count).await.unwrap().unwrap().try_get::<i64>("", "count").unwrap(), 1);
}

async fn tasks_that_wait_during_an_upgrade_keep_their_order(on: On) {
    let (place, db) = before(on, "m0023_order").await;
    let at = "'2026-01-01T00:00:00+00:00'";
    // Until then the order was that of the ids.
    for n in [3, 1, 2] {
        let (id, owner) = (id(on, n), id(on, 9));
        let sql = format!(
            "INSERT INTO queued_task (id, created_date, created_by, modified_date, modified_by, owner_id, run_as_id,
                execution_component_name, execution_state, workflow_status, trigger_date, attempt, progressed, failures,
                max_failures, crashes, rescued, priority, succeeded, skipped, failed, uncertain, held)
             VALUES ({id}, {at}, {owner}, {at}, {owner}, {owner}, {owner}, 'steps', '{{}}', 'QUEUED', {at}, 0, FALSE, 0, 5, 0,
                FALSE, {n}, 0, 0, 0, 0, FALSE)"
        );
        run(&db, &sql).await;
    }
    migration::up(&place.url).await.unwrap();
    let order = Statement::from_string(
        db.get_database_backend(),
        "SELECT priority AS n FROM queued_task ORDER BY submit_order",
    );
    let order = db.query_all_raw(order).await.unwrap();
    let order: Vec<i32> = order.iter().map(|row| row.try_get("", "n").unwrap()).collect();
    assert_eq!(order, [1, 2, 3]);
}

async fn five_processes_that_start_at_once_all_find_the_schema(on: On) {
    let place = empty(on).await;
    let up = || migration::up(&place.url);
    let (a, b, c, d, e) = tokio::join!(up(), up(), up(), up(), up());
    for result in [a, b, c, d, e] {
        result.unwrap();
    }
    let alone = empty(on).await;
    migration::up(&alone.url).await.unwrap();
    let [together, alone] = [place, alone].map(async |place| {
        let db = Database::connect(&place.url).await.unwrap();
        let steps = texts(&db, "SELECT version FROM seaql_migrations ORDER BY version").await;
        (testkit::made(&db).await, steps)
    });
    assert_eq!(together.await, alone.await);
}

/// The last step says whether a database is a newer one's.
#[test]
fn steps_are_taken_in_the_order_of_their_names() {
    let names: Vec<_> = migration::Migrator::migrations().iter().map(|step| step.name().to_owned()).collect();
    assert!(names.is_sorted(), "{names:?}");
}
