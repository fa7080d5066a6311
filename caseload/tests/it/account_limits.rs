//! Nobody takes more than their share: at each limit of an account, what is refused and what makes room.

use std::time::Duration;

use caseload::{
    Limits, NewToken,
    mail::{Mail, MailSettings},
};
use model::{
    Action, ListLook, PeopleQuery, PersonId, Problem, ProgramStatus, SelectionRequest, Target,
    account::TokenScope,
    admin::{AdminTaskQuery, BulkVerb},
    composer::{DraftSeen, Typed},
};
use testkit::{On, SmtpSink};

use crate::college::{College, everyone, set, with_status};

testkit::on_both!(
    a_task_beyond_those_that_may_wait_is_refused_with_what_to_do,
    of_five_submits_at_once_no_more_get_in_than_may_wait,
    self_tests_do_not_count_as_waiting,
    a_newer_preview_takes_the_place_of_the_oldest_and_of_its_people,
    a_newer_check_of_many_tasks_takes_the_place_of_the_oldest,
    views_beyond_those_that_may_be_saved_are_refused,
    a_newer_selection_takes_the_place_of_the_one_left_longest,
    drafts_put_aside_make_room_and_templates_are_refused,
    of_five_tokens_at_once_no_more_are_made_than_one_account_may_have,
    test_messages_are_counted_by_the_hour,
    a_page_of_ids_that_is_none_is_not_read,
);

async fn college(on: On, students: u64, limits: Limits) -> College {
    College::within(on, students, Mail::none(), limits).await
}

fn change() -> Action {
    set(ProgramStatus::Inactive)
}

/// What a refusal at a limit says: the limit, and how many.
fn limit(problem: &Problem) -> (u16, &str, Option<&str>) {
    (problem.status, problem.code.as_str(), problem.more.get("limit").and_then(|limit| limit.as_str()))
}

const WAITING: (u16, &str, Option<&str>) = (429, "limit_reached", Some("limits.waiting_tasks"));

async fn a_task_beyond_those_that_may_wait_is_refused_with_what_to_do(on: On) {
    let c = college(on, 4, Limits { waiting_tasks: 2, ..Limits::default() }).await;
    let person = Target::People(vec![c.students(&c.manager).await[0]]);
    for _ in 0..2 {
        c.submit(&c.manager, change(), person.clone(), 1).await.unwrap();
    }
    let refused = c.submit(&c.manager, change(), person.clone(), 1).await.unwrap_err();
    assert_eq!(limit(&refused), WAITING);
    assert!(refused.detail.contains("2 tasks waiting") && refused.detail.contains("Cancel"), "{}", refused.detail);
    assert_eq!(c.count("SELECT COUNT(*) FROM queued_task", []).await, 2, "nothing is left of it");
    c.submit(&c.administrator, change(), person.clone(), 1).await.unwrap();
    c.run().await;
    c.submit(&c.manager, change(), person, 1).await.unwrap();
}

async fn of_five_submits_at_once_no_more_get_in_than_may_wait(on: On) {
    let c = college(on, 4, Limits { waiting_tasks: 2, ..Limits::default() }).await;
    let person = Target::People(vec![c.students(&c.manager).await[0]]);
    let submit = || c.submit(&c.manager, change(), person.clone(), 1);
    let (a, b, c2, d, e) = tokio::join!(submit(), submit(), submit(), submit(), submit());
    let taken = [a, b, c2, d, e].iter().filter(|submitted| submitted.is_ok()).count();
    assert_eq!((taken, c.count("SELECT COUNT(*) FROM queued_task", []).await), (2, 2));
}

async fn self_tests_do_not_count_as_waiting(on: On) {
    let c = college(on, 4, Limits { waiting_tasks: 1, ..Limits::default() }).await;
    let five = caseload::SelfTestRequest { count: Some(5), ..caseload::SelfTestRequest::default() };
    assert_eq!(c.caseload.actions().self_test(&c.administrator, five).await.unwrap().len(), 5);
    let person = Target::People(vec![c.students(&c.manager).await[0]]);
    c.submit(&c.administrator, change(), person, 1).await.unwrap();
}

async fn a_newer_preview_takes_the_place_of_the_oldest_and_of_its_people(on: On) {
    let c = college(on, 10, Limits { previews: 3, ..Limits::default() }).await;
    let mut tokens = Vec::new();
    let theirs = c.caseload.actions().preview(&c.coach, change(), Target::Everyone).await.unwrap();
    for _ in 0..5 {
        tokens.push(c.caseload.actions().preview(&c.manager, change(), Target::Everyone).await.unwrap().preview_token);
    }
    for (token, kept) in tokens.iter().zip([false, false, true, true, true]) {
        assert_eq!(c.caseload.actions().preview_kept(&c.manager, *token).await.is_ok(), kept);
        let people = c.count("SELECT COUNT(*) FROM task_person WHERE task_id = $1", [(*token).into()]).await;
        assert_eq!(people, if kept { 10 } else { 0 });
    }
    assert!(
        c.caseload.actions().preview_kept(&c.coach, theirs.preview_token).await.is_ok(),
        "a share is an account's own"
    );
}

async fn a_newer_check_of_many_tasks_takes_the_place_of_the_oldest(on: On) {
    let c = college(on, 1, Limits { previews: 2, ..Limits::default() }).await;
    for _ in 0..4 {
        c.caseload.admin().preview_bulk(&c.administrator, BulkVerb::Retry, &AdminTaskQuery::default()).await.unwrap();
        c.test.clock.advance(Duration::from_secs(1));
    }
    assert_eq!(c.count("SELECT COUNT(*) FROM bulk_preview", []).await, 2);
}

async fn views_beyond_those_that_may_be_saved_are_refused(on: On) {
    let c = college(on, 0, Limits { views: 2, ..Limits::default() }).await;
    let save = async |name| {
        c.caseload
            .views()
            .save(&c.coach, name, PeopleQuery::default(), &ListLook::default())
            .await
            .map_err(Problem::from)
    };
    for name in ["a", "b"] {
        save(name).await.unwrap();
    }
    let refused = save("c").await.unwrap_err();
    assert_eq!(limit(&refused), (429, "limit_reached", Some("limits.saved_views")));
    assert!(refused.message_for("name").unwrap().contains("Delete one"), "{refused}");
    assert_eq!(c.caseload.views().list(&c.coach).await.unwrap().len(), 2);
}

async fn a_newer_selection_takes_the_place_of_the_one_left_longest(on: On) {
    let c = college(on, 2, Limits { selections: 2, ..Limits::default() }).await;
    let mut tokens = Vec::new();
    for _ in 0..3 {
        if let Some(first) = tokens.first() {
            c.caseload.selections().hold_on_to(&c.manager, *first).await.unwrap();
        }
        c.test.clock.advance(Duration::from_secs(1));
        tokens.push(c.caseload.selections().select_matching(&c.manager, everyone()).await.unwrap().token);
    }
    let mut kept = Vec::new();
    for token in &tokens {
        kept.push(c.caseload.selections().get(&c.manager, *token, &[]).await.is_ok());
    }
    assert_eq!(kept.iter().filter(|kept| **kept).count(), 2);
    assert!(kept[2], "the newest stays");
    c.caseload.selections().select_matching(&c.coach, with_status(ProgramStatus::Active)).await.unwrap();
}

fn typed(body: &str) -> Typed {
    Typed { subject: "S".to_owned(), body: body.to_owned(), to: "PRIMARY".to_owned(), ..Typed::default() }
}

async fn drafts_put_aside_make_room_and_templates_are_refused(on: On) {
    let c = college(on, 1, Limits { drafts: 2, templates: 1, ..Limits::default() }).await;
    let (caseload, manager) = (&c.caseload, &c.manager);
    for text in ["first", "second", "third", "fourth"] {
        c.test.clock.advance(Duration::from_secs(1));
        // Each page knows of no other, so each finds another draft and puts it aside.
        caseload
            .emails()
            .put_draft(manager, &typed(text), DraftSeen { revision: None, next: queue::new_id() })
            .await
            .unwrap();
    }
    let mut texts = Vec::new();
    for template in caseload.emails().templates(manager).await.unwrap() {
        texts.push(caseload.emails().use_template(manager, template.id, Typed::default()).await.unwrap().body);
    }
    texts.sort();
    assert_eq!(texts, ["second", "third"], "the newest two beside the draft itself");
    caseload.emails().save_template(manager, "Slots", &typed("a")).await.unwrap();
    caseload.emails().save_template(manager, "Slots", &typed("b")).await.unwrap();
    let refused = Problem::from(caseload.emails().save_template(manager, "More", &typed("c")).await.unwrap_err());
    assert_eq!(limit(&refused), (429, "limit_reached", Some("limits.templates")));
    assert!(refused.message_for("templateName").unwrap().contains("Delete one"), "{refused}");
}

async fn of_five_tokens_at_once_no_more_are_made_than_one_account_may_have(on: On) {
    let c = college(on, 0, Limits { tokens: 2, ..Limits::default() }).await;
    let issue = || c.caseload.by_command().issue_for("coach", NewToken::new("reports", TokenScope::Read));
    let (a, b, c2, d, e) = tokio::join!(issue(), issue(), issue(), issue(), issue());
    let taken = [a, b, c2, d, e].iter().filter(|issued| issued.is_ok()).count();
    assert_eq!((taken, c.count("SELECT COUNT(*) FROM access_token", []).await), (2, 2));
    let refused = issue().await.unwrap_err().into();
    assert_eq!(limit(&refused), (429, "limit_reached", Some("limits.tokens")));
    let held = c.caseload.tokens().list(&c.coach).await.unwrap();
    c.caseload.tokens().revoke_own(&c.coach, held[0].id).await.unwrap();
    issue().await.unwrap();
}

async fn test_messages_are_counted_by_the_hour(on: On) {
    let sink = SmtpSink::start().unwrap();
    let mail = MailSettings {
        smtp_url: Some(sink.url()),
        from: "Northfield College <docket@college.example>".parse().unwrap(),
        ..MailSettings::default()
    };
    let c = College::within(on, 1, Mail::new(mail).unwrap(), Limits { test_mails: 2, ..Limits::default() }).await;
    let own = "UPDATE person SET primary_email = 'k.lund@college.example' WHERE id = $1";
    c.write(own, [c.manager.person_id.into()]).await;
    let test = async || c.caseload.emails().send_test(&c.manager, &typed("Hello"), None).await.map_err(Problem::from);
    test().await.unwrap();
    c.test.clock.advance(Duration::from_secs(600));
    test().await.unwrap();
    let refused = test().await.unwrap_err();
    assert_eq!(limit(&refused), (429, "limit_reached", Some("limits.test_mails_per_hour")));
    assert_eq!(refused.more["retryAfter"], 3_000);
    assert!(refused.detail.contains("in 50 minutes"), "{}", refused.detail);
    assert_eq!(sink.taken().unwrap().len(), 2, "nothing was sent for the third");
    c.test.clock.advance(Duration::from_secs(3_001));
    test().await.unwrap();
}

async fn a_page_of_ids_that_is_none_is_not_read(on: On) {
    let c = college(on, 1, Limits::default()).await;
    let many = |number: u128| (0..number).map(|id| PersonId::from_u128(id).to_string()).collect::<Vec<_>>().join(",");
    let request = |number| SelectionRequest { token: None, shown: many(number), ticked: many(number) };
    let whole = c.caseload.selections().select_shown(&c.manager, &request(200)).await.unwrap();
    assert_eq!((whole.count, whole.ticked.len()), (200, 200));
    let refused = Problem::from(c.caseload.selections().select_shown(&c.manager, &request(50_000)).await.unwrap_err());
    assert_eq!((refused.errors[0].field.as_str(), refused.errors[0].code.as_str()), ("shown", "too_long"));
}
