//! Says where the browser bundle lies. Release builds carry it inside: cargo must look again when it was built anew, or appeared.

use std::{env, io, path::Path};

#[expect(clippy::disallowed_methods, reason = "how cargo speaks to a build script")]
fn main() -> io::Result<()> {
    let release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    println!("cargo::rerun-if-changed={}", if release { "../target/site/pkg" } else { "build.rs" });
    // Whole and without a step upwards, or a server that was compiled before the bundle would find nothing of it later.
    println!("cargo::rustc-env=BUNDLE={}", Path::new("..").canonicalize()?.join("target/site/pkg").display());
    Ok(())
}
