//! Downloads whose file goes away while they are under way, and those that come too late: what looks whole is whole, and whoever asks
//! for what is gone is told so.

use std::time::Duration;

use bytes::Bytes;
use caseload::{files, prune::PruneFiles};
use futures::{StreamExt, TryStreamExt, stream::BoxStream};
use model::{Action, Problem, Target, TaskId};
use queue::{lock::LockRequest, schedule::Work};
use testkit::On;

use crate::college::College;

testkit::on_both!(
    a_download_under_way_is_whole_though_its_file_is_cleared_away,
    a_download_whose_file_is_cut_off_is_an_error,
    a_file_that_is_not_there_is_said_to_be_gone_and_was_downloaded_by_nobody,
);

const PEOPLE: u64 = 2_000;

async fn exported(c: &College) -> TaskId {
    let export = Action::export("CSV", None::<[&str; 0]>, None).unwrap();
    let id = c.submit(&c.manager, export, Target::Everyone, PEOPLE).await.unwrap().id;
    c.run().await;
    id
}

/// The first piece of it and the rest, of which nothing has been read.
async fn begun(c: &College, id: TaskId) -> (Bytes, BoxStream<'static, files::Result<Bytes>>) {
    let file = c.caseload.tasks().download(&c.manager, id).await.unwrap();
    let mut stream = c.caseload.tasks().read_download(&c.manager, id, &file, 0..file.file.size).await.unwrap();
    let first = stream.next().await.unwrap().unwrap();
    assert!((first.len() as u64) < file.file.size / 2, "there is no rest");
    (first, stream)
}

async fn gone(c: &College, id: TaskId) -> Problem {
    let problem = match c.caseload.tasks().download(&c.manager, id).await {
        Ok(file) => {
            c.caseload.tasks().read_download(&c.manager, id, &file, 0..file.file.size).await.map(drop).unwrap_err()
        }
        Err(error) => error,
    };
    let problem = Problem::from(problem);
    assert_eq!((problem.status, problem.code.as_str(), problem.title.as_str()), (410, "file_gone", "The file is gone"));
    problem
}

async fn a_download_under_way_is_whole_though_its_file_is_cleared_away(on: On) {
    for erased in [false, true] {
        let c = College::of(on, PEOPLE).await;
        let id = exported(&c).await;
        let whole = crate::exporting::content(&c, id).await;
        let (first, rest) = begun(&c, id).await;
        if erased {
            let person = c.students(&c.manager).await[0];
            let known = c.caseload.people().get(&c.manager, person).await.unwrap().row.school_id.unwrap();
            c.caseload.people().erase(&c.administrator, person, &known, Some("they asked for it")).await.unwrap();
        } else {
            c.test.clock.advance(Duration::from_secs(3_700));
            let lock = c.caseload.queue().locks("test").try_lock(LockRequest::new("prune")).await.unwrap().unwrap();
            PruneFiles::new(c.test.db.clone(), c.caseload.files().clone()).fire(&lock).await.unwrap();
        }
        assert_eq!(std::fs::read_dir(c.folder.path()).unwrap().count(), 0, "it was cleared away");
        let rest: Vec<Bytes> = rest.try_collect().await.unwrap();
        assert!([vec![first], rest].concat().concat() == whole);
        assert!(gone(&c, id).await.detail.starts_with("The file expired, or was deleted"));
    }
}

async fn a_download_whose_file_is_cut_off_is_an_error(on: On) {
    let c = College::of(on, PEOPLE).await;
    let id = exported(&c).await;
    let (_, rest) = begun(&c, id).await;
    testkit::cut_off(&c.folder.path().join(id.to_string()), 20_000).unwrap();
    let error = rest.try_collect::<Vec<Bytes>>().await.unwrap_err();
    assert!(error.to_string().contains("is shorter than it was"), "{error}");
}

async fn a_file_that_is_not_there_is_said_to_be_gone_and_was_downloaded_by_nobody(on: On) {
    let c = College::of(on, PEOPLE).await;
    let id = exported(&c).await;
    c.caseload.files().delete_but(id, None).await.unwrap();
    assert!(gone(&c, id).await.detail.starts_with("The file is missing from storage"));
    assert_eq!(c.count("SELECT COUNT(*) FROM audit WHERE action = 'export.download'", []).await, 0);
}
