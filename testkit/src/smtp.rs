//! A mail server for tests: aiosmtpd on a free port, as a process of its own, which ends with the test. What it does with a
//! message is in the address of whom it is for; see `sink.py`.

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde::Deserialize;
use tempfile::TempDir;

/// Debian's Python, which has Debian's aiosmtpd.
pub(crate) const PYTHON: &str = "/usr/bin/python3";

/// A mail server that takes everything unless an address says otherwise.
pub struct SmtpSink {
    process: Child,
    port: u16,
    log: PathBuf,
    _folder: TempDir,
}

/// A message that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Whom it was for, as the mail server was told.
    pub to: Vec<String>,
    /// The message itself.
    pub data: String,
    /// When, on a clock of the mail server's own, in milliseconds.
    pub at: u64,
    /// As whom its sender had signed in, where that is asked.
    pub by: Option<String>,
    /// Whether it came encrypted.
    pub is_secret: bool,
}

#[derive(Deserialize)]
struct Line {
    to: Vec<String>,
    data: String,
    at: f64,
    by: Option<String>,
    #[serde(default)]
    secret: bool,
}

impl SmtpSink {
    /// Starts it.
    pub fn start() -> Result<SmtpSink> {
        SmtpSink::slow(Duration::ZERO)
    }

    /// Starts one that takes so many connections at once.
    pub fn narrow(connections: u32) -> Result<SmtpSink> {
        SmtpSink::with(Duration::from_millis(10), connections, None)
    }

    /// Starts one that takes so long for each message.
    pub fn slow(delay: Duration) -> Result<SmtpSink> {
        SmtpSink::with(delay, 0, None)
    }

    /// Starts one that takes so many messages, and the others once it is told to [go on](SmtpSink::go_on).
    pub fn taking(messages: u32) -> Result<SmtpSink> {
        SmtpSink::with(Duration::ZERO, 0, Some(messages))
    }

    pub fn go_on(&mut self) -> Result<()> {
        let input = self.process.stdin.as_mut().context("the mail server has no input")?;
        Ok(input.write_all(b"go on\n")?)
    }

    fn with(delay: Duration, connections: u32, messages: Option<u32>) -> Result<SmtpSink> {
        let folder = tempfile::tempdir()?;
        let log = folder.path().join("taken.jsonl");
        std::fs::write(&log, "")?;
        let mut process = Command::new(PYTHON)
            .args(["-c", include_str!("sink.py")])
            .arg(&log)
            .arg(delay.as_secs_f64().to_string())
            .arg(connections.to_string())
            .args(messages.map(|most| most.to_string()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{PYTHON} is needed: apt-get install python3-aiosmtpd"))?;
        let mut port = String::new();
        let told = process.stdout.as_mut().map(|out| BufReader::new(out).read_line(&mut port)).transpose()?;
        if told.unwrap_or_default() == 0 {
            bail!("the mail server for tests did not start: apt-get install python3-aiosmtpd");
        }
        Ok(SmtpSink { process, port: port.trim().parse()?, log, _folder: folder })
    }

    /// As in `mail.smtp_url`.
    pub fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    /// What it has taken so far, in that order.
    pub fn taken(&self) -> Result<Vec<Taken>> {
        read(&self.log)
    }
}

/// What stands in a file that is still written to, without a last line that is half there.
pub(crate) fn lines(log: &Path) -> Result<Vec<String>> {
    let text = std::fs::read_to_string(log)?;
    let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
    Ok(whole.lines().map(str::to_owned).collect())
}

pub(crate) fn read(log: &Path) -> Result<Vec<Taken>> {
    let message = |line: String| {
        let line: Line = serde_json::from_str(&line)?;
        let data = String::from_utf8(BASE64_STANDARD.decode(line.data)?)?;
        Ok(Taken { to: line.to, data, at: (line.at * 1_000.0) as u64, by: line.by, is_secret: line.secret })
    };
    lines(log)?.into_iter().map(message).collect()
}

impl Drop for SmtpSink {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
