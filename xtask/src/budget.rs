//! What the bundle may weigh, and the table that shows what it does. A budget is raised on purpose, here, or not at all.

use crate::bundle_names;
use anyhow::{Context, Result, ensure};
use std::{fs, path::Path};

/// What one file of the bundle weighs, in bytes.
pub struct Sizes {
    /// File name.
    pub file: String,
    /// As written.
    pub raw: u64,
    /// As most visitors get it; nothing in a debug bundle, which nobody downloads.
    pub packed: Option<Packed>,
}

/// The compressed sizes of a file, in bytes.
pub struct Packed {
    /// Of `FILE.gz`.
    pub gzip: u64,
    /// Of `FILE.br`.
    pub brotli: u64,
}

impl Sizes {
    /// Those of a file and of what is compressed beside it.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn of(path: &Path) -> Result<Sizes> {
        let size = |ending: &str| {
            let mut file = path.as_os_str().to_owned();
            file.push(ending);
            fs::metadata(&file).map(|file| file.len()).with_context(|| format!("could not look at {}", file.display()))
        };
        let packed = size(".gz").and_then(|gzip| Ok(Packed { gzip, brotli: size(".br")? })).ok();
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Sizes { file, raw: size("")?, packed })
    }
}

/// File and what it may weigh after brotli, in bytes.
const BUDGETS: [(&str, u64); bundle_names::COUNTED.len()] = [
    (bundle_names::MODULE, 180_000),
    (bundle_names::SCRIPT, 12_000),
    (bundle_names::PAGE, 3_800),
    (bundle_names::FORMS, 2_900),
    (bundle_names::GO, 1_500),
    (bundle_names::PASSKEY, 1_100),
    (bundle_names::MERGE, 4_500),
    (bundle_names::STYLESHEET, 12_200),
];

/// The sizes as aligned lines, in kB of 1000 bytes.
pub fn table(sizes: &[Sizes]) -> String {
    let mut table = format!("{:<18}{:>10}{:>10}{:>10}{:>10}\n", "bundle (kB)", "raw", "gzip", "brotli", "budget");
    for size in sizes {
        let [gzip, brotli, budget] = match &size.packed {
            Some(packed) => [Some(packed.gzip), Some(packed.brotli), budget(&size.file)],
            None => [None; 3],
        }
        .map(|bytes| bytes.map_or("-".into(), kilobytes));
        let raw = kilobytes(size.raw);
        table += &format!("{:<18}{raw:>10}{gzip:>10}{brotli:>10}{budget:>10}\n", size.file);
    }
    table
}

/// # Errors
/// When a compressed file is over its budget; the message names every such file.
pub fn check(sizes: &[Sizes]) -> Result<()> {
    let over: Vec<_> = sizes.iter().filter(|size| is_over(size)).map(|size| size.file.as_str()).collect();
    ensure!(over.is_empty(), "over the budget of xtask/src/budget.rs: {}", over.join(", "));
    Ok(())
}

fn is_over(size: &Sizes) -> bool {
    matches!((&size.packed, budget(&size.file)), (Some(packed), Some(budget)) if packed.brotli > budget)
}

fn budget(file: &str) -> Option<u64> {
    BUDGETS.iter().find(|(name, _)| *name == file).map(|(_, bytes)| *bytes)
}

fn kilobytes(bytes: u64) -> String {
    format!("{}.{}", bytes / 1000, bytes % 1000 / 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_byte_too_many_fails() {
        let sizes = |brotli| {
            [Sizes { file: bundle_names::SCRIPT.into(), raw: 90_000, packed: Some(Packed { gzip: 20_000, brotli }) }]
        };
        assert!(check(&sizes(12_000)).is_ok());
        let message = check(&sizes(12_001)).unwrap_err().to_string();
        assert!(message.ends_with(": frontend.js"), "{message}");
    }

    #[test]
    fn a_debug_bundle_has_no_budget() {
        assert!(check(&[Sizes { file: bundle_names::MODULE.into(), raw: 9_000_000, packed: None }]).is_ok());
    }
}
