//! Which steps have passed on this commit; nothing is taken for passed on sources that are in no commit.

use crate::cargo;
use anyhow::Result;
use std::{collections::BTreeSet, fs, path::PathBuf, process::Command};

pub struct Record {
    /// Where the report goes as well.
    pub folder: PathBuf,
    commit: Option<String>,
    passed: BTreeSet<String>,
}

impl Record {
    pub fn open() -> Result<Record> {
        let folder = cargo::target_dir()?.join("endure");
        fs::create_dir_all(&folder)?;
        let git = |arguments: &[&str]| cargo::output(Command::new("git").args(arguments).current_dir(cargo::root()));
        let is_clean = git(&["status", "--porcelain"]).is_ok_and(|changed| changed.is_empty());
        let commit = git(&["rev-parse", "HEAD"]).ok().filter(|_| is_clean).map(|commit| commit.trim().to_owned());
        let known = fs::read_to_string(folder.join("passed")).unwrap_or_default();
        let of_this = |line: &str| {
            line.split_once(' ').filter(|(of, _)| Some(*of) == commit.as_deref()).map(|(_, step)| step.to_owned())
        };
        let passed = known.lines().filter_map(of_this).collect();
        Ok(Record { folder, commit, passed })
    }

    pub fn has(&self, step: &str) -> bool {
        self.passed.contains(step)
    }

    pub fn note(&mut self, step: &str) -> Result<()> {
        self.passed.insert(step.to_owned());
        let Some(commit) = &self.commit else { return Ok(()) };
        let lines: String = self.passed.iter().map(|step| format!("{commit} {step}\n")).collect();
        Ok(fs::write(self.folder.join("passed"), lines)?)
    }
}
