//! Puts the viewer of the API's document into the bundle, from its npm package and from `viewer/start.js`. It has no
//! budget: nobody downloads it who does not read the document.

use crate::{cargo, setup};
use anyhow::{Context, Result};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// What the page asks for, in the package.
const FILES: [&str; 2] = ["swagger-ui-bundle.js", "swagger-ui.css"];
/// What may not be given away without.
const TERMS: [&str; 3] = ["LICENSE", "NOTICE", "swagger-ui-bundle.js.LICENSE.txt"];
/// Our own, which starts it.
const START: &str = "start.js";

/// Writes the viewer to `out`, and says what of it a browser asks for. Without npm it only says so: everything else works, and the
/// page names the document.
pub fn bundle(out: &Path) -> Result<Vec<PathBuf>> {
    let folder = cargo::root().join("viewer");
    if !setup::has_npm() {
        println!("there is no npm, so the bundle has no viewer for the API's document");
        return Ok(Vec::new());
    }
    setup::npm(&folder)?;
    let package = folder.join("node_modules/swagger-ui-dist");
    fs::create_dir_all(out).with_context(|| format!("could not create {}", out.display()))?;
    for name in FILES.iter().chain(&TERMS) {
        copy(&package, out, name)?;
    }
    copy(&folder, out, START)?;
    Ok(FILES.iter().chain([&START]).map(|name| out.join(name)).collect())
}

fn copy(from: &Path, to: &Path, name: &str) -> Result<()> {
    let from = from.join(name);
    fs::copy(&from, to.join(name)).with_context(|| format!("could not copy {}", from.display())).map(drop)
}
