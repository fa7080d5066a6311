//! What ends a test that keeps its thread to itself, which nothing on that thread can.

use std::{
    io::Write,
    process,
    sync::mpsc::{RecvTimeoutError, Sender, channel},
    thread,
    time::Duration,
};

/// How much later than twice the time of a test that gives way: a wait that keeps the thread may begin when that is nearly over,
/// has as long itself, and says for what it waited.
const LATER: Duration = Duration::from_secs(5);

/// Held by a test, or a part of one, until it has ended.
pub struct Watched(#[expect(dead_code, reason = "dropped, it tells")] Sender<()>);

impl Watched {
    /// Ends the program by this name once twice the time is over that whoever gives way has.
    pub fn begin(name: &str, longest: Duration) -> Watched {
        let (alive, over) = channel();
        let name = name.to_owned();
        thread::spawn(move || {
            if over.recv_timeout(longest * 2 + LATER) == Err(RecvTimeoutError::Timeout) {
                // Past what a test's output is kept by, which would be lost with it.
                let _ = writeln!(std::io::stderr(), "{name} hangs: nothing has come of it within {longest:?}");
                process::abort();
            }
        });
        Watched(alive)
    }
}
