//! Invented people: as many as asked for, and no more the second time.

use caseload::generate::generate;
use model::Instant;
use sea_orm::ConnectionTrait;
use testkit::{On, TestDb, on_both};

on_both!(the_same_seed_makes_nobody_twice);

async fn the_same_seed_makes_nobody_twice(on: On) {
    let test = TestDb::new(on).await.unwrap();
    let now = Instant::from_timestamp_millis(1_750_000_000_000).unwrap();
    let make = async |count, seed| generate(&test.db, count, seed, now, &[]).await.unwrap();
    assert_eq!(make(2_500, 7).await, 2_500);
    assert_eq!(make(2_500, 7).await, 0);
    assert_eq!(make(3_000, 7).await, 500);
    assert_eq!(make(100, 8).await, 100);
    let sql = "SELECT count(*) FROM person JOIN program_status_history open
        ON open.person_id = person.id AND open.expiration_date IS NULL AND open.effective_date = person.status_date";
    let row = test.db.reader().query_one_raw(test.db.statement(sql, [])).await.unwrap().unwrap();
    assert_eq!(row.try_get_by_index::<i64>(0).unwrap(), 3_100);
}
