//! What holds every test to an end.

use std::{future::pending, time::Duration};

#[tokio::test]
#[should_panic(expected = "a_test_that_hangs has not ended within 1ms")]
async fn a_test_that_hangs_ends_by_its_name() {
    testkit::bounded("a_test_that_hangs", Duration::from_millis(1), pending()).await;
}
