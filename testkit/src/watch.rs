//! What ends a test that keeps its thread to itself, which nothing on that thread can.

use std::{
    io::Write,
    process,
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread,
    time::Duration,
};

/// How much later than a test that gives way.
const LATER: Duration = Duration::from_secs(5);

/// Dropped by a test that has ended.
pub struct Watched(#[expect(dead_code, reason = "dropped, it tells")] Sender<()>);

impl Watched {
    pub fn begin(name: &str, longest: Duration) -> Watched {
        let (alive, over) = channel();
        let name = name.to_owned();
        thread::spawn(move || {
            if over.recv_timeout(longest + LATER) == Err(RecvTimeoutError::Timeout) {
                // Past what a test's output is kept by, which would be lost with it.
                let _ = writeln!(std::io::stderr(), "{name} hangs: nothing has come of it within {longest:?}");
                process::abort();
            }
        });
        Watched(alive)
    }
}
