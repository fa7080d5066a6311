//! The audit trail as the database keeps it: it is only ever added to.

use caseload::{Denial, Denied};
use model::{Problem, admin::AuditQuery};
use sea_orm::ConnectionTrait;
use testkit::On;

use crate::college::College;

testkit::tests!(a_scan_is_one_entry_that_grows);

testkit::on_both!(
    nobody_changes_or_deletes_an_entry_even_by_a_statement_of_their_own,
    what_erasing_takes_out_is_on_record_itself,
    what_is_denied_again_is_counted_where_it_stands,
    a_source_is_an_address_however_it_is_written,
    an_entry_is_about_somebody_by_name,
);

async fn refused(c: &College, sql: &str) {
    let error = c.test.db.write(sql, []).await.unwrap_err().to_string();
    assert!(error.contains("only ever added to"), "{sql}: {error}");
}

async fn nobody_changes_or_deletes_an_entry_even_by_a_statement_of_their_own(on: On) {
    let c = College::of(on, 0).await;
    c.caseload.accounts().signed_out(&c.coach).await.unwrap();
    let before = c.count("SELECT COUNT(*) FROM audit", []).await;
    for sql in [
        "UPDATE audit SET action = 'session.begin'",
        "UPDATE audit SET actor_id = NULL WHERE actor_id IS NOT NULL",
        "UPDATE audit SET detail = '{\"nothing\":\"here\"}'",
        "UPDATE audit SET audit_date = {now}",
        "UPDATE audit SET source = '127.0.0.1'",
        "UPDATE audit SET times = times + 1",
        "UPDATE audit SET times = 0",
        "DELETE FROM audit",
    ] {
        refused(&c, sql).await;
    }
    match on {
        On::Postgres => refused(&c, "TRUNCATE audit").await,
        On::Sqlite => refused(&c, "INSERT OR REPLACE INTO audit SELECT * FROM audit").await,
    }
    assert_eq!(c.count("SELECT COUNT(*) FROM audit", []).await, before);
}

async fn what_erasing_takes_out_is_on_record_itself(on: On) {
    let c = College::of(on, 0).await;
    c.caseload.accounts().signed_out(&c.coach).await.unwrap();
    let last = c.count("SELECT MAX(id) FROM audit", []).await;
    let sql = "INSERT INTO audit_redaction (audit_id, redacted_date, detail) VALUES ($1, {now}, '{\"q\":\"\"}')";
    c.write(sql, [last.into()]).await;
    refused(&c, "UPDATE audit SET detail = '{}' WHERE id = (SELECT MAX(id) FROM audit)").await;
    assert_eq!(c.write("UPDATE audit SET detail = '{\"q\":\"\"}' WHERE id = $1", [last.into()]).await, 1);
    refused(&c, "UPDATE audit_redaction SET detail = '{}'").await;
    refused(&c, "DELETE FROM audit_redaction").await;
}

/// So many requests of the coach's that were denied, from an address.
async fn deny(c: &College, times: u64, host: u8) {
    for _ in 0..times {
        let source = Some([192, 0, 2, host].into());
        let request = "GET /api/1/tasks/{id}".to_owned();
        let denied = Denied { denial: Denial::Hidden, actor: Some(&c.coach), source, request };
        c.caseload.audit().note_denial(denied).await.unwrap();
    }
}

async fn what_is_denied_again_is_counted_where_it_stands(on: On) {
    let c = College::of(on, 0).await;
    deny(&c, 5, 1).await;
    let sql = "SELECT CAST(SUM(times) AS bigint) FROM audit WHERE action = 'request.hidden' AND source = '192.0.2.1'";
    assert_eq!(c.count(sql, []).await, 5);
    // A minute may end in between on a clock that goes on.
    assert!(c.count("SELECT COUNT(*) FROM audit WHERE action = 'request.hidden'", []).await <= 2);
}

/// Here the clock stands still.
async fn a_scan_is_one_entry_that_grows() {
    let c = College::of(On::Sqlite, 0).await;
    deny(&c, 250, 1).await;
    deny(&c, 3, 2).await;
    let sql = "SELECT source, times FROM audit WHERE action = 'request.hidden' ORDER BY source";
    let rows = c.test.db.reader().query_all_raw(c.test.db.statement(sql, [])).await.unwrap();
    let rows: Vec<(String, i64)> =
        rows.iter().map(|row| (row.try_get("", "source").unwrap(), row.try_get("", "times").unwrap())).collect();
    // Beyond a hundred they are written down by the hundred, and what is left over with the next one of a later minute.
    assert_eq!(rows, [("192.0.2.1".to_owned(), 200), ("192.0.2.2".to_owned(), 3)]);
    c.test.clock.advance(std::time::Duration::from_secs(60));
    deny(&c, 1, 1).await;
    assert_eq!(c.count("SELECT COUNT(*) FROM audit WHERE action = 'request.hidden'", []).await, 3);
    assert_eq!(c.count("SELECT SUM(times) FROM audit WHERE action = 'request.hidden'", []).await, 254);
    deny(&c, 149, 1).await;
    c.caseload.audit().note_rest_of_denials().await.unwrap();
    assert_eq!(c.count("SELECT SUM(times) FROM audit WHERE action = 'request.hidden'", []).await, 403);
}

async fn a_source_is_an_address_however_it_is_written(on: On) {
    let c = College::of(on, 0).await;
    let source = Some("2001:db8::7".parse().unwrap());
    let denied = Denied { denial: Denial::Hidden, actor: Some(&c.coach), source, request: "GET /".to_owned() };
    c.caseload.audit().note_denial(denied).await.unwrap();
    let found = async |source: &str| {
        let query = AuditQuery { source: Some(source.to_owned()), ..AuditQuery::default() };
        c.caseload.audit().list(&c.administrator, &query).await.map(|page| page.items.len())
    };
    assert_eq!(found("2001:DB8:0::7").await.unwrap(), 1);
    assert_eq!(found("2001:db8::8").await.unwrap(), 0);
    let refused = Problem::from(found("198.51.100").await.unwrap_err());
    assert!(refused.message_for("source").is_some(), "{refused:?}");
}

async fn an_entry_is_about_somebody_by_name(on: On) {
    let c = College::of(on, 0).await;
    c.caseload.accounts().signed_out(&c.coach).await.unwrap();
    let (entries, _) = c.caseload.audit().list_part(&c.administrator, &AuditQuery::default()).await.unwrap();
    let about = entries[0].object_id.clone().unwrap();
    let names = c.caseload.audit().names(&c.administrator, &entries).await.unwrap();
    assert_eq!(names.get(&about), Some(&c.coach.name), "{names:?}");
    c.caseload.audit().names(&c.coach, &entries).await.unwrap_err();
}
