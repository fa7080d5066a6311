//! The server that `cargo xtask dev` runs.

use crate::cargo;
use anyhow::{Context, Result, bail};
use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

/// What the server says once it answers.
const READY: &str = "ready at http://";
/// How long it may take to begin or to end, with the chunks of its tasks.
const PATIENCE: Duration = Duration::from_secs(60);

/// The same after each change, so that a page behind the sign-in shows what has changed.
const PASSWORD: &str = "slate-fern-07";

pub struct Serving {
    arguments: Vec<String>,
    server: Option<Child>,
}

impl Serving {
    pub fn of(arguments: &[String]) -> Serving {
        Serving { arguments: arguments.to_owned(), server: None }
    }

    /// Ends the server that is there, starts this one, and waits until it answers.
    ///
    /// # Errors
    /// When it does not.
    pub fn begin_anew(&mut self, docket: &Path) -> Result<()> {
        self.end()?;
        let mut server = Command::new(docket)
            .args(["serve", "--demo", "--demo-password", PASSWORD])
            .args(&self.arguments)
            .current_dir(cargo::root())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("could not start {}", docket.display()))?;
        let said = server.stderr.take().context("the server says nothing")?;
        self.server = Some(server);
        let (say, ready) = mpsc::channel();
        // Until the server ends.
        thread::spawn(move || {
            for line in BufReader::new(said).lines().map_while(Result::ok) {
                eprintln!("{line}");
                if line.contains(READY) {
                    let _ = say.send(());
                }
            }
        });
        match ready.recv_timeout(PATIENCE) {
            Ok(()) => Ok(()),
            Err(mpsc::RecvTimeoutError::Timeout) => bail!("the server does not answer"),
            Err(mpsc::RecvTimeoutError::Disconnected) => bail!("the server has ended"),
        }
    }

    /// Whether there is one that has not ended by itself.
    pub fn goes_on(&mut self) -> Result<bool> {
        match &mut self.server {
            Some(server) => Ok(server.try_wait()?.is_none()),
            None => Ok(false),
        }
    }

    /// As an operator ends it: its tasks are put back.
    fn end(&mut self) -> Result<()> {
        let Some(mut server) = self.server.take() else { return Ok(()) };
        if server.try_wait()?.is_some() {
            return Ok(());
        }
        cargo::output(Command::new("kill").arg(server.id().to_string()))?;
        let told = Instant::now();
        while server.try_wait()?.is_none() {
            if told.elapsed() > PATIENCE {
                server.kill()?;
            }
            thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}
