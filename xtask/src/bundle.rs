//! Builds what the browser downloads: the module, its script, the stylesheet and the viewer of the API, for release also
//! compressed. Does not run wasm-opt: after compression it saves nothing, and some versions break the module in ways only a
//! browser shows.

use crate::{budget, bundle_extras, bundle_names, cargo, compress, replace::replace, setup};
use anyhow::{Context, Result};
use std::{
    fs,
    path::{Path, PathBuf},
};
use wasm_bindgen_cli_support::Bindgen;

/// Writes the bundle to [`bundle_names::dir`] and prints its sizes.
///
/// # Errors
/// When something does not build or, in release, when a file is over its budget.
pub fn bundle(release: bool) -> Result<()> {
    setup::wasm_target()?;
    let module = compile(release)?;
    // Written beside and begun anew: a compressed file left by an earlier release bundle would be served in place of newer bytes.
    let out = bundle_names::dir().with_extension("new");
    if out.exists() {
        fs::remove_dir_all(&out).with_context(|| format!("could not empty {}", out.display()))?;
    }
    fs::create_dir_all(&out).with_context(|| format!("could not create {}", out.display()))?;
    bind(&module, &out, release)?;
    bundle_extras::write(&out, release)?;

    let sizes = [bundle_names::MODULE, bundle_names::SCRIPT, bundle_names::SERVED, bundle_names::STYLESHEET]
        .map(|file| compress::sizes(&out.join(file), release))
        .into_iter()
        .collect::<Result<Vec<_>>>()?;
    replace(&bundle_names::dir(), &out)?;
    print!("{}", budget::table(&sizes));
    if release { budget::check(&sizes) } else { Ok(()) }
}

/// Whether the bundle that is there was built for release, which alone leaves compressed files.
pub fn is_of_release() -> bool {
    bundle_names::dir().join(bundle_names::MODULE).with_extension("wasm.br").exists()
}

/// Writes what the browser loads of a compiled module, and the script that loads it.
///
/// # Errors
/// When that is no module, or does not fit the library that binds it.
pub fn bind(module: &Path, out: &Path, release: bool) -> Result<()> {
    let mut bound = Bindgen::new()
        .input_path(module)
        .out_name(bundle_names::PACKAGE)
        .web(true)?
        .typescript(false)
        .keep_debug(!release)
        .remove_name_section(release)
        .remove_producers_section(release)
        .generate_output()
        .context("wasm-bindgen")?;
    bound.emit(out).context("wasm-bindgen")
}

/// Compiles the module for the browser, and says where it lies. A cargo call of its own: together with the server, `hydrate` and `ssr` would
/// meet in `app`.
pub fn compile(release: bool) -> Result<PathBuf> {
    let (profile, directory) =
        if release { (bundle_names::RELEASE_PROFILE, bundle_names::RELEASE_PROFILE) } else { ("dev", "debug") };
    cargo::cargo([
        "build",
        "--package",
        bundle_names::PACKAGE,
        "--lib",
        "--target",
        setup::WASM,
        "--profile",
        profile,
    ])?;
    Ok(cargo::target_dir()?.join(setup::WASM).join(directory).join(bundle_names::PACKAGE).with_extension("wasm"))
}
