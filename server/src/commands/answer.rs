//! How a command answers: on standard output, which may be a pipe that nobody reads to its end.

use std::{
    fmt::Display,
    io::{ErrorKind, Write},
    process::exit,
};

/// Writes a line. Whoever has closed the pipe has heard enough.
pub fn say(line: impl Display) {
    if let Err(error) = writeln!(std::io::stdout().lock(), "{line}") {
        exit(if error.kind() == ErrorKind::BrokenPipe { 0 } else { 1 });
    }
}
