//! Tests that cannot be run everywhere. They pass where they cannot, and say so where whoever runs all tests sees it.

use std::io::Write;

/// What such a line begins with, by which it is found again in all that tests print.
const NOT_RUN: &str = "not run here: ";

/// Says that this test is not run here, and for want of what. Unlike what is printed, it is shown though the test passes.
pub fn not_run_here(test: &str, lacks: &str) {
    // A test whose output nobody takes any more has said it to nobody.
    drop(writeln!(std::io::stdout().lock(), "{NOT_RUN}{test}, for want of {lacks}"));
}
