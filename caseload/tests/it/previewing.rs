//! Previews say what a run will do, and a submit holds to them.

use model::{
    Action, PersonId, Preview, Problem, ProgramStatus, SkipReason, Submission, Target, preview::Counted,
    submission::SubmitSource,
};
use testkit::On;

use crate::{
    college::{College, MANY, everyone, program, school_ids, set, with_status},
    watching::WATCH,
};

testkit::on_both!(
    a_preview_has_a_number_for_each_reason,
    a_drift_beyond_one_in_a_hundred_is_refused_with_the_difference,
    three_joined_and_two_left_is_said_and_the_new_set_is_accepted,
    a_drift_of_one_is_let_through_and_the_previewed_are_treated,
    above_ten_thousand_the_task_freezes_and_a_drift_stops_it,
    another_pending_action_is_warned_of,
    a_change_next_year_is_not_soon_and_whoever_it_skips_awaits_none,
    a_pending_action_on_very_many_is_warned_of_before_it_begins,
    however_many_wait_that_are_about_very_many_each_is_warned_of,
    what_is_to_come_to_people_out_of_reach_is_told_to_nobody,
    a_scheduled_action_is_warned_of,
    only_a_task_that_changes_the_same_is_warned_of_and_by_its_name,
    the_people_behind_each_number_can_be_seen,
    what_was_not_found_is_shown_as_it_was_given,
    another_row_of_the_file_is_shown_as_it_was_given,
    whoever_left_my_reach_since_is_still_behind_the_number,
);

async fn a_preview_has_a_number_for_each_reason(on: On) {
    let c = College::of(on, 20).await;
    let (mine, theirs) = (c.students(&c.coach).await, c.students(&c.other_coach).await);
    c.set_status(&mine[..2], ProgramStatus::Inactive).await;
    c.write("UPDATE person SET activated = FALSE WHERE id = $1", [mine[2].into()]).await;
    let watch = "INSERT INTO watch (watcher_id, person_id, watched_date) VALUES ($1, $2, {now})";
    c.write(watch, [c.coach.person_id.into(), theirs[0].into()]).await;
    let unknown = PersonId::from_u128(77);
    let target = Target::People([mine.clone(), vec![theirs[0], theirs[1], unknown]].concat());
    let preview = c.caseload.actions().preview(&c.coach, set(ProgramStatus::Inactive), target.clone()).await.unwrap();
    let count = |reason| preview.skipped.iter().find(|s| s.reason == reason).unwrap().count;
    assert_eq!((preview.total, preview.will_change), (13, 7));
    assert_eq!(count(SkipReason::AlreadyThere), 2);
    assert_eq!(count(SkipReason::NotActivated), 1);
    assert_eq!(count(SkipReason::OutOfReach), 1, "watched, so known");
    assert_eq!(count(SkipReason::NotFound), 2, "out of sight and not there are the same");
    assert_eq!(preview.sample.len(), 7);
    assert_eq!((preview.sample[0].now.as_str(), preview.sample[0].then.as_str()), ("Active", "Inactive"));

    let submission =
        Submission { preview: Some(preview.preview_token), ..program(set(ProgramStatus::Inactive), target) };
    let task = c.caseload.actions().submit(&c.coach, submission).await.unwrap().id;
    c.run().await;
    let ledger = c.ledger(&c.coach, task).await;
    assert_eq!(ledger.values().sum::<u64>(), 13);
    for skipped in &preview.skipped {
        let key = (Some(model::Outcome::Skipped), skipped.reason.name().to_owned());
        assert_eq!(ledger.get(&key).copied().unwrap_or_default(), skipped.count, "{}", skipped.reason);
    }
}

async fn a_drift_beyond_one_in_a_hundred_is_refused_with_the_difference(on: On) {
    let c = College::of(on, 30).await;
    let ids = c.students(&c.manager).await;
    c.set_status(&ids[..10], ProgramStatus::NoShow).await;
    let target = Target::Query { filter: with_status(ProgramStatus::NoShow), exclude: vec![] };
    let preview = c.caseload.actions().preview(&c.manager, set(ProgramStatus::Inactive), target.clone()).await.unwrap();
    assert_eq!(preview.drift_allowed, 1);
    c.set_status(&ids[10..14], ProgramStatus::NoShow).await;
    c.set_status(&ids[..3], ProgramStatus::Active).await;
    let submission =
        Submission { preview: Some(preview.preview_token), ..program(set(ProgramStatus::Inactive), target) };
    let problem = Problem::from(c.caseload.actions().submit(&c.manager, submission).await.unwrap_err());
    assert_eq!((problem.status, problem.code.as_str()), (422, "drifted"));
    assert_eq!((problem.more["joined"].as_i64(), problem.more["left"].as_i64()), (Some(4), Some(3)));
    assert!(problem.detail.contains("+4, −3"), "{}", problem.detail);
    assert_eq!(c.count("SELECT COUNT(*) FROM queued_task", []).await, 0);
}

async fn three_joined_and_two_left_is_said_and_the_new_set_is_accepted(on: On) {
    let c = College::of(on, 40).await;
    let ids = c.students(&c.manager).await;
    c.set_status(&ids[..20], ProgramStatus::NoShow).await;
    let target = Target::Query { filter: with_status(ProgramStatus::NoShow), exclude: vec![] };
    let inactive = || program(set(ProgramStatus::Inactive), target.clone());
    let preview = c.caseload.actions().preview(&c.manager, set(ProgramStatus::Inactive), target.clone()).await.unwrap();
    c.set_status(&ids[20..23], ProgramStatus::NoShow).await;
    c.set_status(&ids[..2], ProgramStatus::Active).await;
    let submission = Submission { preview: Some(preview.preview_token), ..inactive() };
    let problem = Problem::from(c.caseload.actions().submit(&c.manager, submission).await.unwrap_err());
    assert!(problem.code == "drifted" && problem.detail.contains("+3, −2"), "{}", problem.detail);
    let again = c.caseload.actions().preview(&c.manager, set(ProgramStatus::Inactive), target.clone()).await.unwrap();
    let submission = Submission { preview: Some(again.preview_token), ..inactive() };
    let task = c.caseload.actions().submit(&c.manager, submission).await.unwrap().id;
    c.run().await;
    assert_eq!(c.caseload.tasks().get(&c.manager, task).await.unwrap().row.succeeded, 21);
}

async fn a_drift_of_one_is_let_through_and_the_previewed_are_treated(on: On) {
    let c = College::of(on, 12).await;
    let ids = c.students(&c.manager).await;
    c.set_status(&ids[..5], ProgramStatus::NoShow).await;
    let target = Target::Query { filter: with_status(ProgramStatus::NoShow), exclude: vec![] };
    let preview = c.caseload.actions().preview(&c.manager, set(ProgramStatus::Inactive), target.clone()).await.unwrap();
    c.set_status(&ids[5..6], ProgramStatus::NoShow).await;
    let submission =
        Submission { preview: Some(preview.preview_token), ..program(set(ProgramStatus::Inactive), target) };
    let task = c.caseload.actions().submit(&c.manager, submission).await.unwrap().id;
    c.run().await;
    let row = c.caseload.tasks().get(&c.manager, task).await.unwrap().row;
    assert_eq!((row.total, row.succeeded), (Some(5), 5), "those who were previewed, not who matches now");
    let late =
        c.count("SELECT COUNT(*) FROM person WHERE id = $1 AND program_status = 'NO_SHOW'", [ids[5].into()]).await;
    assert_eq!(late, 1);
}

async fn above_ten_thousand_the_task_freezes_and_a_drift_stops_it(on: On) {
    let c = College::of_many(on).await;
    let target = Target::Query { filter: with_status(ProgramStatus::Active), exclude: vec![] };
    let preview =
        async || c.caseload.actions().preview(&c.manager, set(ProgramStatus::Inactive), target.clone()).await.unwrap();
    let submit = async |token| {
        let submission = Submission { preview: Some(token), ..program(set(ProgramStatus::Inactive), target.clone()) };
        c.caseload.actions().submit(&c.manager, submission).await.map_err(Problem::from)
    };
    let counted = preview().await;
    assert_eq!((counted.total, counted.frozen, counted.drift_allowed), (MANY, false, 102));
    let some = "UPDATE person SET program_status = 'NO_SHOW' WHERE id IN (
        SELECT id FROM person WHERE student AND program_status = 'ACTIVE' ORDER BY id LIMIT 60)";

    // Before the submit.
    for _ in 0..2 {
        c.write(some, []).await;
    }
    assert_eq!(submit(counted.preview_token).await.unwrap_err().code, "drifted");

    // Between the submit and the start.
    let task = submit(preview().await.preview_token).await.unwrap().id;
    for _ in 0..2 {
        c.write(some, []).await;
    }
    c.run().await;
    let row = c.caseload.tasks().get(&c.manager, task).await.unwrap().row;
    assert_eq!((row.state, row.treated()), (model::TaskState::Failed, 0));
    assert!(row.trouble.unwrap().contains("nobody was changed"));
    assert_eq!(c.count("SELECT COUNT(*) FROM person WHERE program_status = 'INACTIVE'", []).await, 0);
}

async fn another_pending_action_is_warned_of(on: On) {
    let c = College::of(on, 6).await;
    let ids = c.students(&c.manager).await;
    let first = Target::People(ids[..4].to_vec());
    let task = c.submit(&c.manager, set(ProgramStatus::Inactive), first, 4).await.unwrap().id;
    let second = Target::People(ids[2..].to_vec());
    let preview = c.caseload.actions().preview(&c.manager, set(ProgramStatus::NoShow), second).await.unwrap();
    assert_eq!(preview.pending_elsewhere, 2);
    let export = Action::export("CSV", None::<[&str; 0]>, None).unwrap();
    let exported = c.caseload.actions().preview(&c.manager, export, Target::People(ids[2..].to_vec())).await.unwrap();
    assert_eq!(exported.pending_elsewhere, 0, "an export is in nobody's way");
    assert_eq!(behind(&c, &c.manager, &preview, Some("PENDING")).await, (2, vec![]));
    let named = c.caseload.actions().pending_tasks(&c.manager, preview.preview_token).await.unwrap();
    let named: Vec<_> = named.iter().map(|named| (named.id, named.title.as_str())).collect();
    assert_eq!(named, [(task, "Set status to Inactive")]);
    let query = model::PeopleQuery { filter: everyone(), ..Default::default() };
    let page = c.caseload.people().list(&c.manager, &query).await.unwrap();
    let pending: Vec<_> = page.items.iter().filter_map(|row| row.pending.as_ref()).collect();
    assert_eq!(pending.len(), 4);
    assert_eq!((pending[0].task_id, pending[0].label.as_str()), (task, "Inactive soon"));
    assert_eq!(pending[0].start_date, None);
}

async fn a_change_next_year_is_not_soon_and_whoever_it_skips_awaits_none(on: On) {
    let c = College::of(on, 3).await;
    let ids = c.students(&c.manager).await;
    let task =
        c.submit(&c.manager, set(ProgramStatus::Inactive), Target::People(ids[..2].to_vec()), 2).await.unwrap().id;
    c.write("UPDATE queued_task SET trigger_date = {after:31536000} WHERE id = $1", [task.into()]).await;
    c.write("UPDATE person SET activated = FALSE WHERE id = $1", [ids[1].into()]).await;
    let query = model::PeopleQuery { filter: everyone(), ..Default::default() };
    let page = c.caseload.people().list(&c.manager, &query).await.unwrap();
    let pending: Vec<_> = page.items.iter().filter_map(|row| Some((row.id, row.pending.as_ref()?))).collect();
    let [(id, change)] = pending[..] else { panic!("{pending:?}") };
    assert_eq!((id, change.label.as_str()), (ids[0], "Inactive"));
    let now = c.test.db.now().await.unwrap();
    assert!(change.start_date.unwrap() > now + std::time::Duration::from_secs(300 * 86_400));
}

/// How many of these people are said to be another task's.
async fn pending(c: &College, ids: &[PersonId]) -> u64 {
    let target = Target::People(ids.to_vec());
    c.caseload.actions().preview(&c.manager, set(ProgramStatus::NoShow), target).await.unwrap().pending_elsewhere
}

async fn a_pending_action_on_very_many_is_warned_of_before_it_begins(on: On) {
    let c = College::of_many(on).await;
    let ids = c.students(&c.manager).await;
    c.set_status(&ids[..2], ProgramStatus::NoShow).await;
    // All who are active, but for one more: whoever is not among them is nobody's.
    let target = Target::Query { filter: with_status(ProgramStatus::Active), exclude: vec![ids[2]] };
    let tomorrow = c.caseload.db().now().await.unwrap() + chrono::TimeDelta::days(1);
    for trigger_date in [None, Some(tomorrow)] {
        let preview =
            c.caseload.actions().preview(&c.manager, set(ProgramStatus::Inactive), target.clone()).await.unwrap();
        assert_eq!((preview.frozen, preview.total), (false, MANY - 3));
        let submission = Submission {
            preview: Some(preview.preview_token),
            trigger_date,
            ..program(set(ProgramStatus::Inactive), target.clone())
        };
        let task = c.caseload.actions().submit(&c.manager, submission).await.unwrap().id;
        assert_eq!(pending(&c, &ids[..10]).await, 7);
        assert_eq!(pending(&c, &ids[..3]).await, 0);
        // And as many of very many.
        let all = c.caseload.actions().preview(&c.manager, set(ProgramStatus::NoShow), Target::Everyone).await.unwrap();
        assert_eq!((all.frozen, all.pending_elsewhere), (false, MANY - 3));
        let named = c.caseload.actions().pending_tasks(&c.manager, all.preview_token).await.unwrap();
        assert_eq!(named.iter().map(|named| named.id).collect::<Vec<_>>(), [task]);
        c.caseload.tasks().abandon(&c.manager, task, None).await.unwrap();
        assert_eq!(pending(&c, &ids[..10]).await, 0, "it was given up");
    }
}

async fn however_many_wait_that_are_about_very_many_each_is_warned_of(on: On) {
    let c = College::of_many(on).await;
    let ids = c.students(&c.manager).await;
    let tomorrow = c.caseload.db().now().await.unwrap() + chrono::TimeDelta::days(1);
    let schedule = async |exclude: &[PersonId]| {
        let target = Target::Query { filter: with_status(ProgramStatus::Active), exclude: exclude.to_vec() };
        let preview =
            c.caseload.actions().preview(&c.manager, set(ProgramStatus::Inactive), target.clone()).await.unwrap();
        let submission = Submission {
            preview: Some(preview.preview_token),
            trigger_date: Some(tomorrow),
            ..program(set(ProgramStatus::Inactive), target)
        };
        c.caseload.actions().submit(&c.manager, submission).await.unwrap().id
    };
    schedule(&ids[1..2]).await;
    let other = schedule(&ids[..2]).await;
    // Very many more of those who leave out both.
    let columns = "created_date, created_by, modified_date, modified_by, owner_id, run_as_id, execution_component_name,
        execution_spec, execution_state, workflow_status, trigger_date, attempt, progressed, failures, max_failures, crashes,
        rescued, priority, succeeded, skipped, failed, uncertain, held, in_line, total";
    let more = format!(
        "INSERT INTO queued_task (id, submit_order, {columns})
         WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 300)
         SELECT {{postgres:gen_random_uuid()}}{{sqlite:randomblob(16)}}, -n, {columns} FROM queued_task, numbers WHERE id = $1"
    );
    c.write(&more, [other.into()]).await;
    assert_eq!(pending(&c, &ids[..1]).await, 1, "one of them, and not one of the latest, is still to come to this one");
    assert_eq!(pending(&c, &ids[1..2]).await, 0, "none");
    assert_eq!(pending(&c, &ids[..4]).await, 3);
}

async fn what_is_to_come_to_people_out_of_reach_is_told_to_nobody(on: On) {
    let c = College::of(on, 8).await;
    let (mine, theirs) = (c.students(&c.coach).await, c.students(&c.other_coach).await);
    let watch = "INSERT INTO watch (watcher_id, person_id, watched_date) VALUES ($1, $2, {now})";
    c.write(watch, [c.coach.person_id.into(), theirs[0].into()]).await;
    let target = Target::People(vec![mine[0], theirs[0]]);
    c.submit(&c.manager, set(ProgramStatus::Inactive), target.clone(), 2).await.unwrap();
    for (actor, number) in [(&c.manager, 2), (&c.coach, 1)] {
        let preview = c.caseload.actions().preview(actor, set(ProgramStatus::NoShow), target.clone()).await.unwrap();
        assert_eq!((preview.total, preview.pending_elsewhere), (2, number as u64));
        assert_eq!(behind(&c, actor, &preview, Some("PENDING")).await, (number, vec![]));
    }
}

/// An email that waited was warned of before a change of status, and no task was named.
async fn only_a_task_that_changes_the_same_is_warned_of_and_by_its_name(on: On) {
    let c = College::of(on, 6).await;
    let ids = c.students(&c.coach).await;
    let target = Target::People(ids.clone());
    let reassign = Action::reassign_coach(&c.other_coach.person_id.person().to_string()).unwrap();
    let alert = Action::early_alert("ATTENDANCE", "").unwrap();
    let status = c.submit(&c.manager, set(ProgramStatus::Inactive), target.clone(), 3).await.unwrap().id;
    c.run().await;
    let moved = c.submit(&c.manager, reassign.clone(), Target::People(ids[..1].to_vec()), 1).await.unwrap().id;
    c.run().await;
    // What waits: an alert, a watch list, and an undo of the coach.
    c.submit(&c.manager, alert.clone(), target.clone(), 3).await.unwrap();
    c.submit(&c.manager, WATCH, target.clone(), 3).await.unwrap();
    let by_program = || Submission { confirm_total: None, ..Submission::from_source(SubmitSource::Program) };
    let back = c.caseload.tasks().undo(&c.manager, moved, by_program()).await.unwrap().id;
    let told = async |actor: &caseload::Actor, action: Action| {
        let preview = c.caseload.actions().preview(actor, action, target.clone()).await.unwrap();
        let behind = behind(&c, actor, &preview, Some("PENDING")).await.0 as u64;
        assert_eq!(preview.pending_elsewhere, behind);
        let named = c.caseload.actions().pending_tasks(actor, preview.preview_token).await.unwrap();
        (behind, named.into_iter().map(|named| named.id).collect::<Vec<_>>())
    };
    assert_eq!(told(&c.manager, set(ProgramStatus::NoShow)).await, (0, vec![]));
    assert_eq!(told(&c.manager, reassign).await, (1, vec![back]));
    assert_eq!(told(&c.manager, alert).await.0, 3);
    assert_eq!(told(&c.manager, WATCH).await.0, 3);
    assert_eq!(told(&c.other_coach, WATCH).await.0, 0, "the list of somebody else");
    let undo = c.caseload.tasks().undo(&c.manager, status, by_program()).await.unwrap().id;
    assert_eq!(told(&c.manager, set(ProgramStatus::NoShow)).await, (3, vec![undo]));
    assert_eq!(
        told(&c.coach, set(ProgramStatus::NoShow)).await,
        (2, vec![]),
        "the tasks of others are named to nobody"
    );
}

async fn a_scheduled_action_is_warned_of(on: On) {
    let c = College::of(on, 6).await;
    let ids = c.students(&c.manager).await;
    let tomorrow = c.caseload.db().now().await.unwrap() + chrono::TimeDelta::days(1);
    let target = Target::People(ids[..4].to_vec());
    let submission = Submission {
        trigger_date: Some(tomorrow),
        confirm_total: Some(4),
        ..program(set(ProgramStatus::Inactive), target)
    };
    c.caseload.actions().submit(&c.manager, submission).await.unwrap();
    assert_eq!(pending(&c, &ids[2..]).await, 2);
}

async fn the_people_behind_each_number_can_be_seen(on: On) {
    let c = College::of(on, 9).await;
    let ids = c.students(&c.manager).await;
    c.set_status(&ids[..4], ProgramStatus::Inactive).await;
    let target = Target::Query { filter: everyone(), exclude: vec![] };
    let preview = c.caseload.actions().preview(&c.manager, set(ProgramStatus::Inactive), target).await.unwrap();
    assert!(preview.everyone);
    let token = preview.preview_token;
    for (which, number) in [(None, 9), (Some("CHANGE"), 5), (Some("ALREADY_THERE"), 4), (Some("NOT_ACTIVATED"), 0)] {
        let people = c.caseload.actions().preview_people(&c.manager, token, which, None).await.unwrap();
        assert_eq!((people.page.items.len(), people.page.total.value), (number, number as u64), "{which:?}");
    }
    // The page asks for one more tick.
    let submission = Submission {
        action: None,
        target: None,
        preview: Some(token),
        source: SubmitSource::Page,
        ..program(set(ProgramStatus::Inactive), Target::Everyone)
    };
    let refused = Problem::from(c.caseload.actions().submit(&c.manager, submission.clone()).await.unwrap_err());
    assert_eq!(refused.errors[0].field, "everyone");
    c.caseload.actions().submit(&c.manager, Submission { everyone_confirmed: true, ..submission }).await.unwrap();
}

/// Everybody behind a number, page by page: how many people, and what was given for the others.
async fn behind(c: &College, actor: &caseload::Actor, preview: &Preview, which: Option<&str>) -> (usize, Vec<String>) {
    let (mut people, mut given, mut after, mut total) = (0, Vec::new(), None, None);
    loop {
        let token = preview.preview_token;
        let shown = c.caseload.actions().preview_people(actor, token, which, after.as_ref()).await.unwrap().page;
        assert_eq!(*total.get_or_insert(shown.total), shown.total, "each page says the same number");
        for counted in shown.items {
            match counted.who {
                Counted::Person(_) => people += 1,
                Counted::Given(text) => given.push(text.unwrap()),
            }
        }
        after = shown.next;
        if after.is_none() {
            assert_eq!(total.unwrap().value, (people + given.len()) as u64, "the pages have as many as they say");
            return (people, given);
        }
    }
}

async fn what_was_not_found_is_shown_as_it_was_given(on: On) {
    let c = College::of(on, 130).await;
    let query = model::PeopleQuery { filter: everyone(), limit: Some(60), ..Default::default() };
    let page = c.caseload.people().list(&c.manager, &query).await.unwrap();
    let known = page.items.iter().map(|row| row.school_id.clone().unwrap());
    let unknown: Vec<String> = (0..70).map(|n| format!("Nobody {n:02}")).collect();
    let target = Target::SchoolIds(school_ids(known.chain(unknown.iter().cloned())));
    let export = Action::export("CSV", None::<[&str; 0]>, None).unwrap();
    // One that writes down who is meant, and one that does not.
    for action in [set(ProgramStatus::Inactive), export] {
        let preview = c.caseload.actions().preview(&c.manager, action, target.clone()).await.unwrap();
        let number = preview.skipped.iter().find(|line| line.reason == SkipReason::NotFound).unwrap().count;
        assert_eq!((preview.total, number), (130, 70));
        assert_eq!(behind(&c, &c.manager, &preview, Some("NOT_FOUND")).await, (0, unknown.clone()));
        assert_eq!(behind(&c, &c.manager, &preview, Some("CHANGE")).await, (60, vec![]));
        assert_eq!(behind(&c, &c.manager, &preview, None).await, (60, unknown.clone()));
    }
    // Ids that nobody has, or nobody within reach.
    let theirs = c.students(&c.other_coach).await[0];
    let given = vec![PersonId::from_u128(7), theirs];
    let preview = c.caseload.actions().preview(&c.coach, WATCH, Target::People(given.clone())).await.unwrap();
    let texts = given.iter().map(PersonId::to_string).collect();
    assert_eq!(behind(&c, &c.coach, &preview, Some("NOT_FOUND")).await, (0, texts));
}

async fn another_row_of_the_file_is_shown_as_it_was_given(on: On) {
    let c = College::of(on, 4).await;
    let id = c.students(&c.coach).await[0];
    let school_id = c.caseload.people().get(&c.manager, id).await.unwrap().row.school_id.unwrap();
    let lower = school_id.to_lowercase();
    let list = format!("School ID,Coach\n{lower},coach\nG9-9,other\n{school_id},other\n");
    let preview = c.caseload.actions().preview_list(&c.manager, "spring.csv", &list).await.unwrap();
    for (which, people, given) in
        [("ANOTHER_ROW", 0, vec![lower.clone()]), ("NOT_FOUND", 0, vec!["G9-9".to_owned()]), ("CHANGE", 1, vec![])]
    {
        assert_eq!(behind(&c, &c.manager, &preview, Some(which)).await, (people, given), "{which}");
    }
    assert_eq!(behind(&c, &c.manager, &preview, None).await, (1, vec![lower, "G9-9".to_owned()]));
    let (token, actions) = (preview.preview_token, c.caseload.actions());
    let lines = actions.preview_people(&c.manager, token, Some("ANOTHER_ROW"), None).await.unwrap().page.items;
    let name = c.caseload.people().get(&c.manager, id).await.unwrap().row.name;
    let told = (lines[0].name.clone(), lines[0].in_list.as_deref());
    assert_eq!(
        told,
        (Some(name), Some("line 2: repeated, the last line of this person counts")),
        "who it is, is known"
    );
}

async fn whoever_left_my_reach_since_is_still_behind_the_number(on: On) {
    let c = College::of(on, 6).await;
    let ids = c.students(&c.coach).await;
    let preview = c
        .caseload
        .actions()
        .preview(&c.coach, set(ProgramStatus::Inactive), Target::People(ids.clone()))
        .await
        .unwrap();
    let sql = "UPDATE person SET coach_id = $1 WHERE id = $2";
    c.write(sql, [c.other_coach.person_id.into(), ids[1].into()]).await;
    let preview = c.caseload.actions().preview_kept(&c.coach, preview.preview_token).await.unwrap();
    let number = preview.skipped.iter().find(|line| line.reason == SkipReason::OutOfReach).unwrap().count;
    assert_eq!(number, 1);
    assert_eq!(behind(&c, &c.coach, &preview, Some("OUT_OF_REACH")).await, (0, vec![ids[1].to_string()]));
}
