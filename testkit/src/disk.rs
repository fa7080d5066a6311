//! A disk for tests that has little room, all of which a test can take and give back. A real file system in memory, because what
//! a full disk does to a file that is half written nobody imitates well. Mounting it needs root, whom not every container lets.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

use crate::not_run_here;

/// Cuts the files of a folder off after so many bytes, as a crash may that loses what was not written yet.
pub fn cut_off(folder: &Path, bytes: u64) -> Result<()> {
    for file in fs::read_dir(folder)? {
        let file = fs::File::options().write(true).open(file?.path())?;
        file.set_len(file.metadata()?.len().min(bytes))?;
    }
    Ok(())
}

/// A disk, gone when this is dropped.
pub struct SmallDisk {
    place: TempDir,
}

impl SmallDisk {
    /// One of so many MiB, for this test; none, which is told at the end of the run, where nobody may mount one.
    pub fn of(test: &str, mib: u64) -> Option<SmallDisk> {
        // PostgreSQL, who is somebody else, has to reach what is on it.
        let place = tempfile::Builder::new().permissions(fs::Permissions::from_mode(0o755)).tempdir();
        let place = place.unwrap_or_else(|error| panic!("{test} has no folder: {error}"));
        match mount(&["-t", "tmpfs", "-o", &format!("size={mib}m"), "tmpfs"], place.path()) {
            Ok(()) => Some(SmallDisk { place }),
            Err(why) => {
                not_run_here(test, &format!("a small disk ({why})"));
                None
            }
        }
    }

    pub fn path(&self) -> &Path {
        self.place.path()
    }

    /// Makes it one of so many MiB.
    pub fn grow(&self, mib: u64) -> Result<()> {
        self.resize(mib << 20)
    }

    /// Makes it one of so many bytes, which is more than there are on it.
    pub fn resize(&self, bytes: u64) -> Result<()> {
        mount(&["-o", &format!("remount,size={bytes}")], self.path())
    }

    /// Takes all the room that there is.
    pub fn fill(&self) -> io::Result<()> {
        let mut filler = fs::File::options().append(true).create(true).open(self.filler())?;
        loop {
            match filler.write(&[0; 65_536]) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::StorageFull => return Ok(()),
                Err(error) => return Err(error),
            }
        }
    }

    /// Gives that room back.
    pub fn make_room(&self) -> io::Result<()> {
        fs::remove_file(self.filler())
    }

    fn filler(&self) -> PathBuf {
        self.path().join("filler")
    }
}

fn mount(arguments: &[&str], at: &Path) -> Result<()> {
    let mounted = Command::new("mount").args(arguments).arg(at).output().context("there is no program mount")?;
    let why = String::from_utf8_lossy(&mounted.stderr);
    ensure!(
        mounted.status.success(),
        "only root may mount one, in a container with the capability SYS_ADMIN: {}",
        why.lines().next().unwrap_or_default()
    );
    Ok(())
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Whoever still has a file open keeps it until the end.
        let _ = Command::new("umount").arg("--lazy").arg(self.path()).status();
    }
}
