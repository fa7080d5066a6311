//! Builds what the browser downloads: the module, its script, the stylesheet and the viewer of the API, for release also
//! compressed.

use crate::{
    budget::{self, Sizes},
    bundle_extras, bundle_names,
    bundler::Bundler,
    cargo,
    replace::replace,
    setup,
};
use anyhow::{Context, Result};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread,
};

/// Writes the bundle to [`bundle_names::dir`] and prints its sizes.
///
/// # Errors
/// When something does not build or, in release, when a file is over its budget.
pub fn bundle(release: bool) -> Result<()> {
    setup::wasm_target()?;
    write(&compile(release)?, release)
}

/// The same for release, and fails when the compiler or clippy warns of what is in it. Their looking at it has what was compiled
/// for the module, and compiles the rest again without linking it, while the module is bound and compressed.
///
/// # Errors
/// As [`bundle`], and at any warning.
pub fn linted() -> Result<()> {
    let module = compile(true)?;
    thread::scope(|scope| {
        let linted = scope.spawn(|| {
            let mut compiler = compiler("rustc", true);
            setup::lint_by(&mut compiler)?;
            cargo::run(compiler.args(["--crate-type", "rlib"]))
        });
        let bundled = write(&module, true);
        joined(linted).and(bundled)
    })
}

/// Whether there is one.
pub fn is_there() -> bool {
    bundle_names::dir().join(bundle_names::MODULE).exists()
}

/// Whether the bundle that is there was built for release, which alone leaves compressed files.
pub fn is_of_release() -> bool {
    bundle_names::dir().join(bundle_names::MODULE).with_extension("wasm.br").exists()
}

/// Compiles the module for the browser and, beside it, what binds it; says where the module lies. A cargo call of its own: together
/// with the server, `hydrate` and `ssr` would meet in `app`.
pub fn compile(release: bool) -> Result<PathBuf> {
    thread::scope(|scope| {
        let bundler = scope.spawn(Bundler::ready);
        let compiled = cargo::run(&mut compiler("build", release));
        joined(bundler).and(compiled)
    })?;
    let profile = if release { bundle_names::RELEASE_PROFILE } else { "debug" };
    Ok(cargo::target_dir()?.join(setup::WASM).join(profile).join(bundle_names::PACKAGE).with_extension("wasm"))
}

fn compiler(command: &str, release: bool) -> Command {
    let profile = if release { bundle_names::RELEASE_PROFILE } else { "dev" };
    let mut cargo = cargo::command();
    cargo.args([command, "--package", bundle_names::PACKAGE, "--lib", "--target", setup::WASM, "--profile", profile]);
    cargo
}

fn write(module: &Path, release: bool) -> Result<()> {
    // Written beside and begun anew: a compressed file left by an earlier release bundle would be served in place of newer bytes.
    let out = bundle_names::dir().with_extension("new");
    if out.exists() {
        fs::remove_dir_all(&out).with_context(|| format!("could not empty {}", out.display()))?;
    }
    fs::create_dir_all(&out).with_context(|| format!("could not create {}", out.display()))?;
    Bundler::ready()?.bind(module, &out, release)?;
    let viewer = bundle_extras::write(&out)?;
    let counted = bundle_names::COUNTED.map(|name| out.join(name));
    if release {
        Bundler::ready()?.compress(&[&counted[..], &viewer].concat())?;
    }
    let sizes = counted.iter().map(|file| Sizes::of(file)).collect::<Result<Vec<_>>>()?;
    replace(&bundle_names::dir(), &out)?;
    print!("{}", budget::table(&sizes));
    if release { budget::check(&sizes) } else { Ok(()) }
}

fn joined<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
