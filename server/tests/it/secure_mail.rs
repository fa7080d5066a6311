//! The real binary and a mail server that speaks TLS and wants a password, as all do that are on another machine; and one that is
//! not who it should be, or refuses. On one database TLS begins with the first byte, and on the other by STARTTLS.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use testkit::{LOGIN, Manner, On, SecureSink};

use crate::binary::{Place, Process, wait};

const PEOPLE: usize = 12;

testkit::on_both!(
    everybody_is_written_to_over_tls_by_whoever_has_the_password,
    a_mail_server_that_is_not_who_it_should_be_is_told_nothing,
    a_mail_server_that_refuses_docket_is_waited_for,
    a_message_that_is_too_large_is_said_to_be_of_everybody,
);

struct Mailing {
    place: Place,
    sink: SecureSink,
    server: Process,
}

impl Mailing {
    async fn on(on: On) -> Mailing {
        let place = Place::on(on).await;
        place.command(&["people", "generate", "--count", &PEOPLE.to_string(), "--seed", "1"]);
        place.write("UPDATE person SET email_opt_out = FALSE, primary_email = school_id || '@students.example'").await;
        let sink = SecureSink::start().unwrap();
        let url = if on == On::Sqlite { sink.url() } else { sink.start_tls_url() };
        let authority = sink.authority();
        let settings = [
            ("DOCKET__MAIL__SMTP_URL", url.as_str()),
            ("DOCKET__MAIL__FROM", "Northfield College <docket@college.example>"),
            ("DOCKET__MAIL__HOLD", "0s"),
            ("DOCKET__QUEUE__POLL_INTERVAL", "1h"),
            // A task that waits goes on when it is told to.
            ("DOCKET__QUEUE__BACKOFF", "1h"),
            ("SSL_CERT_FILE", authority.to_str().unwrap()),
        ];
        let server = place.start("mailing", "all", &settings);
        Mailing { place, sink, server }
    }

    /// Writes to everybody; gives the task.
    fn submit(&self, subject: &str) -> String {
        let body = json!({
            "target": { "everyone": true }, "subject": subject, "body": "Hello {first name | there}",
            "toPrimary": true, "toSecondary": false, "confirmTotal": PEOPLE,
        });
        self.server.post("/api/1/people/email", &body)["id"].as_str().unwrap().to_owned()
    }

    fn task(&self, id: &str) -> Value {
        self.server.get(&format!("/api/1/admin/tasks/{id}"))
    }

    fn until(&self, id: &str, state: &str) -> Value {
        wait(state, || {
            let task = self.task(id);
            let is_over = ["DONE", "DONE_WITH_PROBLEMS", "FAILED"].iter().any(|over| task["state"] == *over);
            assert!(task["state"] == state || !is_over, "instead of {state}: {task}");
            Some(task).filter(|task| task["state"] == state)
        })
    }

    fn page(&self, path: &str) -> String {
        let token = format!("Bearer {}", self.server.token);
        let page = ureq::get(format!("http://{}{path}", self.server.address)).header("accept", "text/html");
        page.header("authorization", token).call().unwrap().into_body().read_to_string().unwrap()
    }

    /// Lets a task go on that waits to be tried again, as an administrator does who has mended what it waited for.
    fn retry(&self, id: &str) {
        let tasks = json!({ "tasks": { "only": [id] } });
        let preview = self.server.post("/api/1/admin/tasks/retry/preview", &tasks);
        let applied = json!({ "previewToken": preview["previewToken"], "reason": "the mail server is mended" });
        self.server.post("/api/1/admin/tasks/retry", &applied);
    }

    /// How many messages with this subject each address got.
    fn messages(&self, subject: &str) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        let line = format!("Subject: {subject}\r\n");
        for taken in self.sink.taken().unwrap().into_iter().filter(|taken| taken.data.contains(&line)) {
            assert_eq!((taken.by.as_deref(), taken.is_secret), (Some(LOGIN.0), true));
            for to in taken.to {
                *counts.entry(to).or_default() += 1;
            }
        }
        counts
    }

    fn assert_each_got_one(&self, subject: &str) {
        let got = self.messages(subject);
        assert_eq!((got.len(), got.values().max()), (PEOPLE, Some(&1)), "{subject}: {got:?}");
    }

    /// Nobody is said to have got anything, administrators read why, and nothing has left that must not.
    async fn assert_it_waits(&self, id: &str, subject: &str, why: &str) {
        let task = self.until(id, "RETRYING");
        let outcomes = ["succeeded", "failed", "skipped", "uncertain"].map(|name| task[name].as_u64());
        assert_eq!(outcomes, [Some(0); 4], "{task}");
        let sent = "SELECT COUNT(*) FROM outbox WHERE state NOT IN ('DEFERRED', 'SENT')";
        assert_eq!(self.place.value(sent).await, 0);
        assert_eq!(self.messages(subject), BTreeMap::new());
        let text = task["workflowStatusDesc"].as_str().unwrap();
        assert!(text.contains(why), "{subject}: {text}");
        let pages = [self.page(&format!("/admin/tasks/{id}")), self.page("/admin/tasks?state=RETRYING")];
        assert!(pages.iter().all(|page| page.contains(why)), "{subject}: no page says “{why}”");
        let words = "The mail server could not be reached, or refused the email.";
        assert_eq!(self.server.get(&format!("/api/1/tasks/{id}"))["trouble"], words);
        self.assert_nothing_is_told([text, &pages[0], &pages[1]]);
    }

    /// Neither a message nor the password was heard in the clear, and the password stands nowhere.
    fn assert_nothing_is_told<const N: usize>(&self, texts: [&str; N]) {
        let (clear, log) = (self.sink.heard_in_the_clear().unwrap(), self.server.log());
        for never in ["AUTH", "MAIL FROM", "RCPT", "Hello"] {
            assert!(!clear.contains(never), "in the clear: {clear}");
        }
        for text in texts.into_iter().chain([clear.as_str(), log.as_str()]) {
            assert!(!SecureSink::tells_password(text), "{text}");
        }
    }

    /// It is refused, and once that is over everybody gets one message.
    async fn wait_and_go_on(&mut self, manner: Manner, why: &str) {
        self.sink.behave(manner).unwrap();
        let subject = format!("{manner:?}");
        let id = self.submit(&subject);
        self.assert_it_waits(&id, &subject, why).await;
        self.sink.behave(Manner::Good).unwrap();
        self.retry(&id);
        let done = self.until(&id, "DONE");
        assert_eq!(done["succeeded"], PEOPLE, "{done}");
        self.assert_each_got_one(&subject);
    }
}

async fn everybody_is_written_to_over_tls_by_whoever_has_the_password(on: On) {
    let mailing = Mailing::on(on).await;
    let done = mailing.until(&mailing.submit("Four slots"), "DONE");
    assert_eq!(done["succeeded"], PEOPLE, "{done}");
    mailing.assert_each_got_one("Four slots");
    mailing.assert_nothing_is_told([&mailing.page("/admin/settings")]);
    let heard = mailing.sink.heard_in_the_clear().unwrap();
    assert_eq!(heard.contains("STARTTLS"), on == On::Postgres, "{heard}");
}

async fn a_mail_server_that_is_not_who_it_should_be_is_told_nothing(on: On) {
    let mut mailing = Mailing::on(on).await;
    let none = match on {
        On::Sqlite => "the mail server speaks no TLS at this port",
        On::Postgres => "the mail server offers no STARTTLS, and nothing is sent in the clear",
    };
    for (manner, why) in [
        (Manner::OtherName, "the certificate of the mail server is for another name"),
        (Manner::Stranger, "the certificate of the mail server is from an authority that is not trusted"),
        (Manner::Expired, "the certificate of the mail server has expired"),
        (Manner::Clear, none),
    ] {
        mailing.wait_and_go_on(manner, why).await;
    }
    assert!(!mailing.sink.heard_in_the_clear().unwrap().is_empty(), "nobody has called at all");
}

async fn a_mail_server_that_refuses_docket_is_waited_for(on: On) {
    let mut mailing = Mailing::on(on).await;
    for (manner, why) in [
        (
            Manner::NoPassword,
            "the mail server refused the username or the password: 535 5.7.8 Refused: (hidden) (hidden)",
        ),
        (Manner::TooLarge, "the mail server takes no message from Docket: 552 5.3.4 Message too big for system"),
    ] {
        mailing.wait_and_go_on(manner, why).await;
    }
}

async fn a_message_that_is_too_large_is_said_to_be_of_everybody(on: On) {
    let mut mailing = Mailing::on(on).await;
    mailing.sink.behave(Manner::TooLargeAtEnd).unwrap();
    let id = mailing.submit("Too large");
    let failed = mailing.until(&id, "DONE_WITH_PROBLEMS");
    assert_eq!((&failed["failed"], &failed["succeeded"]), (&json!(PEOPLE), &json!(0)), "{failed}");
    let page = mailing.page(&format!("/tasks/{id}"));
    assert!(page.contains("552 5.3.4 Message too big for system"), "{page}");
    assert_eq!(mailing.messages("Too large"), BTreeMap::new());
    mailing.assert_nothing_is_told([&page]);
    mailing.sink.behave(Manner::Good).unwrap();
    let again = mailing.server.post(&format!("/api/1/tasks/{id}/resend"), &json!({ "outcome": "FAILED" }));
    mailing.until(again["id"].as_str().unwrap(), "DONE");
    mailing.assert_each_got_one("Too large");
}
