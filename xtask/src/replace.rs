//! A folder in the place of another, only where they differ: whoever embeds its files is compiled again when one of them is
//! newer, even if it holds the same bytes.

use anyhow::{Context, Result};
use std::{collections::BTreeMap, fs, path::Path};

/// Moves a folder to where another one is or will be. One that holds the same stays, and the new one is removed.
///
/// # Errors
/// When a file cannot be read, or a folder cannot be removed or moved.
pub fn replace(old: &Path, new: &Path) -> Result<()> {
    if old.exists() {
        if contents(old)? == contents(new)? {
            return fs::remove_dir_all(new).with_context(|| format!("could not remove {}", new.display()));
        }
        fs::remove_dir_all(old).with_context(|| format!("could not empty {}", old.display()))?;
    }
    fs::rename(new, old).with_context(|| format!("could not write {}", old.display()))
}

/// The files below a folder by their names, and nothing for a folder.
fn contents(folder: &Path) -> Result<BTreeMap<String, Option<Vec<u8>>>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).with_context(|| format!("could not read {}", folder.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            let below = contents(&entry.path())?;
            all.extend(below.into_iter().map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
            all.insert(name, None);
        } else {
            all.insert(name, Some(fs::read(entry.path())?));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_replaced_only_by_one_that_holds_something_else() {
        let folder = tempfile::tempdir().unwrap();
        let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
        let written = |text: &str| {
            fs::create_dir_all(new.join("docs")).unwrap();
            fs::write(new.join("docs/page.js"), text).unwrap();
            replace(&old, &new).unwrap();
            assert!(!new.exists());
            assert_eq!(fs::read_to_string(old.join("docs/page.js")).unwrap(), text);
            fs::metadata(old.join("docs/page.js")).unwrap().modified().unwrap()
        };
        let first = written("one");
        assert_eq!(written("one"), first, "what embeds it would be compiled again");
        fs::write(old.join("stale.js.br"), "left by an earlier one").unwrap();
        written("one");
        assert!(!old.join("stale.js.br").exists());
        written("two");
    }
}
