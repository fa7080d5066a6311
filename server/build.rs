//! Release builds carry the browser bundle inside: cargo must look again when it was built anew, or appeared.

use std::{env, fs, io};

#[expect(clippy::disallowed_methods, reason = "how cargo speaks to a build script")]
fn main() -> io::Result<()> {
    let release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    println!("cargo::rerun-if-changed={}", if release { "../target/site/pkg" } else { "build.rs" });
    // A server that was compiled while this was missing would find nothing of a bundle that is built later.
    fs::create_dir_all("../target/site/pkg")
}
