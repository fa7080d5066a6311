//! One throwaway PostgreSQL cluster for a run of the tests. Unless it is for measuring, it is as careless with its data as
//! PostgreSQL can be.

use crate::setup;
use anyhow::{Context, Result, ensure};
use std::{
    io::{BufRead, BufReader},
    net::TcpListener,
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

/// The variable that tells the tests where PostgreSQL is; when it is set from outside, no cluster is started.
pub const URL: &str = "TEST_POSTGRES_URL";

/// A running cluster; dropped, it is stopped and its files are gone.
pub struct Cluster {
    /// Where superuser `postgres` gets in without a password.
    pub url: String,
    keeper: Child,
}

/// The cluster that the environment names, if it does.
pub fn given() -> Option<String> {
    std::env::var(URL).ok().filter(|url| !url.is_empty())
}

/// The folder of `initdb` and `pg_ctl`: the newest of Debian's, which are not on the path, or the one on the path.
pub fn programs() -> Option<PathBuf> {
    let version = |bin: &PathBuf| bin.parent()?.file_name()?.to_str()?.parse::<u32>().ok();
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let debian = debian.map(|entry| entry.path().join("bin")).filter(|bin| has_programs(bin)).max_by_key(version);
    debian.or_else(|| std::env::split_paths(&std::env::var_os("PATH")?).find(|bin| has_programs(bin)))
}

fn has_programs(bin: &Path) -> bool {
    ["initdb", "pg_ctl"].into_iter().all(|program| bin.join(program).is_file())
}

impl Cluster {
    /// Starts a cluster on a free port of 127.0.0.1, in under a second, with its files within this folder.
    ///
    /// The keeper, a shell script, stops it when its standard input closes. That happens however this process ends, a
    /// panic, Ctrl-C or SIGKILL included; a handler here would not see them all.
    pub fn start(parent: &Path, for_measuring: bool) -> Result<Self> {
        let programs = programs().context("PostgreSQL is not installed: sudo apt-get install postgresql")?;
        // Free now; nothing holds it until PostgreSQL does, but the kernel hands out other ports for a good while.
        let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();

        let mut keeper = keeper_command();
        keeper
            .arg(include_str!("postgres.sh"))
            .arg("postgres.sh")
            .arg(&programs)
            .arg(port.to_string())
            .arg(parent)
            .arg(if for_measuring { "careful" } else { "careless" });
        keeper.stdin(Stdio::piped()).stdout(Stdio::piped());
        // In the root folder because user `postgres` may not enter ours; not in TMPDIR for the same reason, and because
        // a socket's path must be short.
        keeper.current_dir("/").env_remove("TMPDIR");
        // In a process group of its own, or Ctrl-C would end the keeper before it has cleaned up.
        keeper.process_group(0);

        let mut keeper = keeper.spawn().context("could not start a shell for PostgreSQL")?;
        let output = keeper.stdout.take().context("the shell has no output")?;
        let cluster = Self { url: format!("postgres://postgres@127.0.0.1:{port}/postgres"), keeper };
        let mut line = String::new();
        BufReader::new(output).read_line(&mut line).context("could not read from PostgreSQL's shell")?;
        ensure!(line.trim_end() == "ready", "PostgreSQL did not start in {}", programs.display());
        Ok(cluster)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        if let Err(error) = self.keeper.wait() {
            eprintln!("PostgreSQL's shell could not be waited for: {error}");
        }
    }
}

/// PostgreSQL refuses to run as root, so root becomes the user that came with the package.
fn keeper_command() -> Command {
    if !setup::is_root() {
        let mut shell = Command::new("sh");
        shell.arg("-c");
        return shell;
    }
    let mut shell = Command::new("runuser");
    shell.args(["-u", "postgres", "--", "sh", "-c"]);
    shell
}
