//! What has passed on this commit, as the report says it; nothing is taken for passed on sources that are in no commit.

use super::Told;
use crate::cargo;
use anyhow::Result;
use std::{fs, path::PathBuf, process::Command};

pub struct Record {
    /// Where the report goes as well.
    pub folder: PathBuf,
    /// A file for each step that has passed.
    passed: Option<PathBuf>,
}

impl Record {
    pub fn open() -> Result<Record> {
        let folder = cargo::target_dir()?.join("endure");
        fs::create_dir_all(&folder)?;
        let git = |arguments: &[&str]| cargo::output(Command::new("git").args(arguments).current_dir(cargo::root()));
        let is_clean = git(&["status", "--porcelain"]).is_ok_and(|changed| changed.is_empty());
        let commit = git(&["rev-parse", "HEAD"]).ok().filter(|_| is_clean);
        let passed = commit.map(|commit| folder.join(commit.trim()));
        Ok(Record { folder, passed })
    }

    /// What was told of a step when it passed.
    pub fn of(&self, step: &str) -> Option<Told> {
        let lines = fs::read_to_string(self.passed.as_ref()?.join(step)).ok()?;
        Some(Told { passed: true, lines })
    }

    pub fn keep(&self, step: &str, told: &Told) -> Result<()> {
        let Some(folder) = &self.passed else { return Ok(()) };
        fs::create_dir_all(folder)?;
        Ok(fs::write(folder.join(step), &told.lines)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_passed_is_told_again_with_its_figures_and_only_on_its_commit() {
        let folder = tempfile::tempdir().unwrap();
        let on = |commit: Option<&str>| Record {
            folder: folder.path().to_owned(),
            passed: commit.map(|commit| folder.path().join(commit)),
        };
        let told = Told::of("idle", true, "passed", &["3 ms".to_owned()]);
        for commit in [Some("one"), None] {
            on(commit).keep("idle", &told).unwrap();
        }
        assert_eq!(on(Some("one")).of("idle").unwrap().lines, "- idle: passed\n  - 3 ms\n");
        assert!([Some("two"), None].iter().all(|commit| on(*commit).of("idle").is_none()));
        assert!(on(Some("one")).of("many").is_none());
    }
}
