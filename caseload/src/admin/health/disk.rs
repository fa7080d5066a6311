//! How full the disks are that Docket writes to.

use std::path::{Path, PathBuf};

use crate::Caseload;

/// What lies on a disk that is low, with a line for it: less than this share or fewer bytes are left.
pub fn low(caseload: &Caseload, share: f64, bytes: u64) -> Vec<(&'static str, String)> {
    let database = caseload.db().file().and_then(|file| file.parent().map(Path::to_owned));
    let places: [(&'static str, Option<PathBuf>); 2] =
        [("database", database), ("exported files", caseload.files().folder().map(Path::to_owned))];
    let mut found = Vec::new();
    for (what, folder) in places {
        let Some(space) = folder.as_deref().and_then(space) else { continue };
        if space.left < bytes || (space.left as f64) < space.whole as f64 * share {
            let left = space.left / (1 << 20);
            found.push((what, format!("The disk for the {what} is nearly full: {} MB left", model::grouped(left))));
        }
    }
    found
}

struct Space {
    left: u64,
    whole: u64,
}

/// Nothing where the system does not say.
fn space(folder: &Path) -> Option<Space> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(Space { left: found.f_bavail * found.f_frsize, whole: found.f_blocks * found.f_frsize })
}
