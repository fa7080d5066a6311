//! What the bundle has beside the module and the script that loads it. One function writes it, for `cargo xtask bundle` and for
//! Trunk, which makes the module by itself: what pages load is in both, or in neither.

use crate::{api_viewer, bundle_names, bundler::Bundler, cargo};
use anyhow::{Context, Result};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Writes all of it, and says which files are the viewer's.
///
/// # Errors
/// When a file is missing or is not what it should be.
pub fn write(out: &Path) -> Result<Vec<PathBuf>> {
    own(out)?;
    api_viewer::bundle(&out.join(bundle_names::VIEWER))
}

/// Writes the files of this repository among it.
///
/// # Errors
/// As [`write`].
pub fn own(out: &Path) -> Result<()> {
    fs::create_dir_all(out).with_context(|| format!("could not create {}", out.display()))?;
    let entry = cargo::root().join("style").join(bundle_names::STYLESHEET);
    Bundler::ready()?.style(&entry, &out.join(bundle_names::STYLESHEET))?;
    let source = |name| {
        let path = cargo::root().join("frontend").join(name);
        fs::read_to_string(&path).with_context(|| format!("could not read {}", path.display()))
    };
    let own = |name| Ok::<_, anyhow::Error>((name, without_comments(&source(name)?)));
    let published = (bundle_names::MERGE, source(bundle_names::MERGE)?);
    let own = [bundle_names::PAGE, bundle_names::FORMS, bundle_names::GO, bundle_names::PASSKEY].map(own);
    for file in own.into_iter().chain([Ok(published)]) {
        let (name, script) = file?;
        fs::write(out.join(name), script).with_context(|| format!("could not write {name}"))?;
    }
    Ok(())
}

/// The lines of a script that do something: what explains them is for whoever reads the source.
fn without_comments(script: &str) -> String {
    let lines = script.lines().map(str::trim_start).filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Writes it to where Trunk gathers its files, or into the bundle when not called by Trunk.
///
/// # Errors
/// As [`write`].
pub fn for_trunk() -> Result<()> {
    let out = match std::env::var_os("TRUNK_STAGING_DIR") {
        Some(staging) => Path::new(&staging).join("pkg"),
        None => bundle_names::dir(),
    };
    // What a release bundle left there would be served in place of the new bytes.
    let not_by_trunk = |name: &&str| ![bundle_names::MODULE, bundle_names::SCRIPT].contains(name);
    for stale in bundle_names::COUNTED.iter().filter(|name| not_by_trunk(name)).flat_map(|name| packed(&out, name)) {
        let _ = fs::remove_file(stale);
    }
    write(&out).map(drop)
}

fn packed(out: &Path, name: &str) -> [PathBuf; 2] {
    ["br", "gz"].map(|ending| out.join(format!("{name}.{ending}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn a_script_is_sent_without_what_explains_it() {
        let script = "// Says hello.\nconst hello = () => {\n  // To whom?\n  say(\"// you\");\n\n};\n";
        assert_eq!(without_comments(script), "const hello = () => {\nsay(\"// you\");\n};\n");
    }

    /// Trunk's build had no `page.js`, so that every page of it asked for a file that was not there.
    #[test]
    fn a_build_by_trunk_has_every_file_that_pages_load() {
        let folder = tempfile::tempdir().unwrap();
        own(folder.path()).unwrap();
        let mut written: BTreeSet<String> =
            fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        // These Trunk makes itself, as the tests beside their names say.
        written.extend([bundle_names::SCRIPT, bundle_names::MODULE].map(str::to_owned));
        // What pages load is in this list, as a test of the server says.
        let server = fs::read_to_string(cargo::root().join("server/src/web/assets.rs")).unwrap();
        let list = server.split("pub const NEEDED: ").nth(1).unwrap().split(';').next().unwrap();
        let needed: BTreeSet<String> = list.split('"').skip(1).step_by(2).map(str::to_owned).collect();
        assert_eq!(written, needed);
    }
}
