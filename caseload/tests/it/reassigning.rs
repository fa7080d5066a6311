//! Another coach: who moves, who may move them, and how they come back.

use model::{
    Action, LedgerQuery, Outcome, Permission, PersonId, Problem, Role, SkipReason, Submission, Target, TaskId,
    ledger::LedgerSort, submission::SubmitSource,
};
use testkit::On;

use crate::college::{College, everyone};

testkit::on_both!(
    people_move_from_one_caseload_to_another,
    whoever_is_with_the_coach_already_is_skipped,
    a_reassignment_that_is_undone_leaves_alone_who_moved_on,
    a_coach_gives_nobody_away,
    a_coach_has_to_have_an_account,
    a_list_gives_each_person_the_coach_beside_them,
    a_line_with_a_coach_who_cannot_be_told_says_which_and_why,
    a_coach_is_taken_as_the_list_of_people_has_them_where_only_one_fits,
    the_lines_of_a_list_are_shown_as_they_stand_in_its_file,
    of_many_wrong_lines_the_first_ten_are_told,
    whoever_stays_is_told_with_their_line,
    lines_of_a_list_stand_by_the_names_of_their_people_and_those_of_nobody_last,
);

fn to(coach: PersonId) -> Action {
    Action::reassign_coach(&coach.to_string()).unwrap()
}

async fn caseload_of(c: &College, coach: PersonId) -> i64 {
    c.count("SELECT COUNT(*) FROM person WHERE student AND coach_id = $1", [coach.into()]).await
}

async fn reassign(c: &College, coach: PersonId, people: Vec<PersonId>) -> TaskId {
    let count = people.len() as u64;
    let task = c.submit(&c.manager, to(coach), Target::People(people), count).await.unwrap().id;
    c.run().await;
    task
}

async fn people_move_from_one_caseload_to_another(on: On) {
    let c = College::of(on, 100).await;
    let ids = c.students(&c.coach).await;
    let task = reassign(&c, c.other_coach.person_id.person(), ids.clone()).await;
    assert_eq!(caseload_of(&c, c.coach.person_id.person()).await, 0);
    assert_eq!(caseload_of(&c, c.other_coach.person_id.person()).await, 100);
    assert!(c.students(&c.coach).await.is_empty(), "nobody is left within reach");
    let line = &c.caseload.tasks().ledger(&c.manager, task, &Default::default()).await.unwrap().items[0];
    assert_eq!((line.before.as_deref(), line.after.as_deref()), (Some("Nwachukwu, Paul"), Some("Sørbø, Mia")));
    let row = c.caseload.tasks().get(&c.manager, task).await.unwrap().row;
    assert_eq!(row.title, "Reassign to Sørbø, Mia");
}

async fn whoever_is_with_the_coach_already_is_skipped(on: On) {
    let c = College::of(on, 20).await;
    let preview = c.caseload.actions().preview(
        &c.manager,
        to(c.coach.person_id.person()),
        Target::Query { filter: everyone(), exclude: vec![] },
    );
    let preview = preview.await.unwrap();
    assert_eq!((preview.total, preview.will_change), (20, 10));
    let skipped = preview.skipped.iter().find(|line| line.count > 0).unwrap();
    assert_eq!((skipped.count, skipped.label.as_str()), (10, "already with Nwachukwu, Paul"));
}

async fn a_reassignment_that_is_undone_leaves_alone_who_moved_on(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    let first = reassign(&c, c.other_coach.person_id.person(), ids.clone()).await;
    // One moved on, and one came back by a third and a fourth change.
    reassign(&c, c.manager.person_id.person(), ids[..2].to_vec()).await;
    reassign(&c, c.other_coach.person_id.person(), ids[..1].to_vec()).await;
    let confirmed = model::Submission::from_source(model::submission::SubmitSource::Program);
    let undo = c.caseload.tasks().undo(&c.manager, first, confirmed).await.unwrap().id;
    c.run().await;
    let ledger = c.ledger(&c.manager, undo).await;
    assert_eq!(ledger[&(Some(Outcome::Done), String::new())], 8);
    assert_eq!(ledger[&(Some(Outcome::Skipped), "CHANGED_SINCE".to_owned())], 2);
    assert_eq!(caseload_of(&c, c.coach.person_id.person()).await, 8);
    assert_eq!(caseload_of(&c, c.manager.person_id.person()).await, 1);
}

async fn a_coach_gives_nobody_away(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    let refused = c.submit(&c.coach, to(c.other_coach.person_id.person()), Target::People(ids), 10).await.unwrap_err();
    assert_eq!(refused.status, 403);
    assert!(!Permission::default_for(Role::Coach).contains(&Permission::ReassignCoach));
}

async fn a_coach_has_to_have_an_account(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    let refused = c.submit(&c.manager, to(ids[1]), Target::People(ids[..1].to_vec()), 1).await.unwrap_err();
    assert_eq!(refused.errors[0].field, "coachId");
}

async fn a_list_gives_each_person_the_coach_beside_them(on: On) {
    let c = College::of(on, 20).await;
    let (mine, theirs) = (c.students(&c.coach).await, c.students(&c.other_coach).await);
    let school_id = async |id: PersonId| c.caseload.people().get(&c.manager, id).await.unwrap().row.school_id.unwrap();
    let list = format!(
        "School ID,Coach\n{},other\n{},\"Nwachukwu, Paul\"\n{},Mia Sørbø\n{},nobody\nG9-9,coach\n{},coach\n{},OTHER\n",
        school_id(mine[0]).await,
        school_id(theirs[0]).await,
        school_id(theirs[1]).await,
        school_id(mine[1]).await,
        school_id(mine[2]).await,
        school_id(mine[2]).await.to_lowercase(),
    );
    let refused = c.caseload.actions().preview_list(&c.coach, "spring.csv", &list).await.unwrap_err();
    assert_eq!(Problem::from(refused).status, 403);
    let preview = c.caseload.actions().preview_list(&c.manager, "spring.csv", &list).await.unwrap();
    assert_eq!((preview.total, preview.will_change), (7, 3));
    let submission = Submission { preview: Some(preview.preview_token), ..Submission::from_source(SubmitSource::Page) };
    let task = c.caseload.actions().submit(&c.manager, submission).await.unwrap().id;
    c.run().await;
    assert_eq!(c.caseload.tasks().get(&c.manager, task).await.unwrap().row.title, "Reassign coaches by spring.csv");
    let lines = c.caseload.tasks().ledger(&c.manager, task, &LedgerQuery::default()).await.unwrap().items;
    let told: Vec<_> =
        lines.iter().map(|line| (line.outcome.unwrap(), line.reason.as_deref().unwrap_or_default())).collect();
    let expected = [
        (Outcome::Done, ""),
        (Outcome::Done, ""),
        (Outcome::Skipped, "ALREADY_THERE"),
        (Outcome::Skipped, "UNKNOWN_COACH"),
        (Outcome::Skipped, "NOT_FOUND"),
        (Outcome::Skipped, "ANOTHER_ROW"),
        (Outcome::Done, ""),
    ];
    assert_eq!(told, expected);
    assert_eq!((lines[4].name.as_str(), lines[6].after.as_deref()), ("G9-9", Some("Sørbø, Mia")));
    // A line that was not used says of whom it is and where it stands.
    assert_eq!((lines[5].name.as_str(), lines[5].person_id), (lines[6].name.as_str(), Some(mine[2])));
    assert_eq!((lines[4].school_id.as_deref(), &lines[5].school_id), (Some("G9-9"), &lines[6].school_id));
    let told = [&lines[4], &lines[5]].map(|line| line.reason_label.as_deref().unwrap_or_default());
    assert_eq!(told, ["line 6: not found", "line 7: repeated, the last line of this person counts"]);
    let detail = c.caseload.tasks().get(&c.manager, task).await.unwrap();
    assert_eq!(detail.timeline.last().unwrap().note.as_deref(), Some("7 lines"));
    let at = async |id: PersonId| c.caseload.people().get(&c.manager, id).await.unwrap().row.coach_name;
    assert_eq!(at(mine[0]).await, at(theirs[1]).await);
    // And back.
    let confirmed = Submission { confirm_total: Some(3), ..Submission::from_source(SubmitSource::Program) };
    c.caseload.tasks().undo(&c.manager, task, confirmed).await.unwrap();
    c.run().await;
    assert_eq!((c.students(&c.coach).await, c.students(&c.other_coach).await), (mine, theirs));
}

async fn a_line_with_a_coach_who_cannot_be_told_says_which_and_why(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    let school_id = async |id: PersonId| c.caseload.people().get(&c.manager, id).await.unwrap().row.school_id.unwrap();
    let twin = "UPDATE person SET first_name = 'Katrin', last_name = 'Lund' WHERE id = $1";
    c.write(twin, [c.other_coach.person_id.into()]).await;
    let list = format!(
        "School ID,Coach\n\n{},A. Nobody\n{},Katrin Lund\n{},a. nobody\n{},other\nG9-9,A. Nobody\n",
        school_id(ids[0]).await,
        school_id(ids[1]).await,
        school_id(ids[2]).await,
        school_id(ids[3]).await,
    );
    let preview = c.caseload.actions().preview_list(&c.manager, "spring.csv", &list).await.unwrap();
    let token = preview.preview_token;
    let skipped = preview.skipped.iter().filter(|line| line.count > 0).map(|line| (line.reason, line.count));
    let expected = [(SkipReason::NotFound, 1), (SkipReason::AmbiguousCoach, 1), (SkipReason::UnknownCoach, 2)];
    assert_eq!(skipped.collect::<Vec<_>>(), expected);

    // The line of nobody counts for its school ID, and not for its coach as well.
    let wrong = c.caseload.actions().wrong_lines(&c.manager, token).await.unwrap();
    let told: Vec<_> =
        wrong.told.iter().map(|line| (line.reason, line.written.as_str(), line.line, line.lines)).collect();
    assert_eq!(
        told,
        [
            (SkipReason::UnknownCoach, "A. Nobody", Some(3), 1),
            (SkipReason::AmbiguousCoach, "Katrin Lund", Some(4), 1),
            (SkipReason::UnknownCoach, "a. nobody", Some(5), 1),
            (SkipReason::NotFound, "G9-9", Some(7), 1),
        ]
    );
    assert_eq!(wrong.more, 0);
    let refused = c.caseload.actions().wrong_lines(&c.administrator, token).await.unwrap_err();
    assert_eq!(Problem::from(refused).code, "preview_gone", "what somebody else looked at is theirs");

    let shown = c.caseload.actions().preview_people(&c.manager, token, Some("AMBIGUOUS_COACH"), None).await.unwrap();
    let line = &shown.page.items[0];
    assert_eq!(line.in_list.as_deref(), Some("line 4: several accounts go by “Katrin Lund”"));
    assert_eq!(
        (line.now.as_deref(), line.then.as_deref()),
        (Some("Nwachukwu, Paul"), None),
        "they stay where they are"
    );
    let shown = c.caseload.actions().preview_people(&c.manager, token, Some("CHANGE"), None).await.unwrap();
    let line = &shown.page.items[0];
    assert_eq!((line.in_list.as_deref(), line.then.as_deref()), (Some("line 6"), Some("Lund, Katrin")));

    let submission = Submission { preview: Some(token), ..Submission::from_source(SubmitSource::Page) };
    let task = c.caseload.actions().submit(&c.manager, submission).await.unwrap().id;
    c.run().await;
    let told = async || {
        let lines = c.caseload.tasks().ledger(&c.manager, task, &LedgerQuery::default()).await.unwrap().items;
        lines.into_iter().map(|line| line.reason_label.unwrap_or_default()).collect::<Vec<_>>()
    };
    assert_eq!(
        told().await,
        [
            "line 3: no active account goes by “A. Nobody”",
            "line 4: several accounts go by “Katrin Lund”",
            "line 5: no active account goes by “a. nobody”",
            "",
            "line 7: not found"
        ]
    );

    // A student, by the name that a line has.
    let named = "UPDATE person SET first_name = 'A.', last_name = 'Nobody' WHERE id = $1";
    c.write(named, [ids[9].into()]).await;
    let school_id = school_id(ids[9]).await;
    c.caseload.people().erase(&c.administrator, ids[9], school_id.as_str(), Some("a request")).await.unwrap();
    assert_eq!(told().await[0], "line 3: new coach not found", "their name is nowhere any more");
}

/// “R. Vásquez” is what the list of people says, and was nobody.
async fn a_coach_is_taken_as_the_list_of_people_has_them_where_only_one_fits(on: On) {
    let c = College::of(on, 20).await;
    let named = async |who: &caseload::Actor, first: &str, last: &str| {
        let sql = "UPDATE person SET first_name = $2, last_name = $3 WHERE id = $1";
        c.write(sql, [who.person_id.into(), first.into(), last.into()]).await;
    };
    named(&c.coach, "Rosa", "Vásquez").await;
    named(&c.other_coach, "Mia", "Sørbø").await;
    let theirs = c.students(&c.other_coach).await[0];
    let row = c.caseload.people().get(&c.manager, theirs).await.unwrap().row;
    assert_eq!(row.coach_name.as_deref(), Some("M. Sørbø"), "as the list has it");
    let mine = c.caseload.people().get(&c.manager, c.students(&c.coach).await[0]).await.unwrap().row;
    let (theirs, mine) = (row.school_id.unwrap(), mine.school_id.unwrap());
    let list = format!("School ID,Coach\n{theirs},R. Vásquez\n{mine},m. sorbo\n");
    let checked = async || {
        let preview = c.caseload.actions().preview_list(&c.manager, "spring.csv", &list).await.unwrap();
        let wrong = c.caseload.actions().wrong_lines(&c.manager, preview.preview_token).await.unwrap();
        (preview.will_change, wrong.told)
    };
    assert_eq!(checked().await, (2, Vec::new()));

    named(&c.administrator, "Ramón", "Vásquez").await;
    let (will_change, told) = checked().await;
    assert_eq!((will_change, told.len(), told[0].reason), (1, 1, SkipReason::AmbiguousCoach));
    assert_eq!((told[0].written.as_str(), told[0].line), ("R. Vásquez", Some(2)));
    assert_eq!(told[0].could_be, ["Ramón Vásquez", "Rosa Vásquez"]);
}

/// They stood by name, with those of nobody last.
async fn the_lines_of_a_list_are_shown_as_they_stand_in_its_file(on: On) {
    let c = College::of(on, 120).await;
    let mut list = "School ID,Coach\n".to_owned();
    let mut ids = c.students(&c.coach).await;
    ids.reverse();
    for (place, id) in ids.iter().enumerate() {
        let school_id = c.caseload.people().get(&c.manager, *id).await.unwrap().row.school_id.unwrap();
        list += &format!("{school_id},other\n");
        if place % 10 == 0 {
            list += &format!("G9-{place},other\n");
        }
    }
    let preview = c.caseload.actions().preview_list(&c.manager, "spring.csv", &list).await.unwrap();
    let (mut in_list, mut after) = (Vec::new(), None);
    loop {
        let (token, actions) = (preview.preview_token, c.caseload.actions());
        let page = actions.preview_people(&c.manager, token, None, after.as_ref()).await.unwrap().page;
        assert_eq!(page.total.value, 66, "each page says the same number");
        in_list.extend(page.items.into_iter().map(|line| line.in_list.unwrap_or_default()));
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    let expected: Vec<String> = (0..66)
        .map(|place| match place % 11 {
            1 => format!("line {}: not found", place + 2),
            _ => format!("line {}", place + 2),
        })
        .collect();
    assert_eq!(in_list, expected);
}

async fn of_many_wrong_lines_the_first_ten_are_told(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    let mut list = "School ID,Coach\n".to_owned();
    for id in &ids[..3] {
        let school_id = c.caseload.people().get(&c.manager, *id).await.unwrap().row.school_id.unwrap();
        list += &format!("{school_id},A. Nobody\n");
    }
    for number in 0..14 {
        list += &format!("G9-{number},A. Nobody\n");
    }
    // Once more: the line before it is not used, and not wrong.
    list += "G9-0,coach\n";
    let preview = c.caseload.actions().preview_list(&c.manager, "spring.csv", &list).await.unwrap();
    let wrong = c.caseload.actions().wrong_lines(&c.manager, preview.preview_token).await.unwrap();
    let told: Vec<_> = wrong.told.iter().map(|line| (line.written.as_str(), line.line, line.lines)).collect();
    assert_eq!(told[..2], [("A. Nobody", Some(2), 3), ("G9-1", Some(6), 1)]);
    let skipped = |wanted| preview.skipped.iter().find(|line| line.reason == wanted).unwrap().count;
    let all = skipped(SkipReason::UnknownCoach) + skipped(SkipReason::NotFound);
    let lines: u64 = wrong.told.iter().map(|line| line.lines).sum();
    assert_eq!((told.len(), lines, lines + wrong.more), (10, 12, all), "together as many as are skipped for it");
}

async fn whoever_stays_is_told_with_their_line(on: On) {
    let c = College::of(on, 4).await;
    let id = c.students(&c.coach).await[0];
    let school_id = c.caseload.people().get(&c.manager, id).await.unwrap().row.school_id.unwrap();
    let list = format!("School ID,Coach\n\n{school_id},coach\n");
    let preview = c.caseload.actions().preview_list(&c.manager, "spring.csv", &list).await.unwrap();
    let token = preview.preview_token;
    let shown = c.caseload.actions().preview_people(&c.manager, token, Some("ALREADY_THERE"), None).await.unwrap();
    assert_eq!(shown.page.items[0].in_list.as_deref(), Some("line 3: already with that coach"));
}

async fn lines_of_a_list_stand_by_the_names_of_their_people_and_those_of_nobody_last(on: On) {
    let c = College::of(on, 6).await;
    let ids = c.students(&c.coach).await;
    for (id, name) in ids.iter().zip(["Zweig", "Adler", "Moss"]) {
        // Nothing that the two databases would fold alike by themselves.
        let named = "UPDATE person SET last_name = $2, sort_key = $3, school_id = $4, school_key = $5 WHERE id = $1";
        let key = name.to_lowercase();
        let parts =
            [(*id).into(), name.into(), key.as_str().into(), format!("É/{name}").into(), format!("e{key}").into()];
        c.write(named, parts).await;
    }
    let list = "School ID,Coach\nAA-1,other\né/moss,coach\nÉ/Zweig,other\nÉ/Moss,other\nÉ/Adler,other\nZZ-1,other\n";
    let preview = c.caseload.actions().preview_list(&c.manager, "spring.csv", list).await.unwrap();
    let submission = Submission { preview: Some(preview.preview_token), ..Submission::from_source(SubmitSource::Page) };
    let task = c.caseload.actions().submit(&c.manager, submission).await.unwrap().id;
    c.run().await;
    let sorted = async |sort| {
        let query = LedgerQuery { sort: Some(sort), ..LedgerQuery::default() };
        let lines = c.caseload.tasks().ledger(&c.manager, task, &query).await.unwrap().items;
        lines.iter().map(|line| line.position).collect::<Vec<_>>()
    };
    assert_eq!(sorted(LedgerSort::Name).await, [5, 2, 4, 3, 1, 6]);
    assert_eq!(sorted(LedgerSort::NameDescending).await, [3, 2, 4, 5, 1, 6]);
    assert_eq!(sorted(LedgerSort::SchoolId).await, [5, 2, 4, 3, 1, 6]);
    let query = LedgerQuery { sort: Some(LedgerSort::Name), ..LedgerQuery::default() };
    let line = &c.caseload.tasks().ledger(&c.manager, task, &query).await.unwrap().items[1];
    let told = (line.name.as_str().starts_with("Moss, "), line.person_id, line.school_id.as_deref());
    assert_eq!(told, (true, Some(ids[2]), Some("É/Moss")), "whom another line moves");
    let row = c.caseload.tasks().get(&c.manager, task).await.unwrap().row;
    assert_eq!(row.summary.as_deref(), Some("3 people moved to the coaches in the list"));
}
