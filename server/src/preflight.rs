//! Whether a SQLite database can be written before anything is tried with it. A command that was run as root leaves files that
//! belong to root; a service that runs as somebody else would fail at them, with words that name neither the file nor the cure.

use std::{fs, os::unix::fs::MetadataExt, path::Path};

use anyhow::{Context, Result, bail};
use rustix::fs::{Access, access};

/// Refuses with the file that is in the way, and with how to mend it.
pub fn may_write(database_url: &str) -> Result<()> {
    let Some(file) = queue::file_of(database_url).filter(|_| !database_url.contains(":memory:")) else { return Ok(()) };
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
    let owner = fs::metadata(closed).map_or_else(|_| "?".to_owned(), |data| data.uid().to_string());
    bail!(
        "{} cannot be written by this user; it belongs to user {owner}, as after a command that was run as another user: \
         `chown` {} and the files of {} in it to the user of the service",
        closed.display(),
        folder.display(),
        file.display()
    )
}
