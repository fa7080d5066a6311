//! What holds every test to an end.

use std::{future::pending, time::Duration};

#[tokio::test]
#[should_panic(expected = "a_test_that_hangs has not ended within 1ms")]
async fn a_test_that_hangs_ends_by_its_name() {
    testkit::bounded("a_test_that_hangs", Duration::from_millis(1), pending()).await;
}

/// The test program itself, which tries the next test in another process, as it ends whoever runs it.
#[test]
fn a_test_that_keeps_its_thread_to_itself_ends_by_its_name() {
    let mut again = std::process::Command::new(std::env::current_exe().unwrap());
    let ended = again.args(["--exact", "hanging::a_test_that_blocks", "--ignored"]).output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert!(!ended.status.success() && said.contains("a_test_that_blocks hangs"), "{said}");
}

#[tokio::test]
#[ignore = "it never ends; another test runs it"]
async fn a_test_that_blocks() {
    testkit::bounded("a_test_that_blocks", Duration::ZERO, async { std::thread::sleep(testkit::LONGEST) }).await;
}
