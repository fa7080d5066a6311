//! Tasks as staff see them.

use caseload::SelfTestRequest;
use chrono::TimeDelta;
use model::{
    Cursor, LedgerQuery, Outcome, PeopleQuery, Problem, ProgramStatus, Sort, Submission, Target, TaskId, TaskQuery,
    TaskState,
    admin::{AdminTaskQuery, Window},
    ledger::LedgerSort,
    short_id,
    submission::SubmitSource,
    task::TaskScope,
};
use testkit::On;

use crate::college::{College, set};

testkit::on_both!(
    cancelling_leaves_the_rest_not_reached,
    lists_are_of_ones_own_tasks_unless_one_may_read_all,
    what_was_looked_at_first_and_submitted_last_is_at_the_top,
    a_failed_task_goes_on_after_a_retry,
    live_rows_go_to_those_who_may_see_the_task,
    a_finished_task_says_why_people_were_skipped_and_how_long_it_is_kept,
    a_task_is_found_by_the_short_id_that_is_shown,
    a_task_is_found_by_what_it_is_called_and_by_nobody_else,
    a_task_that_was_stopped_by_its_deadline_says_so,
    a_ledger_is_sorted_by_each_column_page_by_page,
    what_a_task_waits_for_is_what_keeps_it,
);

async fn a_task_is_found_by_what_it_is_called_and_by_nobody_else(on: On) {
    let c = College::of(on, 20).await;
    let people = c.students(&c.coach).await;
    let inactive =
        c.submit(&c.coach, set(ProgramStatus::Inactive), Target::People(people.clone()), 10).await.unwrap().id;
    let no_show = c.submit(&c.coach, set(ProgramStatus::NoShow), Target::People(people), 10).await.unwrap().id;
    let called = async |actor, words: &str| {
        let rows = c.caseload.tasks().called(actor, words, 5).await.unwrap();
        rows.into_iter().map(|row| row.id).collect::<Vec<_>>()
    };
    assert_eq!(called(&c.coach, "  STATUS inactive").await, [inactive]);
    assert_eq!(called(&c.coach, "status").await, [no_show, inactive], "the latest first");
    assert_eq!(called(&c.coach, &short_id(inactive)).await, [inactive]);
    assert_eq!(called(&c.coach, &inactive.to_string()).await, [inactive]);
    assert_eq!(called(&c.coach, " ").await, []);
    assert_eq!(called(&c.coach, "50% of nothing").await, []);
    for words in ["status".to_owned(), short_id(inactive), inactive.to_string()] {
        assert_eq!(called(&c.other_coach, &words).await, [], "{words}");
    }
    assert_eq!(called(&c.manager, &inactive.to_string()).await, [inactive], "who may see it finds it by its whole id");
    assert_eq!(c.caseload.tasks().called(&c.coach, "status", 1).await.unwrap().len(), 1);
}

async fn a_task_is_found_by_the_short_id_that_is_shown(on: On) {
    let c = College::of(on, 0).await;
    let request = SelfTestRequest { count: Some(3), ..SelfTestRequest::default() };
    let tasks = c.caseload.actions().self_test(&c.administrator, request).await.unwrap();
    let named = async |name: &str| c.caseload.tasks().find_by_name(&c.administrator, name.parse().unwrap()).await;
    for id in tasks.iter().map(|task| task.id) {
        assert_eq!(named(&short_id(id)).await.unwrap(), id);
        assert_eq!(named(&short_id(id).to_uppercase()).await.unwrap(), id);
        assert_eq!(named(&id.to_string()).await.unwrap(), id);
        let theirs = c.caseload.tasks().find_by_name(&c.coach, short_id(id).parse().unwrap()).await;
        assert_eq!(Problem::from(theirs.unwrap_err()).status, 404, "somebody else's is not there");
    }
    assert_eq!(Problem::from(named("00000000").await.unwrap_err()).status, 404);
    // Two of one short id: the beginnings of ids differ, and the end is the same.
    let twin = TaskId::from_u128((7 << 32) | (tasks[0].id.uuid().as_u128() & u128::from(u32::MAX)));
    c.write("UPDATE queued_task SET id = $1 WHERE id = $2", [twin.into(), tasks[1].id.into()]).await;
    assert_eq!(Problem::from(named(&short_id(twin)).await.unwrap_err()).code, "ambiguous");
}

async fn a_task_that_was_stopped_by_its_deadline_says_so(on: On) {
    let c = College::of(on, 2).await;
    let task = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::Everyone, 2).await.unwrap().id;
    let says = async |stored: &str| {
        let sql = "UPDATE queued_task SET workflow_status = 'FAILURE', workflow_status_desc = $1 WHERE id = $2";
        c.write(sql, [stored.into(), task.into()]).await;
        c.caseload.tasks().get(&c.manager, task).await.unwrap().row.trouble.unwrap()
    };
    for code in ["deadline", "process_died", "unwritable"] {
        let words = says(&format!("{code}: told to administrators")).await;
        assert!(!words.contains("went wrong") && words != model::error_code::UNKNOWN, "{code}: {words}");
    }
    assert_eq!(says("of_the_future: who knows").await, model::error_code::UNKNOWN);
}

async fn a_finished_task_says_why_people_were_skipped_and_how_long_it_is_kept(on: On) {
    let c = College::of(on, 10).await;
    c.write(
        "UPDATE person SET activated = FALSE WHERE id IN (SELECT id FROM person WHERE student ORDER BY id LIMIT 2)",
        [],
    )
    .await;
    let task = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::Everyone, 10).await.unwrap().id;
    let waiting = c.caseload.tasks().get(&c.manager, task).await.unwrap();
    assert_eq!((waiting.reasons, waiting.kept_until), (vec![], None));
    c.run().await;
    let done = c.caseload.tasks().get(&c.manager, task).await.unwrap();
    let told: Vec<_> = done.reasons.iter().map(|why| (why.outcome, why.label.as_str(), why.count)).collect();
    assert_eq!(told, [(Outcome::Skipped, "not activated", 2)]);
    assert_eq!(done.kept_until, done.row.stopped_date.map(|at| at + TimeDelta::days(90)));
}

async fn cancelling_leaves_the_rest_not_reached(on: On) {
    let c = College::of(on, 10).await;
    let task = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::Everyone, 10).await.unwrap().id;
    c.caseload.tasks().abandon(&c.manager, task, Some("a mistake")).await.unwrap();
    c.run().await;
    let detail = c.caseload.tasks().get(&c.manager, task).await.unwrap();
    assert_eq!((detail.row.state, detail.row.open()), (TaskState::Cancelled, 10));
    assert_eq!(detail.timeline[0].text, "Cancelled by Katrin Lund: a mistake");
    assert_eq!((detail.row.can_retry, detail.row.can_abandon), (false, false));
    let again = Problem::from(c.caseload.tasks().abandon(&c.manager, task, None).await.unwrap_err());
    assert_eq!((again.status, again.more["currentStatus"].as_str()), (409, Some("ABANDONED")));
    assert_eq!(c.count("SELECT COUNT(*) FROM audit WHERE action = 'task.abandon'", []).await, 1);
    // Beside the state nobody has to read again what they did themselves.
    let own = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::Everyone, 10).await.unwrap().id;
    c.caseload.tasks().abandon(&c.manager, own, None).await.unwrap();
    assert_eq!(c.caseload.tasks().row(&c.manager, own).await.unwrap().line, None);
    assert_eq!(c.caseload.tasks().row(&c.administrator, own).await.unwrap().line.as_deref(), Some("By Katrin Lund"));
}

async fn lists_are_of_ones_own_tasks_unless_one_may_read_all(on: On) {
    let c = College::of(on, 10).await;
    c.submit(&c.manager, set(ProgramStatus::Inactive), Target::Everyone, 10).await.unwrap();
    c.submit(&c.coach, set(ProgramStatus::Active), Target::Everyone, 5).await.unwrap();
    let list = async |actor, scope| c.caseload.tasks().list(actor, &TaskQuery { scope, ..TaskQuery::default() }).await;
    assert_eq!(list(&c.coach, TaskScope::Mine).await.unwrap().items.len(), 1);
    assert_eq!(Problem::from(list(&c.coach, TaskScope::All).await.unwrap_err()).status, 403);
    let all = list(&c.manager, TaskScope::All).await.unwrap();
    assert_eq!(
        all.items.iter().map(|row| row.owner_name.as_str()).collect::<Vec<_>>(),
        ["Paul Nwachukwu", "Katrin Lund"]
    );
    assert_eq!(all.items.iter().map(|row| row.position).collect::<Vec<_>>(), [Some(2), Some(1)]);
    assert_eq!((all.items[1].title.as_str(), all.items[1].label.as_str()), ("Set status to Inactive", "Waiting"));
}

/// Two minutes of choosing who, before somebody else looked and submitted at once.
async fn what_was_looked_at_first_and_submitted_last_is_at_the_top(on: On) {
    let c = College::of(on, 10).await;
    let looked =
        c.caseload.actions().preview(&c.manager, set(ProgramStatus::Inactive), Target::Everyone).await.unwrap();
    std::thread::sleep(std::time::Duration::from_millis(3));
    let other = c.submit(&c.coach, set(ProgramStatus::Active), Target::Everyone, 5).await.unwrap().id;
    let confirmed = Submission {
        preview: Some(looked.preview_token),
        everyone_confirmed: true,
        confirm_total: Some(looked.total),
        ..Submission::from_source(SubmitSource::Program)
    };
    let late = c.caseload.actions().submit(&c.manager, confirmed).await.unwrap().id;
    assert!(late < other, "its id is of the preview");
    let all = TaskQuery { scope: TaskScope::All, ..TaskQuery::default() };
    let ids = async |query: &TaskQuery| -> Vec<TaskId> {
        c.caseload.tasks().list(&c.manager, query).await.unwrap().items.iter().map(|row| row.id).collect()
    };
    assert_eq!(ids(&all).await, [late, other]);
    let admin = AdminTaskQuery { window: Some(Window::Hour), ..AdminTaskQuery::default() };
    let page = c.caseload.admin().task_list(&c.administrator, &admin).await.unwrap().items;
    assert_eq!(page.iter().map(|row| row.row.id).collect::<Vec<_>>(), [late, other]);
    assert_eq!(c.caseload.admin().newer_tasks(&c.administrator, &admin, other).await.unwrap(), 1, "one is new");
    let first = c.caseload.tasks().list(&c.manager, &TaskQuery { limit: Some(1), ..all.clone() }).await.unwrap();
    assert_eq!(ids(&TaskQuery { after: first.next, ..all.clone() }).await, [other]);
    // What was given out before was the id of the last task of its page.
    assert_eq!(ids(&TaskQuery { after: Some(Cursor::after(late)), ..all.clone() }).await, [other]);
    for odd in ["", "17", "x'); --"] {
        let query = TaskQuery { after: Some(Cursor::after(odd)), ..all.clone() };
        let refused = Problem::from(c.caseload.tasks().list(&c.manager, &query).await.unwrap_err());
        assert_eq!((refused.status, refused.errors[0].field.as_str()), (400, "after"), "{odd}");
    }
}

async fn a_failed_task_goes_on_after_a_retry(on: On) {
    let c = College::of(on, 10).await;
    let task = c.submit(&c.coach, set(ProgramStatus::Inactive), Target::Everyone, 5).await.unwrap().id;
    c.write("UPDATE account SET permissions = '[]' WHERE username = 'coach'", []).await;
    c.run().await;
    let row = c.caseload.tasks().get(&c.coach, task).await.unwrap().row;
    assert_eq!((row.state, row.can_retry, row.can_abandon), (TaskState::Failed, true, true));
    assert_eq!(c.count("SELECT COUNT(*) FROM audit WHERE action = 'task.dead'", []).await, 1);
    c.write("UPDATE account SET permissions = '[\"program_status\"]' WHERE username = 'coach'", []).await;
    c.caseload.tasks().retry(&c.coach, task, None).await.unwrap();
    c.run().await;
    let row = c.caseload.tasks().get(&c.coach, task).await.unwrap().row;
    assert_eq!((row.state, row.succeeded, row.trouble), (TaskState::Done, 5, None));
}

async fn live_rows_go_to_those_who_may_see_the_task(on: On) {
    let c = College::of(on, 0).await;
    let mut changes = c.caseload.queue().changes();
    let request = SelfTestRequest { chunks: Some(3), ..SelfTestRequest::default() };
    assert_eq!(
        Problem::from(c.caseload.actions().self_test(&c.manager, request.clone()).await.unwrap_err()).status,
        403
    );
    c.caseload.actions().self_test(&c.administrator, request).await.unwrap();
    c.run().await;
    let mut last = None;
    while let Some(queue::TaskChange::Task(change)) = changes.try_recv() {
        assert!(c.caseload.tasks().live_row(&c.coach, &change).await.unwrap().is_none());
        assert!(c.caseload.tasks().live_row(&c.manager, &change).await.unwrap().is_some());
        last = c.caseload.tasks().live_row(&c.administrator, &change).await.unwrap();
    }
    let last = last.unwrap();
    assert_eq!((last.state, last.succeeded, last.title.as_str()), (TaskState::Done, 3, "Self-test"));
}

async fn a_ledger_is_sorted_by_each_column_page_by_page(on: On) {
    let c = College::of(on, 60).await;
    let ids = c.students(&c.manager).await;
    c.set_status(&ids[..20], ProgramStatus::Inactive).await;
    let task = c.submit(&c.manager, set(ProgramStatus::Inactive), Target::Everyone, 60).await.unwrap().id;
    c.run().await;
    let sorted = async |sort: Option<LedgerSort>| {
        let (mut lines, mut after) = (Vec::new(), None);
        loop {
            let query = LedgerQuery { sort, after, limit: Some(25), ..LedgerQuery::default() };
            let page = c.caseload.tasks().ledger(&c.manager, task, &query).await.unwrap();
            lines.extend(page.items);
            after = page.next;
            if after.is_none() {
                return lines;
            }
        }
    };
    let all: Vec<i64> = sorted(None).await.iter().map(|line| line.position).collect();
    assert!(all.is_sorted() && all.len() == 60, "in the order of treatment");
    for sort in LedgerSort::ALL {
        let lines = sorted(Some(*sort)).await;
        let mut positions: Vec<i64> = lines.iter().map(|line| line.position).collect();
        positions.sort_unstable();
        assert_eq!(positions, all, "{sort}: everybody once");
    }
    // As the list of people has them.
    let query = PeopleQuery { sort: Some(Sort::NAME), limit: Some(200), ..PeopleQuery::default() };
    let people = c.caseload.people().list(&c.manager, &query).await.unwrap().items;
    let by_name: Vec<_> = people.iter().map(|row| Some(row.id)).collect();
    let found = sorted(Some(LedgerSort::Name)).await.iter().map(|line| line.person_id).collect::<Vec<_>>();
    assert_eq!(found, by_name);
    let school_ids = async |sort| sorted(Some(sort)).await.into_iter().map(|line| line.school_id).collect::<Vec<_>>();
    let mut turned = school_ids(LedgerSort::SchoolIdDescending).await;
    turned.reverse();
    let upwards = school_ids(LedgerSort::SchoolId).await;
    assert!(upwards.is_sorted() && upwards == turned);
    let outcomes = async |sort| sorted(Some(sort)).await[0].outcome;
    assert_eq!(outcomes(LedgerSort::Outcome).await, Some(Outcome::Skipped), "before those who are done");
    assert_eq!(outcomes(LedgerSort::OutcomeDescending).await, Some(Outcome::Done));
    let dates: Vec<_> = sorted(Some(LedgerSort::TimeDescending)).await.iter().map(|line| line.date).collect();
    assert!(dates.is_sorted_by(|a, b| a >= b));
    // What is too long is not sorted.
    c.write("UPDATE queued_task SET total = 100001 WHERE id = $1", [task.into()]).await;
    let query = LedgerQuery { sort: Some(LedgerSort::Time), ..LedgerQuery::default() };
    let refused = Problem::from(c.caseload.tasks().ledger(&c.manager, task, &query).await.unwrap_err());
    assert_eq!((refused.status, refused.errors[0].field.as_str()), (400, "sort"));
}

async fn what_a_task_waits_for_is_what_keeps_it(on: On) {
    let c = College::of(on, 10).await;
    for _ in 0..3 {
        c.submit(&c.manager, set(ProgramStatus::Inactive), Target::Everyone, 10).await.unwrap();
    }
    let said = async || {
        let rows = c.caseload.tasks().list(&c.manager, &TaskQuery::default()).await.unwrap().items;
        let mut said = Vec::new();
        for row in rows.iter().rev() {
            let own = c.caseload.tasks().get(&c.manager, row.id).await.unwrap().row;
            assert_eq!((&own.line, own.position), (&row.line, row.position), "its page says the same");
            said.push(row.line.clone().unwrap_or_default());
        }
        said
    };
    assert_eq!(said().await, ["Next in line", "Waits for 1 task before it", "Waits for 2 tasks before it"]);
    c.caseload.admin().pause_kind(&c.administrator, "program-status", "while we look").await.unwrap();
    assert_eq!(said().await, ["An administrator has paused tasks of this kind."; 3]);
}
