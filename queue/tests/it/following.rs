//! Who hears of which change.

use queue::TaskChange;
use testkit::On;

use crate::fixture::Fixture;

testkit::on_both!(each_hears_of_what_it_wants, whoever_lags_is_told_so_once_and_hears_on);

async fn each_hears_of_what_it_wants(on: On) {
    let f = Fixture::new(on).await;
    let (one, two) = (f.steps(1).await, f.steps(1).await);
    let mut second = f.queue.follow(move |task| task.id == two);
    let mut all = f.queue.changes();
    f.queue.notify(&f.task(one).await);
    f.queue.notify(&f.task(two).await);
    assert!(matches!(second.try_recv(), Some(TaskChange::Task(task)) if task.id == two));
    assert!(second.try_recv().is_none());
    assert!(matches!(all.recv().await, TaskChange::Task(task) if task.id == one));
}

async fn whoever_lags_is_told_so_once_and_hears_on(on: On) {
    let f = Fixture::new(on).await;
    let task = f.task(f.steps(1).await).await;
    let (mut slow, mut quick) = (f.queue.changes(), f.queue.changes());
    for _ in 0..1_000 {
        f.queue.notify(&task);
        assert!(matches!(quick.recv().await, TaskChange::Task(_)), "another who is slow delays nobody");
    }
    assert!(matches!(slow.recv().await, TaskChange::Missed));
    f.queue.notify(&task);
    assert!(matches!(slow.recv().await, TaskChange::Task(_)));
    assert!(slow.try_recv().is_none());
}
