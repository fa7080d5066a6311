//! A mail server for tests that speaks TLS and wants a password, and that can be told to be one that must not be trusted or that
//! refuses; see `secure_sink.py`. It ends with the test.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::PathBuf,
    process::{Child, ChildStdout, Command, Stdio},
};

use anyhow::{Context, Result, bail, ensure};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde::Deserialize;
use tempfile::TempDir;

use crate::{
    authority::Authority,
    smtp::{PYTHON, Taken, lines, read},
};

/// Who may hand messages over, with letters that an address has to escape.
pub const LOGIN: (&str, &str) = ("docket@college.example", "heron:7@ä");
/// Both as they stand in an address.
const ESCAPED: (&str, &str) = ("docket%40college.example", "heron%3A7%40%C3%A4");

/// How it behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    Good,
    /// Its certificate is for another name.
    OtherName,
    /// Its certificate is of an authority that nobody knows.
    Stranger,
    /// Its certificate has expired.
    Expired,
    /// It speaks no TLS, and offers to be signed in to all the same.
    Clear,
    /// It refuses the password, and repeats what it was sent.
    NoPassword,
    /// It refuses each message for its size before it was sent.
    TooLarge,
    /// And once it was.
    TooLargeAtEnd,
}

/// A mail server.
pub struct SecureSink {
    process: Child,
    from: BufReader<ChildStdout>,
    /// For TLS from the first byte, and for STARTTLS.
    ports: [u16; 2],
    folder: TempDir,
}

#[derive(Deserialize)]
struct Heard {
    data: String,
    secret: bool,
}

impl SecureSink {
    /// Starts a good one.
    pub fn start() -> Result<SecureSink> {
        let folder = tempfile::tempdir()?;
        let (own, strange) = (Authority::new("ours")?, Authority::new("a stranger's")?);
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text);
        write("authority", &own.pem())?;
        write("good.pem", &own.certify("localhost")?)?;
        write("other-name.pem", &own.certify("mail.elsewhere.example")?)?;
        write("stranger.pem", &strange.certify("localhost")?)?;
        write("expired.pem", &own.certify_until_2020("localhost")?)?;
        write("heard.jsonl", "")?;
        write("taken.jsonl", "")?;
        let mut process = Command::new(PYTHON)
            .args(["-W", "ignore", "-c", include_str!("secure_sink.py")])
            .arg(folder.path())
            .args([LOGIN.0, LOGIN.1])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{PYTHON} is needed: apt-get install python3-aiosmtpd"))?;
        let Some(from) = process.stdout.take() else { bail!("no pipe") };
        let mut sink = SecureSink { process, from: BufReader::new(from), ports: [0; 2], folder };
        sink.behave(Manner::Good)
            .context("the mail server for tests did not start: apt-get install python3-aiosmtpd")?;
        Ok(sink)
    }

    /// Lets it be another one from now on, at the same ports, and ends all connections.
    pub fn behave(&mut self, manner: Manner) -> Result<()> {
        let word = manner.word();
        writeln!(self.process.stdin.as_mut().context("no pipe")?, "{word}")?;
        let mut line = String::new();
        self.from.read_line(&mut line)?;
        let mut said = line.split_whitespace();
        ensure!(said.next() == Some(word), "it was to be {word}, and said “{}”", line.trim_end());
        for port in &mut self.ports {
            *port = said.next().context("no port")?.parse()?;
        }
        Ok(())
    }

    /// As in `mail.smtp_url`, with TLS from the first byte.
    pub fn url(&self) -> String {
        format!("smtps://{}:{}@localhost:{}", ESCAPED.0, ESCAPED.1, self.ports[0])
    }

    /// As in `mail.smtp_url`, with STARTTLS.
    pub fn start_tls_url(&self) -> String {
        format!("smtp://{}:{}@localhost:{}?tls=required", ESCAPED.0, ESCAPED.1, self.ports[1])
    }

    /// A file with the authority that its good certificate is of, which nobody trusts unless told to.
    pub fn authority(&self) -> PathBuf {
        self.folder.path().join("authority")
    }

    /// What it has taken so far, in that order; nothing of anybody who had not signed in.
    pub fn taken(&self) -> Result<Vec<Taken>> {
        read(&self.folder.path().join("taken.jsonl"))
    }

    /// All that it has heard in the clear.
    pub fn heard_in_the_clear(&self) -> Result<String> {
        let mut all = Vec::new();
        for line in lines(&self.folder.path().join("heard.jsonl"))? {
            let heard: Heard = serde_json::from_str(&line)?;
            if !heard.secret {
                all.extend(BASE64_STANDARD.decode(heard.data)?);
            }
        }
        Ok(String::from_utf8_lossy(&all).into_owned())
    }

    /// Whether a text holds the password: plain, as in an address, or as either way of signing in sends it.
    pub fn tells_password(text: &str) -> bool {
        let both = BASE64_STANDARD.encode(format!("\0{}\0{}", LOGIN.0, LOGIN.1));
        let alone = BASE64_STANDARD.encode(LOGIN.1);
        [LOGIN.1, ESCAPED.1, &both, &alone].iter().any(|password| text.contains(password))
    }
}

impl Manner {
    fn word(self) -> &'static str {
        match self {
            Manner::Good => "good",
            Manner::OtherName => "other-name",
            Manner::Stranger => "stranger",
            Manner::Expired => "expired",
            Manner::Clear => "clear",
            Manner::NoPassword => "no-password",
            Manner::TooLarge => "too-large",
            Manner::TooLargeAtEnd => "too-large-at-end",
        }
    }
}

impl Drop for SecureSink {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
