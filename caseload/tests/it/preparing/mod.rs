//! A file is prepared before it is imported: its columns are guessed, what would happen is counted, and that is what then happens.

mod counting;
mod matching;
mod reading;

use std::{fmt::Write, sync::Arc, time::Duration};

use caseload::{
    Limits,
    import::UnreadableLines,
    mail::Mail,
    preferences::ChosenPreferences,
    prune::{PruneFiles, PruneUnused},
};
use model::{
    LedgerQuery, MatchingId, Problem, TaskId, TaskState,
    import::{DateForm, FieldChange, LineOutcome, PreparedImport, Separator, Sure, UnreadLines},
};
use queue::{
    lock::{LockRequest, Locks, MemoryLocks},
    schedule::Work,
};
use testkit::On;

use crate::{college::College, importing::uploaded};

testkit::on_both!(
    a_file_that_was_imported_leads_to_its_task,
    what_is_wrong_is_said_and_nothing_that_was_chosen_is_lost,
    a_file_that_is_not_imported_goes,
    whoever_is_erased_comes_back_with_no_file_that_is_being_prepared,
    a_prepared_file_is_its_owners,
);

async fn prepared(c: &College, file: &str) -> TaskId {
    let upload = uploaded(c, file).await;
    c.caseload.imports().prepare(&c.administrator, "roster.csv", upload).await.unwrap()
}

async fn page(c: &College, id: TaskId) -> PreparedImport {
    c.caseload.imports().prepared(&c.administrator, id).await.unwrap()
}

async fn choose(c: &College, id: TaskId, pairs: &[(&str, &str)]) -> PreparedImport {
    c.caseload.imports().choose(&c.administrator, id, &owned(pairs)).await.unwrap();
    page(c, id).await
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

async fn imported(c: &College, id: TaskId, name: Option<&str>) -> Result<TaskId, Problem> {
    let task = c.caseload.imports().import_prepared(&c.administrator, id, &[], name).await;
    task.map(|task| task.id).map_err(Problem::from)
}

/// The fields that the columns are matched to.
fn fields(import: &PreparedImport) -> Vec<&str> {
    import.columns.iter().map(|column| column.field.as_deref().unwrap_or("-")).collect()
}

fn told(change: &FieldChange) -> String {
    format!(
        "{}: {} → {}{}",
        change.field,
        change.before,
        change.after,
        if change.is_emptied { " (emptied)" } else { "" }
    )
}

async fn a_file_that_was_imported_leads_to_its_task(on: On) {
    let c = College::of(on, 1).await;
    let id = prepared(&c, "id,name\nT-1,Abara\n").await;
    let became =
        async |actor| c.caseload.imports().became_task(actor, id).await.map_err(|error| Problem::from(error).status);
    assert_eq!(became(&c.administrator).await, Ok(None));
    imported(&c, id, None).await.unwrap();
    assert_eq!(became(&c.administrator).await, Ok(Some(id)));
    assert_eq!(became(&c.manager).await, Err(403));
}

async fn what_is_wrong_is_said_and_nothing_that_was_chosen_is_lost(on: On) {
    let c = College::of(on, 1).await;
    let id = prepared(&c, "One,Two,Three\n1,2,3\n").await;
    let wrong = |import: &PreparedImport| import.wrong.iter().map(|wrong| wrong.field.clone()).collect::<Vec<_>>();
    let import = page(&c, id).await;
    assert_eq!((wrong(&import), import.counted), (vec!["school_id".to_owned(), "last_name".to_owned()], None));
    let import = choose(&c, id, &[("f0", "school_id"), ("f1", "last_name"), ("f2", "last_name")]).await;
    assert_eq!(wrong(&import), ["f2"]);
    assert_eq!(import.wrong[0].message, "Last name is matched to “Two” and “Three”. Keep one of them.");
    assert_eq!(fields(&import), ["school_id", "last_name", "last_name"]);
    assert!(imported(&c, id, None).await.is_err(), "what was not counted is not imported");
    let odd = c.caseload.imports().choose(&c.administrator, id, &owned(&[("f2", "password")])).await;
    assert!(Problem::from(odd.unwrap_err()).message_for("f2").is_some());
    let import = choose(&c, id, &[("f2", "extra"), ("f99", "school_id"), ("m0.7", "x"), ("é", "x")][..2]).await;
    assert_eq!(import.counted.unwrap().new, 1);
    // A matching that was not seen counted is counted first.
    let changed = c.caseload.imports().import_prepared(&c.administrator, id, &owned(&[("f2", "")]), None).await;
    assert!(Problem::from(changed.unwrap_err()).message_for("matching").is_some());
    assert_eq!(fields(&page(&c, id).await), ["school_id", "last_name", ""]);
    imported(&c, id, None).await.unwrap();
    c.run().await;
    assert_eq!(c.count("SELECT COUNT(*) FROM person WHERE school_id = '1' AND extra = '{}'", []).await, 1);
}

async fn a_file_that_is_not_imported_goes(on: On) {
    let limits = Limits { prepared_imports: 2, ..Limits::default() };
    let c = College::within(on, 1, Mail::none(), limits).await;
    let mut ids = Vec::new();
    for n in 0..3 {
        ids.push(prepared(&c, &format!("id,name\nG-{n},Gone\n")).await);
        c.test.clock.advance(Duration::from_secs(1));
    }
    let kept = async || {
        let listed = c.caseload.imports().prepared_files(&c.administrator).await.unwrap();
        let mut listed: Vec<TaskId> = listed.into_iter().map(|file| file.id).collect();
        listed.sort();
        let mut stored = c.caseload.files().tasks().await.unwrap();
        stored.sort();
        assert_eq!(listed, stored);
        listed
    };
    assert_eq!(kept().await, ids[1..], "the newest take the place of the oldest");
    c.caseload.imports().discard(&c.administrator, ids[1]).await.unwrap();
    assert_eq!(kept().await, ids[2..]);
    fire(&c).await;
    assert_eq!(kept().await, ids[2..], "it is not a day old");
    c.test.clock.advance(Duration::from_secs(86_400));
    assert!(c.caseload.imports().prepared(&c.administrator, ids[2]).await.is_err());
    assert!(imported(&c, ids[2], None).await.is_err());
    fire(&c).await;
    assert_eq!(kept().await, []);
    assert_eq!(c.count("SELECT COUNT(*) FROM prepared_import", []).await, 0);
}

async fn fire(c: &College) {
    let locks = Locks::new(Arc::new(MemoryLocks::new(c.test.clock.clone())), "test");
    let lock = locks.try_lock(LockRequest::new("prune")).await.unwrap().unwrap();
    PruneUnused::new(c.test.db.clone()).fire(&lock).await.unwrap();
    PruneFiles::new(c.test.db.clone(), c.caseload.files().clone()).fire(&lock).await.unwrap();
}

async fn whoever_is_erased_comes_back_with_no_file_that_is_being_prepared(on: On) {
    let c = College::of(on, 2).await;
    let person = c.students(&c.manager).await[0];
    let school_id = c.caseload.people().get(&c.manager, person).await.unwrap().row.school_id.unwrap();
    let id = prepared(&c, &format!("School ID,Last name\n{school_id},Erased\n")).await;
    c.caseload.people().erase(&c.administrator, person, school_id.as_str(), Some("asked for it")).await.unwrap();
    assert!(imported(&c, id, None).await.is_err());
    assert!(c.caseload.files().tasks().await.unwrap().is_empty());
    assert_eq!(c.count("SELECT COUNT(*) FROM prepared_import", []).await, 0);
}

async fn a_prepared_file_is_its_owners(on: On) {
    let c = College::of(on, 1).await;
    let id = prepared(&c, "id,name\nO-1,Own\n").await;
    for other in [&c.coach, &c.manager] {
        let imports = c.caseload.imports();
        assert_eq!(Problem::from(imports.prepared(other, id).await.unwrap_err()).status, 403);
        assert_eq!(Problem::from(imports.choose(other, id, &[]).await.unwrap_err()).status, 403);
        assert_eq!(Problem::from(imports.discard(other, id).await.unwrap_err()).status, 403);
        assert_eq!(Problem::from(imports.import_prepared(other, id, &[], None).await.unwrap_err()).status, 403);
        assert_eq!(Problem::from(imports.prepared_files(other).await.unwrap_err()).status, 403);
    }
    let other = caseload::Actor { person_id: c.manager.person_id, ..c.administrator.clone() };
    let imports = c.caseload.imports();
    assert_eq!(Problem::from(imports.prepared(&other, id).await.unwrap_err()).status, 404);
    assert_eq!(Problem::from(imports.import_prepared(&other, id, &[], None).await.unwrap_err()).status, 404);
    assert_eq!(Problem::from(imports.discard(&other, id).await.unwrap_err()).status, 404);
    assert!(page(&c, id).await.counted.is_some());
}
