//! The real binary on a disk that loses what it was given: `fsync` says so (EIO), and nothing is taken for committed that may be lost.
//! A library that stands before the system's own makes it fail, compiled here by the C compiler that Rust needs as well.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use testkit::On;

use crate::{
    binary::{Place, Process, wait},
    everybody::{SMALL, assert_each_treated_once, change, generate, task, treated},
};

testkit::tests!(within testkit::LONGEST * 2; what_a_failing_disk_may_have_lost_is_done_again);

const PEOPLE: u64 = 10_000;

/// A disk below a folder, which fails while a file is there.
struct FailingDisk {
    folder: PathBuf,
    library: PathBuf,
    /// There as long as it fails.
    always: PathBuf,
    /// There until it has failed once.
    once: PathBuf,
}

impl FailingDisk {
    fn of(place: &Place) -> FailingDisk {
        let folder = place.folder.path().canonicalize().unwrap();
        let (source, library) = (folder.join("fails.c"), folder.join("fails.so"));
        std::fs::write(&source, include_str!("disk_that_fails.c")).unwrap();
        let compiled = Command::new("cc")
            .args(["-shared", "-fPIC", "-Wall", "-o"])
            .args([&library, &source])
            .args(["-ldl"])
            .output();
        let compiled = compiled.expect("there is no C compiler named cc");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        FailingDisk { always: folder.join("fails"), once: folder.join("fails-once"), folder, library }
    }

    fn start(&self, place: &Place, name: &str) -> Process {
        let path = |path: &Path| path.to_str().unwrap().to_owned();
        let (library, folder) = (path(&self.library), path(&self.folder));
        let (always, once) = (path(&self.always), path(&self.once));
        let own = [
            ("LD_PRELOAD", library.as_str()),
            ("FAILING_FOLDER", &folder),
            ("FAILING_WHILE", &always),
            ("FAILING_ONCE", &once),
        ];
        let settings: Vec<_> = SMALL.iter().copied().chain(own).collect();
        place.start(name, "all", &settings)
    }

    fn fails(&self) {
        std::fs::write(&self.always, "").unwrap();
    }

    fn fails_once(&self) {
        std::fs::write(&self.once, "").unwrap();
        wait("a write to fail", || (!self.once.exists()).then_some(()));
    }

    fn works(&self) {
        std::fs::remove_file(&self.always).unwrap();
    }
}

fn until_more_are_treated(server: &Process, id: &str) {
    let before = treated(&task(server, id));
    wait("more to be treated", || (treated(&task(server, id)) > before).then_some(()));
}

/// Lets the disk fail in the middle, and waits until the task was tried to be put back more than once. Gives how far it has come.
fn fail_midway(disk: &FailingDisk, server: &Process, id: &str) -> u64 {
    until_more_are_treated(server, id);
    let tries = || server.log().matches("cannot put the task back").count();
    let tried = tries();
    disk.fails();
    wait("the attempt to give up", || (tries() > tried).then_some(()));
    let stands = treated(&task(server, id));
    assert!(stands < PEOPLE, "it was over before the disk failed");
    wait("another try to put it back", || (tries() > tried + 1).then_some(()));
    assert_eq!(treated(&task(server, id)), stands, "nothing counts as done that may be lost");
    stands
}

async fn what_a_failing_disk_may_have_lost_is_done_again() {
    let place = Place::on(On::Sqlite).await;
    generate(&place, PEOPLE);
    let disk = FailingDisk::of(&place);
    let mut server = disk.start(&place, "one");
    let id = change(&server, PEOPLE);
    // Here and there a write is lost, and the next one is not.
    for _ in 0..5 {
        until_more_are_treated(&server, &id);
        disk.fails_once();
    }
    // It fails for a while, and the process goes on.
    let stood = fail_midway(&disk, &server, &id);
    disk.works();
    wait("it to go on", || (treated(&task(&server, &id)) > stood).then_some(()));
    // It fails for a while, and another process begins with what is there.
    let stood = fail_midway(&disk, &server, &id);
    server.signal("-KILL");
    server.end();
    disk.works();
    let server = disk.start(&place, "two");
    assert!(treated(&task(&server, &id)) >= stood, "what was committed before is there");
    wait("the change to complete", || (task(&server, &id)["status"] == "COMPLETED").then_some(()));
    assert_eq!(task(&server, &id)["failures"], 0, "the disk's fault is not the task's");
    assert_each_treated_once(&place, PEOPLE).await;
    assert_eq!(place.value("SELECT COUNT(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'").await, 1);
}
