//! The real binary in the middle of an email to five hundred people, killed and told to stop: nobody gets it twice, and nobody
//! is missing but those of whom Docket says that it does not know.

use std::{collections::BTreeSet, time::Duration};

use rand::RngExt;
use serde_json::{Value, json};
use testkit::{On, SmtpSink};

use crate::binary::{Place, Process, wait};

const PEOPLE: u64 = 500;
/// What one message takes the mail server.
const SLOW: Duration = Duration::from_millis(60);
const KILLS: u64 = 20;
/// Messages on their way at once.
const UNDER_WAY: u64 = 5;

testkit::on_both!(
    an_email_that_is_killed_again_and_again_reaches_nobody_twice,
    a_server_told_to_stop_knows_of_every_message,
);

struct Mailing {
    place: Place,
    sink: SmtpSink,
    settings: Vec<(&'static str, String)>,
}

impl Mailing {
    async fn on(on: On, lease: &str) -> Mailing {
        let place = Place::on(on).await;
        place.command(&["people", "generate", "--count", &PEOPLE.to_string(), "--seed", "1"]);
        place.write("UPDATE person SET email_opt_out = FALSE, primary_email = school_id || '@college.example'").await;
        let sink = SmtpSink::slow(SLOW).unwrap();
        let settings = vec![
            ("DOCKET__MAIL__SMTP_URL", sink.url()),
            ("DOCKET__MAIL__FROM", "Northfield College <docket@college.example>".to_owned()),
            ("DOCKET__MAIL__HOLD", "0s".to_owned()),
            ("DOCKET__QUEUE__HEARTBEAT", "500ms".to_owned()),
            ("DOCKET__QUEUE__LEASE", lease.to_owned()),
        ];
        Mailing { place, sink, settings }
    }

    fn start(&self, name: &str) -> Process {
        let settings: Vec<_> = self.settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.place.start(name, "all", &settings)
    }

    fn taken(&self) -> Vec<String> {
        self.sink.taken().unwrap().into_iter().flat_map(|taken| taken.to).collect()
    }

    /// Waits until some more messages have arrived.
    fn until_more(&self, than: usize) {
        wait("a message more", || (self.taken().len() > than).then_some(()));
    }
}

fn submit(server: &Process) -> String {
    let body = json!({
        "target": { "everyone": true }, "subject": "Four slots", "body": "Hello {first name | there}",
        "toPrimary": true, "toSecondary": false, "confirmTotal": PEOPLE,
    });
    server.post("/api/1/people/email", &body)["id"].as_str().unwrap().to_owned()
}

fn until_completed(server: &Process, id: &str) -> Value {
    wait("the email to end", || {
        let task = server.get(&format!("/api/1/tasks/{id}"));
        assert_ne!(task["status"], "FAILURE", "{task}");
        Some(task).filter(|task| task["status"] == "COMPLETED")
    })
}

#[expect(clippy::disallowed_methods, reason = "any moment will do to be killed at")]
async fn an_email_that_is_killed_again_and_again_reaches_nobody_twice(on: On) {
    let mailing = Mailing::on(on, "10s").await;
    let mut server = mailing.start("first");
    let id = submit(&server);
    let mut kills = 0;
    while kills < KILLS && (mailing.taken().len() as u64) < PEOPLE - 60 {
        mailing.until_more(mailing.taken().len());
        std::thread::sleep(Duration::from_millis(rand::rng().random_range(0..150)));
        server.signal("-KILL");
        server.end();
        kills += 1;
        server = mailing.start(&format!("after-{kills}"));
    }
    let done = until_completed(&server, &id);
    let number = |name: &str| done[name].as_u64().unwrap();
    let taken = mailing.taken();
    let once: BTreeSet<_> = taken.iter().collect();
    eprintln!(
        "{kills} kills: {} sent, {} uncertain, {} at the sink",
        number("succeeded"),
        number("uncertain"),
        taken.len()
    );
    assert_eq!(once.len(), taken.len(), "somebody got it twice");
    assert_eq!((number("failed"), number("skipped"), number("succeeded") + number("uncertain")), (0, 0, PEOPLE));
    assert!(number("uncertain") <= kills * UNDER_WAY, "{done}");
    // Whoever is missing at the mail server is among the uncertain.
    let sent = "SELECT COUNT(*) FROM outbox WHERE state = 'SENT'";
    assert_eq!(mailing.place.value(sent).await.unsigned_abs(), number("succeeded"));
    assert!(number("succeeded") <= taken.len() as u64 && taken.len() as u64 <= PEOPLE);
    assert!(kills > 2, "it was over after {kills} kills");
}

async fn a_server_told_to_stop_knows_of_every_message(on: On) {
    // Nobody dies here, so nobody waits for the end of it.
    let mailing = Mailing::on(on, "10m").await;
    let mut server = mailing.start("first");
    let id = submit(&server);
    for stop in 1..=4 {
        mailing.until_more(mailing.taken().len() + 20);
        server.signal("-TERM");
        assert_eq!(server.end().code(), Some(0));
        server = mailing.start(&format!("after-{stop}"));
    }
    let done = until_completed(&server, &id);
    assert_eq!((done["succeeded"].as_u64(), done["uncertain"].as_u64()), (Some(PEOPLE), Some(0)), "{done}");
    let taken = mailing.taken();
    assert_eq!((taken.len() as u64, taken.iter().collect::<BTreeSet<_>>().len() as u64), (PEOPLE, PEOPLE));
}
