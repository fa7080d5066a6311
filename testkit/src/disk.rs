//! A disk for tests that has little room, all of which a test can take and give back. A real file system in memory, because what
//! a full disk does to a file that is half written nobody imitates well. Mounting it needs root.

use std::{
    fs,
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};
use tempfile::TempDir;

/// A disk, gone when this is dropped.
pub struct SmallDisk {
    place: TempDir,
}

impl SmallDisk {
    /// One of so many MiB.
    pub fn of(mib: u64) -> Result<SmallDisk> {
        // PostgreSQL, who is somebody else, has to reach what is on it.
        let place = tempfile::Builder::new().permissions(fs::Permissions::from_mode(0o755)).tempdir()?;
        mount(&["-t", "tmpfs", "-o", &format!("size={mib}m"), "tmpfs"], place.path())?;
        Ok(SmallDisk { place })
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
        "this test needs a small disk, and root to mount it (a container needs the capability SYS_ADMIN): {}",
        why.trim()
    );
    Ok(())
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Whoever still has a file open keeps it until the end.
        let _ = Command::new("umount").arg("--lazy").arg(self.path()).status();
    }
}
