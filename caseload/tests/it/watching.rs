//! The watch list as an action: who comes onto it, who leaves it, and what is said of each.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use model::{
    Action, Outcome, PeopleFilter, PeopleQuery, PersonColumn, PersonId, PersonRow, ProgramStatus, Scope, SkipReason,
    Sort, Target,
    action::{Watch, WatchOperation},
    preview::{Counted, CountedLine},
};
use testkit::On;

use crate::college::{College, school_ids, set};

testkit::on_both!(
    watching_twice_refreshes_the_date,
    whoever_is_not_watched_is_skipped,
    nobody_is_watched_who_is_out_of_reach,
    the_whole_watch_list_is_emptied,
    whoever_was_reassigned_can_be_taken_off_the_list,
    whoever_is_no_longer_mine_is_a_name_on_my_watch_list_and_nothing_else,
    no_ledger_says_more_of_whoever_is_no_longer_mine_than_their_name,
    no_filter_finds_out_what_a_name_on_the_watch_list_does_not_say,
    no_list_of_school_ids_finds_out_whose_they_are,
    no_order_finds_out_the_school_id_of_a_name_on_the_watch_list,
);

pub const WATCH: Action = Action::Watch(Watch { operation: WatchOperation::Watch });
pub const UNWATCH: Action = Action::Watch(Watch { operation: WatchOperation::Unwatch });

fn watch_list() -> PeopleFilter {
    PeopleFilter { scope: Some(Scope::Watchlist), ..PeopleFilter::default() }
}

async fn watched(c: &College) -> i64 {
    c.count("SELECT COUNT(*) FROM watch WHERE watcher_id = $1", [c.coach.person_id.into()]).await
}

async fn watching_twice_refreshes_the_date(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    c.submit(&c.coach, WATCH, Target::People(ids.clone()), 10).await.unwrap();
    c.run().await;
    c.test.clock.advance(std::time::Duration::from_secs(3_600));
    let again = c.submit(&c.coach, WATCH, Target::People(ids.clone()), 10).await.unwrap().id;
    c.run().await;
    let ledger = c.ledger(&c.coach, again).await;
    assert_eq!(ledger, [((Some(Outcome::Done), String::new()), 10)].into());
    assert_eq!(watched(&c).await, 10);
    let refreshed = "SELECT COUNT(*) FROM watch w JOIN task_person tp ON tp.person_id = w.person_id
        WHERE tp.task_id = $1 AND w.watched_date = tp.outcome_date AND tp.former_date < w.watched_date";
    assert_eq!(c.count(refreshed, [again.into()]).await, 10);
    let line = &c.caseload.tasks().ledger(&c.coach, again, &Default::default()).await.unwrap().items[0];
    assert_eq!((line.before.as_deref(), line.after.as_deref()), (Some("Watched"), Some("Watched")));
}

async fn whoever_is_not_watched_is_skipped(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    c.submit(&c.coach, WATCH, Target::People(ids[..4].to_vec()), 4).await.unwrap();
    c.run().await;
    let preview = c.caseload.actions().preview(&c.coach, UNWATCH, Target::People(ids.clone())).await.unwrap();
    let reasons: Vec<_> = preview.skipped.iter().map(|line| (line.reason, line.count)).collect();
    assert_eq!((preview.total, preview.will_change), (10, 4));
    assert_eq!(reasons, [(SkipReason::NotFound, 0), (SkipReason::NotWatched, 6)]);
    assert_eq!((preview.sample[0].now.as_str(), preview.sample[0].then.as_str()), ("Watched", "Not watched"));
    let task = c.submit(&c.coach, UNWATCH, Target::People(ids), 10).await.unwrap().id;
    c.run().await;
    let ledger = c.ledger(&c.coach, task).await;
    assert_eq!(ledger.get(&(Some(Outcome::Skipped), "NOT_WATCHED".to_owned())), Some(&6));
    assert_eq!(watched(&c).await, 0);
}

async fn nobody_is_watched_who_is_out_of_reach(on: On) {
    let c = College::of(on, 20).await;
    let theirs = c.students(&c.other_coach).await;
    let mine = c.students(&c.coach).await;
    let both = vec![theirs[0], mine[0]];
    let task = c.submit(&c.coach, WATCH, Target::People(both), 2).await.unwrap().id;
    c.run().await;
    let ledger = c.ledger(&c.coach, task).await;
    assert_eq!(ledger.get(&(Some(Outcome::Skipped), "NOT_FOUND".to_owned())), Some(&1), "unnamed, like nobody");
    assert_eq!(watched(&c).await, 1);
}

async fn the_whole_watch_list_is_emptied(on: On) {
    let c = College::of(on, 160).await;
    let ids = c.students(&c.coach).await;
    c.submit(&c.coach, WATCH, Target::People(ids[..60].to_vec()), 60).await.unwrap();
    c.run().await;
    assert_eq!(watched(&c).await, 60);
    let everybody = Target::Query { filter: watch_list(), exclude: vec![] };
    let task = c.submit(&c.coach, UNWATCH, everybody, 60).await.unwrap().id;
    c.run().await;
    assert_eq!(c.caseload.tasks().get(&c.coach, task).await.unwrap().row.succeeded, 60);
    assert_eq!(watched(&c).await, 0);
}

async fn whoever_was_reassigned_can_be_taken_off_the_list(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    c.submit(&c.coach, WATCH, Target::People(ids[..2].to_vec()), 2).await.unwrap();
    c.run().await;
    let other = c.other_coach.person_id;
    c.write("UPDATE person SET coach_id = $1 WHERE id = $2", [other.into(), ids[0].into()]).await;
    let query = PeopleQuery { filter: watch_list(), ..PeopleQuery::default() };
    let page = c.caseload.people().list(&c.coach, &query).await.unwrap();
    assert_eq!(page.items.iter().filter(|row| !row.reached).count(), 1, "listed as no longer theirs");
    let both = Target::People(ids[..2].to_vec());
    let change = c.submit(&c.coach, set(ProgramStatus::Inactive), both.clone(), 2).await.unwrap().id;
    let leave = c.submit(&c.coach, UNWATCH, both, 2).await.unwrap().id;
    c.run().await;
    let outside = (Some(Outcome::Skipped), "OUT_OF_REACH".to_owned());
    assert_eq!(c.ledger(&c.coach, change).await.get(&outside), Some(&1), "watching gives no reach");
    assert_eq!(c.caseload.tasks().get(&c.coach, leave).await.unwrap().row.succeeded, 2);
}

/// The first of the coach's people, whom they watch, is another's by now, and a task is about to change them.
async fn one_who_left(c: &College) -> (PersonRow, Vec<PersonId>) {
    let ids = c.students(&c.coach).await;
    c.submit(&c.coach, WATCH, Target::People(ids[..3].to_vec()), 3).await.unwrap();
    c.run().await;
    let before = c.caseload.people().get(&c.coach, ids[0]).await.unwrap().row;
    let reassigned = "UPDATE person SET coach_id = $1, home_campus = 'Elsewhere' WHERE id = $2";
    c.write(reassigned, [c.other_coach.person_id.into(), ids[0].into()]).await;
    let pending = Target::People(ids[..1].to_vec());
    c.submit(&c.manager, set(ProgramStatus::NoShow), pending, 1).await.unwrap();
    (before, ids)
}

async fn whoever_is_no_longer_mine_is_a_name_on_my_watch_list_and_nothing_else(on: On) {
    let c = College::of(on, 20).await;
    let (before, ids) = one_who_left(&c).await;
    let name_alone = PersonRow::beyond_reach(before.id, before.name.clone());
    let query = PeopleQuery { filter: watch_list(), ..PeopleQuery::default() };
    let page = c.caseload.people().list(&c.coach, &query).await.unwrap();
    assert_eq!(page.items.iter().find(|row| row.id == before.id), Some(&name_alone));
    let own = c.caseload.people().get(&c.coach, before.id).await.unwrap();
    assert_eq!((own.row, own.details), (name_alone.clone(), None));
    let again = c.caseload.people().list_again(&c.coach, &query, &ids[..3]).await.unwrap();
    assert_eq!(again.lines[0].1.as_ref(), Some(&name_alone));

    // Everybody who matches is everybody who can be selected.
    let selected = c.caseload.selections().select_matching(&c.coach, watch_list()).await.unwrap();
    assert_eq!((page.total.value, selected.count), (3, 2));
    // Nor does a preview say more of them, or an export have them.
    let preview = c.caseload.actions().preview(&c.coach, UNWATCH, Target::People(ids[..1].to_vec())).await.unwrap();
    assert_eq!((preview.sample[0].school_id.as_ref(), preview.sample[0].coach_name.as_ref()), (None, None));
    let export = Action::export("CSV", None::<[&str; 0]>, None).unwrap();
    let everybody = Target::Query { filter: watch_list(), exclude: vec![] };
    let preview = c.caseload.actions().preview(&c.coach, export.clone(), everybody.clone()).await.unwrap();
    let beyond =
        c.caseload.actions().preview_people(&c.coach, preview.preview_token, Some("OUT_OF_REACH"), None).await.unwrap();
    let who = Counted::Person(Box::new(name_alone));
    assert_eq!(beyond.page.items, [CountedLine { who, name: None, now: None, then: None, in_list: None }]);
    let task = c.submit(&c.coach, export, everybody, 3).await.unwrap().id;
    c.run().await;
    assert_eq!(c.caseload.tasks().get(&c.coach, task).await.unwrap().file.unwrap().rows, 2);
}

async fn no_ledger_says_more_of_whoever_is_no_longer_mine_than_their_name(on: On) {
    let c = College::of(on, 20).await;
    let (before, ids) = one_who_left(&c).await;
    let both = Target::People(ids[..2].to_vec());
    let preview = c.caseload.actions().preview(&c.coach, set(ProgramStatus::Inactive), both.clone()).await.unwrap();
    assert_eq!(preview.pending_elsewhere, 0, "what is to come to them is none of the coach's business");
    let change = c.submit(&c.coach, set(ProgramStatus::Inactive), both.clone(), 2).await.unwrap().id;
    let leave = c.submit(&c.coach, UNWATCH, both, 2).await.unwrap().id;
    let told = async |task| {
        let ledger = c.caseload.tasks().ledger(&c.coach, task, &Default::default()).await.unwrap().items;
        let line = ledger.into_iter().find(|line| line.person_id == Some(before.id)).unwrap();
        (line.name, line.school_id, line.before, line.after)
    };
    assert_eq!(told(change).await, (before.name.clone(), None, None, None), "before it runs");
    c.run().await;
    assert_eq!(told(change).await, (before.name.clone(), None, None, None), "whoever was skipped");
    // As a ledger has it that was written before this was so.
    let values = [change.into(), before.id.into()];
    c.write("UPDATE task_person SET before_value = 'ACTIVE' WHERE task_id = $1 AND person_id = $2", values).await;
    assert_eq!(told(change).await, (before.name.clone(), None, None, None), "whoever was skipped long ago");
    let (name, school_id, ..) = told(leave).await;
    assert_eq!((name, school_id), (before.name.clone(), None), "whoever left the list");
    let ledger = c.caseload.tasks().ledger(&c.coach, change, &Default::default()).await.unwrap().items;
    let mine = ledger.iter().find(|line| line.person_id == Some(ids[1])).unwrap();
    assert!(mine.school_id.is_some() && mine.before.is_some(), "{mine:?}");
}

async fn no_filter_finds_out_what_a_name_on_the_watch_list_does_not_say(on: On) {
    let c = College::of(on, 20).await;
    let (before, _) = one_who_left(&c).await;
    let found = async |filter: PeopleFilter| {
        let query = PeopleQuery { filter, ..PeopleQuery::default() };
        let page = c.caseload.people().list(&c.coach, &query).await.unwrap();
        page.items.iter().any(|row| row.id == before.id)
    };
    let last_name = before.name.split(',').next().unwrap().to_owned();
    assert!(found(PeopleFilter { q: last_name, ..watch_list() }).await, "the name is on the list");
    for filter in [
        PeopleFilter { program_status: vec![ProgramStatus::Active], ..watch_list() },
        PeopleFilter { home_campus: vec!["Elsewhere".to_owned()], ..watch_list() },
        PeopleFilter { coach: vec![c.other_coach.person_id.person()], ..watch_list() },
        PeopleFilter { q: before.school_id.clone().unwrap(), ..watch_list() },
    ] {
        assert!(!found(filter.clone()).await, "{filter:?}");
    }
}

async fn no_list_of_school_ids_finds_out_whose_they_are(on: On) {
    let c = College::of(on, 20).await;
    let (before, ids) = one_who_left(&c).await;
    let school_id = before.school_id.clone().unwrap();
    let mine = c.caseload.people().get(&c.coach, ids[1]).await.unwrap().row.school_id.unwrap();
    let given = school_ids([school_id.as_str(), &mine, "nobody-1"]);

    let (selected, mut unknown) = c.caseload.selections().select_school_ids(&c.coach, given.clone()).await.unwrap();
    unknown.sort();
    let mut expected = school_ids([school_id.as_str(), "nobody-1"]);
    expected.sort();
    assert_eq!((selected.count, unknown.as_slice()), (1, expected.as_slice()), "as if there were nobody");

    let preview = c.caseload.actions().preview(&c.coach, UNWATCH, Target::SchoolIds(given.clone())).await.unwrap();
    assert_eq!((preview.will_change, preview.sample.len()), (1, 1), "{preview:?}");
    let missing =
        c.caseload.actions().preview_people(&c.coach, preview.preview_token, Some("NOT_FOUND"), None).await.unwrap();
    assert_eq!(missing.page.items.len(), 2);
    let task = c.submit(&c.coach, UNWATCH, Target::SchoolIds(given), 3).await.unwrap().id;
    c.run().await;
    assert_eq!(c.ledger(&c.coach, task).await.get(&(Some(Outcome::Skipped), "NOT_FOUND".to_owned())), Some(&2));
    assert_eq!(watched(&c).await, 2, "who is only watched is watched still");
}

async fn no_order_finds_out_the_school_id_of_a_name_on_the_watch_list(on: On) {
    let c = College::of(on, 20).await;
    let (before, _) = one_who_left(&c).await;
    let school_id = before.school_id.clone().unwrap();
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let sort = Some(Sort::by(PersonColumn::SchoolId));
        let query = PeopleQuery { filter: watch_list(), sort, after, limit: Some(1) };
        let page = c.caseload.people().list(&c.coach, &query).await.unwrap();
        seen.extend(page.items.iter().map(|row| row.id));
        let Some(next) = page.next else { break };
        let told = String::from_utf8(URL_SAFE_NO_PAD.decode(next.as_str()).unwrap()).unwrap();
        assert!(seen.last() != Some(&before.id) || !told.contains(&school_id.to_lowercase()), "{told}");
        after = Some(next);
    }
    assert_eq!((seen.len(), seen.first()), (3, Some(&before.id)), "whose school ID is not told comes first");
}
