//! The folder for temporary files of a run of the tests: in memory where there is room, because hundreds of databases
//! would wait for the disk otherwise.

use anyhow::{Context, Result};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

const MEMORY: &str = "/dev/shm";
/// Where temporary files lie that are to be on a disk.
pub const DISK: &str = "/var/tmp";
/// More than the tests have at once, in MiB.
const ROOM: u64 = 8 * 1024;
/// What the folder's name begins with; the id of the process that it belongs to follows.
const NAME: &str = "docket-test.";

/// The folder to give to tests as `TMPDIR`; dropped, it is gone.
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes it, and clears away what runs have left that were ended by force.
    pub fn within(parent: &Path) -> Result<Self> {
        clear(parent);
        let folder = parent.join(format!("{NAME}{}", std::process::id()));
        fs::create_dir_all(&folder).with_context(|| format!("could not make {}", folder.display()))?;
        Ok(Self(folder))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.0) {
            eprintln!("{} could not be removed: {error}", self.0.display());
        }
    }
}

/// Where temporary files of a run go.
pub fn parent() -> PathBuf {
    match room(Path::new(MEMORY)) {
        Some(room) if room >= ROOM => PathBuf::from(MEMORY),
        _ => std::env::temp_dir(),
    }
}

fn clear(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(NAME)).and_then(|id| id.parse::<u32>().ok());
        if owner.is_some_and(|id| !Path::new("/proc").join(id.to_string()).exists()) {
            // Somebody else's stays; it is theirs to clear away.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// What is free in memory for files there, in MiB; nothing where there is no such place.
fn room(memory: &Path) -> Option<u64> {
    let output = Command::new("df").args(["--output=avail", "--block-size=1M"]).arg(memory).output().ok()?;
    String::from_utf8(output.stdout).ok()?.lines().nth(1)?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_run_has_left_goes_with_the_next() {
        let parent = tempfile::tempdir().unwrap();
        let (dead, alive) = (format!("{NAME}4294967295"), format!("{NAME}{}", std::process::id()));
        for name in [&dead, &alive, "docket-test.notes"].map(|name: &str| parent.path().join(name)) {
            fs::create_dir(name).unwrap();
        }
        clear(parent.path());
        let left = [&dead, &alive, "docket-test.notes"].map(|name: &str| parent.path().join(name).exists());
        assert_eq!(left, [false, true, true]);
    }
}
