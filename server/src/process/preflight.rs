//! Whether a SQLite database can be read, or written, before anything is tried with it. A command that was run as root leaves files that
//! belong to root; a service that runs as somebody else would fail at them, with words that name neither the file nor the cure.

use std::{
    ffi::OsString,
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use rustix::{
    fs::{Access, access},
    io::Errno,
};

/// Refuses whoever may not read the database, with whose it is. In a folder that is closed to them it would seem not to be there.
pub fn may_read(database_url: &str) -> Result<()> {
    let Some(file) = file(database_url) else { return Ok(()) };
    let ours = ["", "-wal", "-shm"].map(|ending| {
        let mut name: OsString = file.clone().into();
        name.push(ending);
        PathBuf::from(name)
    });
    let is_closed = |path: &&PathBuf| access(path.as_path(), Access::READ_OK) == Err(Errno::ACCESS);
    let Some(closed) = ours.iter().find(is_closed) else { return Ok(()) };
    let owner = owner(closed);
    bail!(
        "{} cannot be read by this user; it belongs to user {owner}: run this as that user (`sudo -u '#{owner}'`) or as root",
        closed.display()
    )
}

fn file(database_url: &str) -> Option<PathBuf> {
    queue::file_of(database_url).filter(|_| !database_url.contains(":memory:"))
}

/// Whose a file is, or the folder that hides it.
fn owner(path: &Path) -> String {
    let seen = path.ancestors().find_map(|at| fs::metadata(at).ok());
    seen.map_or_else(|| "?".to_owned(), |data| data.uid().to_string())
}

/// Refuses with the file that is in the way, and with how to mend it.
pub fn may_write(database_url: &str) -> Result<()> {
    let Some(file) = file(database_url) else { return Ok(()) };
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.exists() {
        return Ok(());
    }
    // What stands beside it begins with its name: the log, the memory that is shared, the locks.
    let name = file.file_name().unwrap_or_default().as_encoded_bytes();
    let mut ours = vec![folder.to_owned()];
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(name) {
            ours.push(entry.path());
        }
    }
    let Some(closed) = ours.iter().find(|path| access(path.as_path(), Access::WRITE_OK).is_err()) else {
        return Ok(());
    };
    let owner = owner(closed);
    bail!(
        "{} cannot be written by this user; it belongs to user {owner}, as after a command that was run as another user: \
         `chown` {} and the files of {} in it to the user of the service",
        closed.display(),
        folder.display(),
        file.display()
    )
}
