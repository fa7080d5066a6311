//! A disk for exports that is full in the middle of one: the task says why, nobody is offered half a file, and once there is room
//! the same task gives the whole one.

use caseload::files::{FileStore, Files};
use model::{Action, Problem, Target, TaskState};
use testkit::{On, SmallDisk};

use crate::{
    college::{College, MANY},
    exporting::content,
};

testkit::on_both!(an_export_on_a_full_disk_says_so_offers_nothing_and_is_whole_once_there_is_room);

const ROOM: u64 = 64;

fn export() -> Action {
    Action::export("CSV", None::<[&str; 0]>, None).unwrap()
}

async fn an_export_on_a_full_disk_says_so_offers_nothing_and_is_whole_once_there_is_room(on: On) {
    let test = "an_export_on_a_full_disk_says_so_offers_nothing_and_is_whole_once_there_is_room";
    let Some(disk) = SmallDisk::of(test, ROOM) else { return };
    let files = Files::open(&FileStore::Folder(disk.path().display().to_string())).unwrap();
    let c = College::of_many_storing(on, files).await;
    let undisturbed = c.submit(&c.manager, export(), Target::Everyone, MANY).await.unwrap().id;
    c.run().await;
    let whole = c.caseload.tasks().get(&c.manager, undisturbed).await.unwrap().file.unwrap();
    c.caseload.files().delete_but(undisturbed, None).await.unwrap();
    // Room for the first people and not for the next; and for all of them, and not for the file that is made of them.
    for (tenths, read) in [(3, 2_500), (15, MANY)] {
        disk.resize(whole.size * tenths / 10).unwrap();
        let id = c.submit(&c.manager, export(), Target::Everyone, MANY).await.unwrap().id;
        assert_eq!(c.run_to_an_end(id).await, TaskState::Failed);

        let failed = c.caseload.tasks().get(&c.manager, id).await.unwrap();
        assert_eq!(failed.row.trouble.as_deref(), Some("The file could not be stored."));
        assert_eq!((failed.row.succeeded, failed.file), (read, None));
        assert_eq!(Problem::from(c.caseload.tasks().download(&c.manager, id).await.map(drop).unwrap_err()).status, 404);
        let left = std::fs::read_dir(disk.path().join(id.to_string())).unwrap();
        let left: Vec<String> = left.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        assert!(left.iter().all(|name| name.starts_with("part-") && name.ends_with(".csv")), "half of what: {left:?}");

        let inside = c.caseload.admin().task(&c.administrator, id).await.unwrap();
        let why = inside.attempts.iter().filter_map(|attempt| attempt.detail.as_deref());
        assert!(why.clone().count() > 0 && why.clone().all(|why| why.contains("No space left on device")));
        c.test.clock.advance(std::time::Duration::from_secs(2));
        let health = c.caseload.admin().health(&c.administrator).await.unwrap();
        let told = health.attention.iter().find(|told| told.code == model::admin::AttentionCode::DiskLow).unwrap();
        assert_eq!(told.about.as_deref(), Some("exported files"), "two disks are two lines");
        assert!(told.text.starts_with("The disk for the exported files is nearly full"), "{}", told.text);

        disk.grow(ROOM).unwrap();
        assert_eq!(c.caseload.tasks().retry(&c.manager, id, None).await.unwrap().id, id);
        assert_eq!(c.run_to_an_end(id).await, TaskState::Done);
        let file = c.caseload.tasks().get(&c.manager, id).await.unwrap().file.unwrap();
        assert_eq!((file.rows, file.size, &file.sha256), (MANY, whole.size, &whole.sha256));
        assert_eq!(content(&c, id).await.len() as u64, whole.size);
        c.caseload.files().delete_but(id, None).await.unwrap();
    }
}
