//! A start without any account, and a copy of the database while it is in use: with the real binary.

use serde_json::json;
use testkit::On;

use crate::binary::{Place, Process, wait};

testkit::tests!(
    the_first_account_is_made_by_a_link_that_works_once,
    the_link_for_the_first_account_ends_with_an_account_made_by_command,
    a_copy_is_made_while_others_write,
);

/// A server on an empty database, and the token of the link that it gave.
async fn first_start() -> (Place, Process, String) {
    let (folder, url) = crate::binary::empty(On::Sqlite).await;
    let place = Place::bare(folder, url);
    let server = place.start("one", "all", &[]);
    let link = wait("the link", || {
        let log = server.log();
        let at = log.find("/setup?token=")? + "/setup?token=".len();
        Some(log[at..].split_whitespace().next()?.to_owned())
    });
    (place, server, link)
}

async fn the_first_account_is_made_by_a_link_that_works_once() {
    let (place, server, link) = first_start().await;
    let agent: ureq::Agent = ureq::Agent::config_builder().max_redirects(0).build().into();
    let answered = |username: &str| {
        let form = [("token", link.as_str()), ("username", username), ("password", "slate-fern-07")];
        agent.post(format!("http://{}/setup", server.address)).send_form(form).unwrap()
    };
    let set_up = |username: &str| answered(username).headers()["location"].to_str().unwrap().to_owned();
    let shown = || {
        let page = agent.get(format!("http://{}/setup?token={link}", server.address)).call().unwrap();
        page.into_body().read_to_string().unwrap()
    };
    assert!(shown().contains("Create the first account"));
    let refused = answered("two words");
    let header = |name: &str| refused.headers().get_all(name).iter().map(|value| value.to_str().unwrap());
    let back = header("location").next().unwrap();
    assert!(
        back.contains("__err=") && !back.contains("words"),
        "a username that was refused stands in no address: {back}"
    );
    let cookies: Vec<&str> = header("set-cookie").filter_map(|cookie| cookie.split(';').next()).collect();
    let page =
        agent.get(format!("http://{}{back}", server.address)).header("cookie", cookies.join("; ")).call().unwrap();
    assert!(page.into_body().read_to_string().unwrap().contains("value=\"two words\""), "and still in its field");
    assert_eq!(set_up("ines"), "/people");
    assert!(set_up("eve").contains("__err="), "the link was used");
    let page = shown();
    assert!(page.contains("Docket is set up") && !page.contains("name=\"password\""), "there is nothing to fill in");
    assert_eq!(place.value("SELECT COUNT(*) FROM account WHERE username = 'ines' AND role = 'administrator'").await, 1);
    assert_eq!(place.value("SELECT COUNT(*) FROM account").await, 1);
    let begun = "SELECT COUNT(*) FROM audit WHERE action = 'session.begin' AND source IS NOT NULL";
    assert_eq!(place.value(begun).await, 1, "a session begun by the link is one in the audit");
    drop(server);
    let server = place.start("two", "all", &[]);
    assert!(!server.log().contains("/setup?"), "there is somebody who can sign in");
}

async fn the_link_for_the_first_account_ends_with_an_account_made_by_command() {
    let (place, server, link) = first_start().await;
    place.command(&["user", "add", "ines", "--role", "administrator"]);
    let agent: ureq::Agent = ureq::Agent::config_builder().max_redirects(0).build().into();
    let form = [("token", link.as_str()), ("username", "eve"), ("password", "slate-fern-07")];
    let answer = agent.post(format!("http://{}/setup", server.address)).send_form(form).unwrap();
    assert!(answer.headers()["location"].to_str().unwrap().contains("__err="));
    assert_eq!(place.value("SELECT COUNT(*) FROM account").await, 1);
    assert_eq!(place.value("SELECT COUNT(*) FROM setup_link").await, 0);
}

async fn a_copy_is_made_while_others_write() {
    let place = Place::on(On::Sqlite).await;
    place.command(&["people", "generate", "--count", "5000", "--seed", "1"]);
    let server = place.start("one", "all", &[("DOCKET__ACTIONS__CHUNK", "1ms")]);
    let body = json!({ "target": { "everyone": true }, "programStatus": "INACTIVE", "confirmTotal": 5000 });
    server.post("/api/1/people/program-status", &body);
    place.command(&["backup", "copy.db"]);
    let again = place.try_command(&["backup", "copy.db"], &[]);
    assert!(!again.status.success() && String::from_utf8_lossy(&again.stderr).contains("already exists"));
    let copy = queue::Database::connect(
        &testkit::sqlite_url(&place.folder.path().join("copy.db")),
        queue::Clock::default(),
        1,
    )
    .await
    .unwrap();
    let value = async |sql: &str| {
        let row =
            sea_orm::ConnectionTrait::query_one_raw(copy.reader(), copy.statement(sql, [])).await.unwrap().unwrap();
        row.try_get_by_index::<String>(0).unwrap()
    };
    assert_eq!(value("PRAGMA integrity_check").await, "ok");
    assert_eq!(value("SELECT CAST(COUNT(*) AS text) FROM person WHERE student").await, "5000");
    let torn = "SELECT CAST(COUNT(*) AS text) FROM person p WHERE p.student AND NOT EXISTS (
        SELECT 1 FROM program_status_history h WHERE h.person_id = p.id AND h.expiration_date IS NULL
          AND h.program_status = p.program_status)";
    assert_eq!(value(torn).await, "0", "as of one moment");
}
