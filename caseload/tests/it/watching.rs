//! The watch list as an action: who comes onto it, who leaves it, and what is said of each.

use model::{
    Action, Outcome, PeopleFilter, PeopleQuery, ProgramStatus, Scope, SkipReason, Target,
    action::{Watch, WatchOperation},
};
use testkit::On;

use crate::college::{College, set};

testkit::on_both!(
    watching_twice_refreshes_the_date,
    whoever_is_not_watched_is_skipped,
    nobody_is_watched_who_is_out_of_reach,
    the_whole_watch_list_is_emptied,
    whoever_was_reassigned_can_be_taken_off_the_list,
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
    let line = &c.caseload.ledger(&c.coach, again, &Default::default()).await.unwrap().items[0];
    assert_eq!((line.before.as_deref(), line.after.as_deref()), (Some("Watched"), Some("Watched")));
}

async fn whoever_is_not_watched_is_skipped(on: On) {
    let c = College::of(on, 20).await;
    let ids = c.students(&c.coach).await;
    c.submit(&c.coach, WATCH, Target::People(ids[..4].to_vec()), 4).await.unwrap();
    c.run().await;
    let preview = c.caseload.preview(&c.coach, UNWATCH, Target::People(ids.clone())).await.unwrap();
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
    assert_eq!(c.caseload.task(&c.coach, task).await.unwrap().row.succeeded, 60);
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
    let page = c.caseload.people(&c.coach, &query).await.unwrap();
    assert_eq!(page.items.iter().filter(|row| !row.reached).count(), 1, "listed as no longer theirs");
    let both = Target::People(ids[..2].to_vec());
    let change = c.submit(&c.coach, set(ProgramStatus::Inactive), both.clone(), 2).await.unwrap().id;
    let leave = c.submit(&c.coach, UNWATCH, both, 2).await.unwrap().id;
    c.run().await;
    let outside = (Some(Outcome::Skipped), "OUT_OF_REACH".to_owned());
    assert_eq!(c.ledger(&c.coach, change).await.get(&outside), Some(&1), "watching gives no reach");
    assert_eq!(c.caseload.task(&c.coach, leave).await.unwrap().row.succeeded, 2);
}
