//! Puts in place what a fresh Debian machine with rustup and Node lacks. Asks no questions, and so installs Debian
//! packages only as root; elsewhere it says what to install. Never updates what is already there. A C compiler is not
//! looked for: without one, this program could not have been built.

use crate::{cargo, postgres};
use anyhow::{Context, Result, bail};
use std::{fs, os::unix::fs::MetadataExt, path::Path, process::Command};

/// The browser's compilation target.
pub const WASM: &str = "wasm32-unknown-unknown";

/// The browsers that are driven beside Chromium, and the display for the one that has none of its own: programs and their packages.
const OTHER_BROWSERS: [(&str, &str); 3] = [
    ("/usr/bin/firefox-esr", "firefox-esr"),
    ("/usr/bin/WebKitWebDriver", "webkit2gtk-driver"),
    ("/usr/bin/Xvfb", "xvfb"),
];

/// Everything that [`crate::test`] needs.
pub fn for_tests() -> Result<()> {
    wasm_target()?;
    lints()?;
    debian_packages()?;
    npm(&cargo::root().join("end2end"))
}

/// Adds the browser's target to the toolchain. Asks the compiler and not rustup, which need not have installed it.
pub fn wasm_target() -> Result<()> {
    let libraries = cargo::output(rustc().args(["--print", "target-libdir", "--target", WASM]))?;
    if Path::new(libraries.trim_end()).exists() {
        return Ok(());
    }
    rustup(["target", "add", WASM])
}

/// Where the browser is: the environment's `CHROMIUM`, or Debian's without windows, which takes a third of the time of the one
/// that could open some.
pub fn chromium() -> String {
    std::env::var("CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium-headless-shell".into())
}

/// Whether this process is root.
pub fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

/// Adds the formatter and the linter to the toolchain.
fn lints() -> Result<()> {
    if ["fmt", "clippy"].into_iter().all(|name| cargo::output(cargo::command().args([name, "--version"])).is_ok()) {
        return Ok(());
    }
    rustup(["component", "add", "rustfmt", "clippy"])
}

fn debian_packages() -> Result<()> {
    let mut missing = Vec::new();
    if postgres::given().is_none() && postgres::programs().is_none() {
        missing.push("postgresql");
    }
    if !Path::new(&chromium()).exists() {
        missing.push("chromium-headless-shell");
    }
    for (program, package) in OTHER_BROWSERS {
        if !Path::new(program).exists() {
            missing.push(package);
        }
    }
    if !has_webkit_for_python() {
        missing.extend(["gir1.2-webkit2-4.1", "python3-gi"]);
    }
    if !clocks_can_be_faked() {
        missing.push("libfaketime");
    }
    if !has_mail_server() {
        missing.push("python3-aiosmtpd");
    }
    if !Path::new("/usr/lib/rabbitmq/bin/rabbitmq-server").exists() {
        missing.push("rabbitmq-server");
    }
    if !Path::new("/usr/sbin/nginx").exists() {
        missing.push("nginx-light");
    }
    if missing.is_empty() {
        return Ok(());
    }
    if !is_root() || !Path::new("/usr/bin/apt-get").exists() {
        bail!("please install what is missing and try again: sudo apt-get install {}", missing.join(" "));
    }
    cargo::run(Command::new("apt-get").args(["update", "--quiet"]))?;
    cargo::run(
        Command::new("apt-get")
            .args(["install", "--quiet", "--yes", "--no-install-recommends"])
            .args(&missing)
            .env("DEBIAN_FRONTEND", "noninteractive"),
    )
}

/// Whether there is a libfaketime, which gives a test a host whose clock is wrong.
fn clocks_can_be_faked() -> bool {
    let folders = fs::read_dir("/usr/lib").into_iter().flatten().flatten();
    folders.map(|folder| folder.path().join("faketime/libfaketimeMT.so.1")).any(|library| library.exists())
}

/// Whether there is WebKitGTK with what its window is made by (`end2end/other-browsers/webkitgtk_window.py`).
fn has_webkit_for_python() -> bool {
    let window = "import gi; gi.require_version('Gtk', '3.0'); gi.require_version('WebKit2', '4.1')";
    cargo::output(Command::new("/usr/bin/python3").args(["-c", window])).is_ok()
}

/// Whether there is the mail server that tests write to.
fn has_mail_server() -> bool {
    cargo::output(Command::new("/usr/bin/python3").args(["-c", "import aiosmtpd"])).is_ok()
}

/// Whether there is npm.
pub fn has_npm() -> bool {
    cargo::output(Command::new("npm").arg("--version")).is_ok()
}

/// Installs the npm packages of a folder, again when its lock file has changed.
pub fn npm(folder: &Path) -> Result<()> {
    let lock = folder.join("package-lock.json");
    let lock = fs::read(&lock).with_context(|| format!("could not read {}", lock.display()))?;
    let installed = folder.join("node_modules/.docket-lock.json");
    if fs::read(&installed).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    if !has_npm() {
        bail!("please install Node.js 20 or newer with npm and try again");
    }
    cargo::run(Command::new("npm").arg("ci").current_dir(folder).env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"))?;
    fs::write(&installed, lock).with_context(|| format!("could not write {}", installed.display()))
}

/// Has cargo compile by the linter, as `cargo clippy` does, but with all that comes of compiling. Fails at any warning.
pub fn lint_by(cargo: &mut Command) -> Result<()> {
    let toolchain = cargo::output(rustc().args(["--print", "sysroot"]))?;
    cargo.env("RUSTC_WORKSPACE_WRAPPER", Path::new(toolchain.trim_end()).join("bin/clippy-driver"));
    // As `cargo clippy` hands on what stands behind its two dashes.
    cargo.env("CLIPPY_ARGS", ["-D", "warnings"].map(|word| format!("{word}__CLIPPY_HACKERY__")).concat());
    Ok(())
}

fn rustc() -> Command {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.current_dir(cargo::root());
    rustc
}

fn rustup<const N: usize>(arguments: [&str; N]) -> Result<()> {
    cargo::run(Command::new("rustup").args(arguments).current_dir(cargo::root()))
        .with_context(|| format!("please install with your toolchain's own tools: {}", arguments[2..].join(", ")))
}
