//! Calls cargo and other programs from the repository's root, and knows where cargo puts what it builds.

use anyhow::{Context, Result, ensure};
use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

/// The root of the repository that this was called in. Where several checkouts share a target folder, this program may
/// have been built in another.
pub fn root() -> &'static Path {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
        let xtask = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        PathBuf::from(xtask).parent().map(Path::to_owned).unwrap_or_default()
    });
    &ROOT
}

/// Runs cargo with these arguments and fails when it fails.
pub fn cargo<const N: usize>(arguments: [&str; N]) -> Result<()> {
    run(command().args(arguments))
}

/// The cargo that called this program, so that `cargo +toolchain xtask …` stays on that toolchain. What it has told this program
/// of itself is taken away: build scripts look at that, and would run again for each checkout, and when cargo is called by hand.
pub fn command() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_of_this_program)) {
        command.env_remove(name);
    }
    command
}

/// A benchmark, whose arguments are to be added.
pub fn benchmark(name: &str) -> Command {
    let mut benchmark = command();
    benchmark.args(["run", "--release", "--package", "bench", "--", name]);
    benchmark
}

fn is_of_this_program(name: &str) -> bool {
    let alone =
        ["CARGO_MANIFEST_DIR", "CARGO_MANIFEST_PATH", "CARGO_CRATE_NAME", "CARGO_BIN_NAME", "CARGO_PRIMARY_PACKAGE"];
    name.starts_with("CARGO_PKG_") || alone.contains(&name)
}

/// Runs a command whose output the user sees, and fails when it fails.
pub fn run(command: &mut Command) -> Result<()> {
    let shown = shown(command);
    eprintln!("$ {shown}");
    let status = command.status().with_context(|| format!("could not start: {shown}"))?;
    ensure!(status.success(), "{shown}: {status}");
    Ok(())
}

/// What a command prints on standard output; fails when the command fails.
pub fn output(command: &mut Command) -> Result<String> {
    let shown = shown(command);
    let output = command.output().with_context(|| format!("could not start: {shown}"))?;
    ensure!(
        output.status.success(),
        "{shown}: {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr).trim_end()
    );
    String::from_utf8(output.stdout).with_context(|| format!("{shown}: its output is not UTF-8"))
}

/// Cargo's target directory, which may lie outside the checkout.
pub fn target_dir() -> Result<PathBuf> {
    let metadata = output(command().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: serde_json::Value = serde_json::from_str(&metadata).context("cargo metadata")?;
    let target = metadata["target_directory"].as_str().context("cargo metadata names no target directory")?;
    Ok(PathBuf::from(target))
}

/// How a command is written in a shell, without where its program lies.
pub fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    std::iter::once(program).chain(command.get_args()).map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
