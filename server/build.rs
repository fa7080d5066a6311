//! Release builds carry the browser bundle inside: cargo must look again when it was built anew, or appeared.

#[expect(clippy::disallowed_methods, reason = "how cargo speaks to a build script")]
fn main() {
    let release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    println!("cargo::rerun-if-changed={}", if release { "../target/site/pkg" } else { "build.rs" });
}
