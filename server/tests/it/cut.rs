//! A connection to the database that is cut while a process starts: it goes on, as it does when that happens later.

use testkit::{On, cuts};

use crate::binary::{Place, wait};

testkit::tests!(a_connection_cut_at_any_commit_of_the_start_ends_nothing);

/// Commits of a start and of the first task after it, each of which is cut once.
const COMMITS: u64 = 7;

async fn a_connection_cut_at_any_commit_of_the_start_ends_nothing() {
    let place = Place::on(On::Postgres).await;
    // Submits, by connections that nobody cuts.
    let web = place.start("web", "web", &[("DOCKET__QUEUE__SELF_TEST", "true")]);
    let url: url::Url = place.url.parse().unwrap();
    let mut swept = Vec::new();
    for at in (1..=COMMITS).flat_map(|commit| [cuts::At::Lost(commit), cuts::At::Done(commit)]) {
        // A first start makes the key that the next ones find.
        place.write("DELETE FROM server_key").await;
        let (port, cuts) = cuts::before(url.port().unwrap(), at).await.unwrap();
        let mut through = url.clone();
        through.set_port(Some(port)).unwrap();
        // The one that answers requests has the most to do at its start.
        let mut process = place.spawn("cut", "all", &[("DOCKET__DATABASE__URL", through.as_str())]);
        wait("the start", || (process.log().contains("ready at") || process.has_ended()).then_some(()));
        let ids = web.self_tests(1, 8, 0);
        let done = || web.get(&format!("/api/1/tasks/{}", ids[0]))["status"] == "COMPLETED";
        wait("the task", || (done() || process.has_ended()).then_some(()));
        assert!(!process.has_ended(), "ended by a cut at {at:?}");
        process.signal("-TERM");
        assert!(process.end().success(), "{at:?}");
        swept.push(cuts.count());
    }
    assert!(swept.iter().all(|cuts| *cuts == 1), "what was to be cut was not: {swept:?}");
}
