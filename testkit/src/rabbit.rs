//! RabbitMQ for tests: a broker on free ports in a temporary folder, as a process of its own. It ends with whoever started it,
//! however that ends.

use std::{
    io::{BufRead, BufReader, Write},
    os::unix::process::CommandExt,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{Mutex, OnceLock, PoisonError},
};

use anyhow::{Context, Result, bail, ensure};
use rcgen::{CertifiedKey, generate_simple_self_signed};

use crate::port;

/// A broker.
pub struct RabbitMq {
    at: String,
    /// Its other port, of this machine by name, where it speaks TLS.
    secure: u16,
    certificate: String,
    keeper: Child,
    /// Nothing once it is to end.
    talk: Mutex<Option<Talk>>,
}

struct Talk {
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl RabbitMq {
    /// The broker that all tests of a program share, started by the first; each takes names of its own there.
    pub fn shared() -> &'static RabbitMq {
        static SHARED: OnceLock<RabbitMq> = OnceLock::new();
        SHARED.get_or_init(|| RabbitMq::start().expect("RabbitMQ"))
    }

    /// Starts one, in a few seconds.
    pub fn start() -> Result<RabbitMq> {
        RabbitMq::start_on("127.0.0.1")
    }

    /// Starts one on another address of this machine.
    pub fn start_on(ip: &str) -> Result<RabbitMq> {
        let ports = [(); 4].map(|()| port::free(ip));
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()])?;
        let mut shell = Command::new("sh");
        shell.args(["-c", include_str!("rabbit.sh"), "rabbit.sh", ip]).args(ports.iter().map(u16::to_string));
        shell.args([cert.pem(), signing_key.serialize_pem()]);
        // In a process group of its own, or Ctrl-C would end it before it has cleaned up.
        let mut keeper = shell.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(to), Some(from)) = (keeper.stdin.take(), keeper.stdout.take()) else { bail!("no pipes") };
        let mut talk = Talk { to, from: BufReader::new(from) };
        talk.hear("start").context("RabbitMQ did not start: apt-get install rabbitmq-server")?;
        let (at, secure) = (format!("{ip}:{}", ports[0]), ports[3]);
        Ok(RabbitMq { at, secure, certificate: cert.pem(), keeper, talk: Mutex::new(Some(talk)) })
    }

    /// As in `rabbitmq.url`.
    pub fn url(&self) -> String {
        format!("amqp://guest:guest@{}", self.at)
    }

    /// As in `rabbitmq.url`, with TLS. Nobody trusts its [`RabbitMq::certificate`] unless told to.
    pub fn secure_url(&self) -> String {
        format!("amqps://guest:guest@localhost:{}", self.secure)
    }

    /// What it shows to whoever connects with TLS, as PEM.
    pub fn certificate(&self) -> &str {
        &self.certificate
    }

    /// Stops it, keeping what it has.
    pub fn down(&self) -> Result<()> {
        self.tell("stop")
    }

    /// Starts it again, on what it had.
    pub fn up(&self) -> Result<()> {
        self.tell("start")
    }

    fn tell(&self, word: &str) -> Result<()> {
        let mut talk = self.talk.lock().unwrap_or_else(PoisonError::into_inner);
        let talk = talk.as_mut().context("it has ended")?;
        writeln!(talk.to, "{word}")?;
        talk.hear(word)
    }
}

impl Talk {
    fn hear(&mut self, word: &str) -> Result<()> {
        let mut line = String::new();
        self.from.read_line(&mut line)?;
        ensure!(line.trim_end() == word, "RabbitMQ was to {word}, and said “{}”", line.trim_end());
        Ok(())
    }
}

impl Drop for RabbitMq {
    fn drop(&mut self) {
        // It ends when nobody can talk to it any more.
        *self.talk.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
        let _ = self.keeper.wait();
    }
}
