//! Which sources have changed.

use crate::{bundle_names, cargo};
use anyhow::{Context, Result};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use std::{
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

/// Everything that is built into the server or the bundle.
const WATCHED: [&str; 11] = [
    "app",
    "caseload",
    "frontend",
    "migration",
    "model",
    "queue",
    "server",
    "style",
    "Cargo.toml",
    "Cargo.lock",
    ".cargo/config.toml",
];
/// An editor writes a file in several steps, and several files one after the other.
const TOGETHER: Duration = Duration::from_millis(30);

/// What is to be built again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    pub code: bool,
    pub script: bool,
    pub styles: bool,
}

/// What is written into the bundle as it is.
const SCRIPTS: [&str; 4] = [bundle_names::PAGE, bundle_names::FORMS, bundle_names::GO, bundle_names::PASSKEY];

impl Touched {
    fn add(&mut self, path: &Path) {
        let name = path.file_name().unwrap_or_default();
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("css") => self.styles = true,
            Some("js") if SCRIPTS.iter().any(|script| name == *script) => self.script = true,
            // What tests alone read is in the folders as well; cargo finds then that nothing is to be done.
            Some("rs" | "toml" | "lock" | "sql" | "html" | "js" | "txt" | "json" | "csv" | "svg") => self.code = true,
            _ => {}
        }
    }
}

pub struct Sources {
    events: Receiver<notify::Result<Event>>,
    /// It watches for as long as it is kept.
    _watcher: RecommendedWatcher,
}

impl Sources {
    pub fn watch() -> Result<Sources> {
        let (tell, events) = channel();
        let mut watcher = notify::recommended_watcher(tell).context("could not watch the sources")?;
        for path in WATCHED.map(|path| cargo::root().join(path)) {
            let watched = watcher.watch(&path, RecursiveMode::Recursive);
            watched.with_context(|| format!("could not watch {}", path.display()))?;
        }
        Ok(Sources { events, _watcher: watcher })
    }

    /// Waits for the next changes.
    pub fn next(&self) -> Result<Touched> {
        let mut touched = Touched::default();
        while touched == Touched::default() {
            let first = self.events.recv().context("the sources are watched no longer")?;
            let mut event = Some(first);
            while let Some(told) = event {
                told.iter().filter(|event| is_change(event.kind)).flat_map(paths).for_each(|path| touched.add(path));
                event = self.events.recv_timeout(TOGETHER).ok();
            }
        }
        Ok(touched)
    }
}

fn paths(event: &Event) -> impl Iterator<Item = &PathBuf> {
    event.paths.iter()
}

/// Reading is none.
fn is_change(kind: EventKind) -> bool {
    matches!(kind, EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_style_needs_no_compiler() {
        let of = |path: &str| {
            let mut touched = Touched::default();
            touched.add(Path::new(path));
            touched
        };
        assert_eq!(of("style/people.css"), Touched { styles: true, ..Touched::default() });
        assert_eq!(of("frontend/page.js"), Touched { script: true, ..Touched::default() });
        for code in ["app/src/lib.rs", "app/src/components/sprite.svg"] {
            assert_eq!(of(code), Touched { code: true, ..Touched::default() });
        }
        assert_eq!(of("app/src/.lib.rs.swp"), Touched::default());
    }
}
