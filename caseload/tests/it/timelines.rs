//! What happened to a person, as one list: what is in it, for whom, and how it is read on.

use model::{
    Action, Cursor, Instant, Outcome, PersonId, Problem, ProgramStatus, Submission, Target,
    action::AlertReason,
    submission::SubmitSource,
    timeline::{Happened, Timeline, TimelineKind, TimelineQuery},
};
use testkit::On;

use crate::{
    college::{College, set},
    watching::WATCH,
};

testkit::on_both!(
    what_happened_is_one_list_newest_first,
    what_was_put_back_is_told_once,
    every_entry_is_on_one_page_whatever_happened_at_one_moment,
    tasks_of_others_are_no_link_and_whoever_is_out_of_reach_has_no_timeline,
    a_place_that_was_made_up_is_no_page,
);

async fn read(c: &College, actor: &caseload::Actor, id: PersonId, only: Option<TimelineKind>) -> Timeline {
    c.caseload.people().timeline(actor, id, &TimelineQuery { only, after: None }).await.unwrap()
}

async fn what_happened_is_one_list_newest_first(on: On) {
    let c = College::of(on, 6).await;
    let id = c.students(&c.coach).await[0];
    let act = async |action: Action| {
        c.submit(&c.coach, action, Target::People(vec![id]), 1).await.unwrap();
        c.run().await;
        c.test.clock.advance(std::time::Duration::from_secs(60));
    };
    act(set(ProgramStatus::Inactive)).await;
    act(set(ProgramStatus::Inactive)).await;
    act(Action::early_alert("ATTENDANCE", "three weeks in a row").unwrap()).await;
    act(WATCH).await;
    let told = read(&c, &c.coach, id, None).await;
    assert_eq!(told.next, None);
    let dates: Vec<Instant> = told.entries.iter().map(|entry| entry.date).collect();
    assert!(dates.is_sorted_by(|one, other| one >= other), "{dates:?}");
    let what: Vec<&Happened> = told.entries.iter().map(|entry| &entry.what).collect();
    let [watched, alert, skipped, changed, rest @ ..] = &what[..] else { panic!("{what:?}") };
    assert_eq!(**watched, Happened::Watched);
    let comment = Some("three weeks in a row".to_owned());
    assert_eq!(**alert, Happened::Alert { reason: AlertReason::Attendance, comment });
    let Happened::Task { outcome: Outcome::Skipped, reason, .. } = skipped else { panic!("{skipped:?}") };
    assert_eq!(reason.as_deref(), Some("already Inactive"));
    let Happened::Status { before, after, .. } = changed else { panic!("{changed:?}") };
    assert_eq!((*before, *after), (Some(ProgramStatus::Active), ProgramStatus::Inactive));
    // How they began: of what they were before nothing is known.
    assert!(rest.iter().any(|what| matches!(what, Happened::Status { before: None, .. })), "{rest:?}");
    assert!(rest.iter().any(|what| **what == Happened::Added), "{rest:?}");
    assert_eq!(told.entries[3].by_name.as_deref(), Some(c.coach.name.as_str()));
    assert!(told.entries[..4].iter().all(|entry| entry.task_id.is_some()));
    let alone = read(&c, &c.coach, id, Some(TimelineKind::Status)).await;
    assert_eq!(alone.entries.len(), 2);
    assert_eq!(read(&c, &c.coach, id, Some(TimelineKind::Coach)).await, Timeline::default());
}

/// Beside the status that came back stood the task that had put it back.
async fn what_was_put_back_is_told_once(on: On) {
    let c = College::of(on, 6).await;
    let id = c.students(&c.coach).await[0];
    let task = c.submit(&c.coach, set(ProgramStatus::Inactive), Target::People(vec![id]), 1).await.unwrap().id;
    c.run().await;
    c.test.clock.advance(std::time::Duration::from_secs(60));
    let by_program = Submission { confirm_total: None, ..Submission::from_source(SubmitSource::Program) };
    c.caseload.tasks().undo(&c.coach, task, by_program).await.unwrap();
    c.run().await;
    let told = read(&c, &c.coach, id, None).await.entries;
    assert!(matches!(told[0].what, Happened::Status { after: ProgramStatus::Active, .. }), "{told:?}");
    assert!(matches!(told[1].what, Happened::Status { after: ProgramStatus::Inactive, .. }), "{told:?}");
    assert_eq!((told[0].is_undo, told[1].is_undo), (true, false), "what came back is told as such");
    let others = read(&c, &c.manager, id, None).await.entries;
    assert!(others[0].is_undo, "to whoever reads it");
}

async fn every_entry_is_on_one_page_whatever_happened_at_one_moment(on: On) {
    let c = College::of(on, 4).await;
    let id = c.students(&c.coach).await[0];
    let task = c.submit(&c.coach, set(ProgramStatus::Inactive), Target::People(vec![id]), 1).await.unwrap().id;
    c.run().await;
    // SQLite has each of these moments as a text of another length.
    for moment in ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.120Z", "2026-01-02T00:00:00.123456Z"] {
        let at: Instant = moment.parse().unwrap();
        let numbers = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 30)";
        let (by, task) = (c.coach.person_id.into(), task.into());
        let journal = format!(
            "INSERT INTO journal_entry (person_id, entry, created_date, created_by, task_id)
             {numbers} SELECT $1, 'Called', $2, $3, $4 FROM numbers"
        );
        c.write(&journal, [id.into(), at.into(), by, task]).await;
        let (by, task) = (c.coach.person_id.into(), c.coach.person_id.uuid().into());
        let alerts = format!(
            "INSERT INTO early_alert (person_id, alert_reason, created_date, created_by, task_id)
             {numbers} SELECT $1, 'OTHER', $2, $3, $4 FROM numbers"
        );
        c.write(&alerts, [id.into(), at.into(), by, task]).await;
    }
    let (mut keys, mut dates, mut after, mut pages) = (Vec::new(), Vec::new(), None, 0);
    loop {
        let query = TimelineQuery { only: None, after };
        let part = c.caseload.people().timeline(&c.coach, id, &query).await.unwrap();
        assert!(part.entries.len() <= 50);
        dates.extend(part.entries.iter().map(|entry| entry.date));
        keys.extend(part.entries.into_iter().map(|entry| entry.key));
        (after, pages) = (part.next, pages + 1);
        if after.is_none() {
            break;
        }
    }
    // Beside those of above: how they came, how they began, and the change.
    assert_eq!((keys.len(), pages), (183, 4));
    assert!(dates.is_sorted_by(|one, other| one >= other));
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 183);
    let query = TimelineQuery { only: Some(TimelineKind::Journal), after: None };
    let first = c.caseload.people().timeline(&c.coach, id, &query).await.unwrap();
    assert!(first.entries.iter().all(|entry| entry.what == Happened::Journal("Called".to_owned())));
    let rest = TimelineQuery { after: first.next, ..query };
    assert_eq!(c.caseload.people().timeline(&c.coach, id, &rest).await.unwrap().entries.len(), 40);
}

async fn tasks_of_others_are_no_link_and_whoever_is_out_of_reach_has_no_timeline(on: On) {
    let c = College::of(on, 4).await;
    let id = c.students(&c.coach).await[0];
    for status in [ProgramStatus::Inactive, ProgramStatus::Inactive] {
        c.submit(&c.manager, set(status), Target::People(vec![id]), 1).await.unwrap();
        c.run().await;
    }
    let kinds =
        |told: &Timeline| told.entries.iter().filter(|entry| matches!(entry.what, Happened::Task { .. })).count();
    let by_manager = read(&c, &c.manager, id, None).await;
    let by_coach = read(&c, &c.coach, id, None).await;
    assert_eq!((kinds(&by_manager), kinds(&by_coach)), (1, 0), "a task that one may not see");
    let [.., changed, _, _] = &by_coach.entries[..] else { panic!("{by_coach:?}") };
    assert_eq!((changed.by_name.as_deref(), changed.task_id), (Some(c.manager.name.as_str()), None));
    assert!(by_manager.entries.iter().any(|entry| entry.key == changed.key && entry.task_id.is_some()));
    let hidden = c.caseload.people().timeline(&c.other_coach, id, &TimelineQuery::default()).await.unwrap_err();
    assert_eq!(Problem::from(hidden).status, 404);
}

async fn a_place_that_was_made_up_is_no_page(on: On) {
    let c = College::of(on, 4).await;
    let id = c.students(&c.coach).await[0];
    let encoded = |place: &str| {
        use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
        URL_SAFE_NO_PAD.encode(place)
    };
    for place in [
        "x".to_owned(),
        encoded(r#"["+262000-01-01T00:00:00Z","Status","1"]"#),
        encoded(r#"["-0009-01-01T00:00:00Z","Status","1"]"#),
        encoded(r#"["2026-01-01T00:00:00Z","Status","one"]"#),
        encoded(r#"["2026-01-01T00:00:00Z","Email","1"]"#),
        encoded(r#"["2026-01-01T00:00:00Z","Nothing","1"]"#),
    ] {
        let query = TimelineQuery { only: None, after: Some(Cursor::after(&place)) };
        let refused = Problem::from(c.caseload.people().timeline(&c.coach, id, &query).await.unwrap_err());
        assert_eq!((refused.status, refused.errors[0].field.as_str()), (400, "after"), "{place}");
    }
}
