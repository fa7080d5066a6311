//! The binary in a folder of its own, on SQLite unless told: its accounts, one process of `docket serve`, and what that one takes.

use std::{
    fs::File,
    io::Write,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::{http, memory_of};

/// The longest that the process may take to start or to stop.
const PATIENCE: Duration = Duration::from_secs(60);
/// In these the kernel counts the time of a processor.
const TICKS: f64 = 100.0;

/// A folder for the binary, which goes with it. The process is killed when this is dropped.
pub struct Docket {
    pub address: String,
    binary: PathBuf,
    settings: Vec<(String, String)>,
    folder: TempDir,
    process: Option<Child>,
}

impl Docket {
    /// A place on a free port, with these settings, for measuring the machine and not the share of an account. Nothing runs yet.
    pub fn new(binary: &Path, settings: &[(&str, String)]) -> Result<Docket> {
        let mut docket = Docket::as_it_comes(binary, settings)?;
        let shares = ["EVENT_STREAMS", "WAITING_TASKS", "REQUESTS_PER_SECOND", "REQUEST_BURST"];
        docket.settings.extend(shares.map(|limit| (format!("DOCKET__LIMITS__{limit}"), "10000".to_owned())));
        Ok(docket)
    }

    /// The same, with the limits of every account that there are unless told.
    pub fn as_it_comes(binary: &Path, settings: &[(&str, String)]) -> Result<Docket> {
        let binary = binary.canonicalize().with_context(|| format!("no binary at {}", binary.display()))?;
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
        let mut settings: Vec<_> = settings.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        settings.push(("DOCKET__HTTP__LISTEN".to_owned(), address.clone()));
        Ok(Docket { address, binary, settings, folder: tempfile::tempdir()?, process: None })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command.current_dir(self.folder.path()).env_clear().envs(self.settings.iter().cloned());
        command
    }

    fn run(&self, arguments: &[&str], input: &str) -> Result<String> {
        let mut command = self.command();
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        // Closed at once, so that whoever reads on comes to the end.
        child.stdin.take().context("no standard input")?.write_all(input.as_bytes())?;
        let output = child.wait_with_output()?;
        ensure!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }

    /// Makes an account and gives a token of it.
    pub fn account(&self, username: &str, role: &str) -> Result<String> {
        self.run(&["user", "add", username, "--role", role, "--password-stdin"], "only for this benchmark\n")?;
        self.run(&["user", "token", username, "--scope", "administer"], "")
    }

    /// Runs a command that is expected to succeed.
    pub fn command_of(&self, arguments: &[&str]) -> Result<String> {
        self.run(arguments, "")
    }

    /// Starts the process, and waits until it answers.
    pub async fn start(&mut self) -> Result<()> {
        self.start_as("all").await
    }

    /// Starts the process in a role, and waits until it answers or, as a worker, says that it is ready.
    pub async fn start_as(&mut self, role: &str) -> Result<()> {
        ensure!(self.process.is_none(), "it runs already");
        let log = File::options().create(true).append(true).open(self.log())?;
        let mut command = self.command();
        command.args(["serve", "--role", role]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        self.process = Some(command.spawn()?);
        let began = Instant::now();
        while !self.is_ready(role).await {
            let ended = self.process.as_mut().map(Child::try_wait).transpose()?.flatten();
            if ended.is_some() || began.elapsed() > PATIENCE {
                bail!("it did not start: {}", std::fs::read_to_string(self.log()).unwrap_or_default());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    async fn is_ready(&self, role: &str) -> bool {
        match role {
            "worker" => std::fs::read_to_string(self.log()).is_ok_and(|log| log.contains("ready to run tasks")),
            _ => http::text(&self.address, "", "GET", "/readyz", None).await.is_ok(),
        }
    }

    /// Asks the process to stop, and waits for its end; how long that took.
    pub async fn stop(&mut self) -> Result<Duration> {
        let process = self.process.as_mut().context("it does not run")?;
        let began = Instant::now();
        kill_process(Pid::from_child(process), Signal::TERM)?;
        loop {
            if let Some(status) = process.try_wait()? {
                ensure!(status.success(), "it ended with {status}");
                self.process = None;
                return Ok(began.elapsed());
            }
            ensure!(began.elapsed() < PATIENCE, "it did not stop");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Memory of the process that is in use, and the most since it began, in MiB.
    pub fn memory(&self) -> (f64, f64) {
        memory_of(&self.number())
    }

    /// The time of processors that the process has taken, in seconds.
    pub fn processor(&self) -> Result<f64> {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.number()))?;
        // After its name, which may have anything in it.
        let (_, fields) = text.rsplit_once(')').context("no fields")?;
        let ticks: f64 = fields.split_whitespace().skip(11).take(2).flat_map(str::parse::<f64>).sum();
        Ok(ticks / TICKS)
    }

    fn number(&self) -> String {
        self.process.as_ref().map_or_else(String::new, |process| process.id().to_string())
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("docket.log")
    }
}

impl Drop for Docket {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
