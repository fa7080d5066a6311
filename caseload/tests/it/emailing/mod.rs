//! Email: one message each, and of every one it is known what became of it.

mod afterwards;
mod checking;
mod notices;
mod restored;
mod sending;
mod texts;

use std::{collections::BTreeMap, time::Duration};

use caseload::mail::{Mail, MailSettings};
use model::{
    Action, LedgerQuery, Outcome, PersonId, Problem, SkipReason, Submission, Target, TaskId, TaskState,
    action::{Recipients, email::WrittenEmail},
    ledger::LedgerFilter,
    submission::SubmitSource,
};
use testkit::{On, SmtpSink};

use crate::college::{College, program};

/// A college whose students have the addresses `s0@students.example`, `s1@…`, in the order of their ids.
async fn college(on: On, students: u64, sink: &SmtpSink) -> (College, Vec<PersonId>) {
    with(on, students, MailSettings { smtp_url: Some(sink.url()), ..quick() }).await
}

async fn with(on: On, students: u64, settings: MailSettings) -> (College, Vec<PersonId>) {
    let college = College::with_mail(on, students, Mail::new(settings).unwrap()).await;
    let people = college.students(&college.manager).await;
    college.write("UPDATE person SET email_opt_out = FALSE, secondary_email = NULL", []).await;
    for (n, id) in people.iter().enumerate() {
        set_address(&college, *id, &format!("s{n}@students.example")).await;
    }
    college
        .write(
            "UPDATE person SET primary_email = 'k.lund@college.example' WHERE id = $1",
            [college.manager.person_id.into()],
        )
        .await;
    (college, people)
}

fn quick() -> MailSettings {
    MailSettings { from: "Northfield College <docket@college.example>".parse().unwrap(), ..MailSettings::default() }
}

async fn set_address(college: &College, id: PersonId, address: &str) {
    let sql = "UPDATE person SET primary_email = $1 WHERE id = $2";
    college.write(sql, [address.into(), id.into()]).await;
}

fn email() -> Action {
    written(WrittenEmail {
        subject: "Four slots",
        body: "Hello {first name | there},\n\nsee you.",
        recipients: Some(Recipients::Primary),
        ..WrittenEmail::default()
    })
}

fn written(written: WrittenEmail) -> Action {
    Action::email(written).unwrap()
}

/// Submits it, lets the hold pass and runs what is due, until nothing is due any more.
async fn send(college: &College, action: Action, people: &[PersonId]) -> TaskId {
    let target = Target::People(people.to_vec());
    let id = college.submit(&college.manager, action, target, people.len() as u64).await.unwrap().id;
    college.test.clock.advance(Duration::from_secs(61));
    college.run().await;
    id
}

/// Waits out what was put off.
async fn let_deferred_pass(college: &College) {
    for _ in 0..8 {
        college.test.clock.advance(Duration::from_secs(5 * 3_600));
        college.run().await;
    }
}

fn by_recipient(sink: &SmtpSink) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for taken in sink.taken().unwrap() {
        for to in taken.to {
            *counts.entry(to).or_default() += 1;
        }
    }
    counts
}

async fn counts(college: &College, id: TaskId) -> (u64, u64, u64, u64) {
    let row = college.caseload.tasks().row(&college.manager, id).await.unwrap();
    assert_eq!(row.treated() + row.open(), row.total.unwrap());
    (row.succeeded, row.skipped, row.failed, row.uncertain)
}
