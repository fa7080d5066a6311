//! A PostgreSQL that keeps its promises to the disk and can be stopped, started and restarted.

use std::{
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, ensure};

/// A cluster in a temporary folder, gone when this is dropped.
pub struct OwnPostgres {
    folder: PathBuf,
    data: PathBuf,
    programs: PathBuf,
    pub port: u16,
}

/// What of a cluster lies on a disk of its own.
#[derive(Clone, Copy)]
pub enum Apart<'a> {
    Nothing,
    Data(&'a Path),
    /// What a commit waits for, and is written to the data later.
    Log(&'a Path),
}

impl OwnPostgres {
    pub fn start() -> Result<OwnPostgres> {
        OwnPostgres::begin(Apart::Nothing, None)
    }

    /// One that has part of its files elsewhere.
    pub fn on_disk(apart: Apart) -> Result<OwnPostgres> {
        OwnPostgres::begin(apart, None)
    }

    /// One that hosts of this network can reach, too: its address there, and the network.
    pub fn also_on(address: (&str, &str)) -> Result<OwnPostgres> {
        OwnPostgres::begin(Apart::Nothing, Some(address))
    }

    fn begin(apart: Apart, address: Option<(&str, &str)>) -> Result<OwnPostgres> {
        let versions = std::fs::read_dir("/usr/lib/postgresql").context("PostgreSQL is not installed")?;
        let programs = versions.flatten().map(|entry| entry.path().join("bin")).max().context("no PostgreSQL")?;
        let port = crate::port::free("127.0.0.1");
        let folder = PathBuf::from(format!("/tmp/docket-postgres-{port}"));
        let (data, log) = match apart {
            Apart::Nothing => (folder.join("data"), String::new()),
            Apart::Data(disk) => (disk.join("data"), format!("--waldir {}/ahead", folder.display())),
            // In small pieces, so that it fits a small disk.
            Apart::Log(disk) => (folder.join("data"), format!("--waldir {}/ahead --wal-segsize 1", disk.display())),
        };
        let postgres = OwnPostgres { folder, data, programs, port };
        let (dir, data) = (postgres.folder.display(), postgres.data.display());
        let how = format!("-U postgres -A trust -E UTF8 --locale=C {log}");
        postgres.shell(&format!("mkdir -m 700 {dir} && $BIN/initdb -D {data} {how}"))?;
        let also = address.map(|(ours, _)| format!(",{ours}")).unwrap_or_default();
        postgres.shell(&format!(
            "printf \"listen_addresses='127.0.0.1{also}'\\nport={port}\\nunix_socket_directories='{dir}'\\nmax_connections=200\\n\" >> {data}/postgresql.conf"
        ))?;
        if let Some((_, network)) = address {
            postgres.shell(&format!("echo 'host all all {network} trust' >> {data}/pg_hba.conf"))?;
        }
        postgres.up()?;
        Ok(postgres)
    }

    /// A new database, reached on `port`, which may be that of a proxy.
    pub fn database(&self, name: &str, port: u16) -> Result<String> {
        self.shell(&format!("$BIN/createdb -h 127.0.0.1 -p {} -U postgres {name}", self.port))?;
        Ok(format!("postgres://postgres@127.0.0.1:{port}/{name}"))
    }

    pub fn up(&self) -> Result<()> {
        self.control("-t 60 start")
    }

    /// Ends it as a power cut does.
    pub fn down(&self) -> Result<()> {
        self.control("-m immediate stop")
    }

    /// Ends it in the same way, if it has not ended by itself, and starts it.
    pub fn restart(&self) -> Result<()> {
        self.control("-m immediate -t 60 restart")
    }

    /// What it has said so far.
    pub fn said(&self) -> String {
        std::fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    fn control(&self, what: &str) -> Result<()> {
        self.shell(&format!("$BIN/pg_ctl -D {} -l {}/log -w {what}", self.data.display(), self.folder.display()))
    }

    fn shell(&self, script: &str) -> Result<()> {
        // PostgreSQL refuses to run as root.
        let is_root = std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
        let mut command = if is_root { Command::new("runuser") } else { Command::new("sh") };
        if is_root {
            command.args(["-u", "postgres", "--", "sh"]);
        }
        let done = command.arg("-c").arg(script).env("BIN", &self.programs).current_dir("/").stdout(Stdio::null());
        ensure!(done.status()?.success(), "{script}");
        Ok(())
    }
}

impl Drop for OwnPostgres {
    fn drop(&mut self) {
        let (dir, data) = (self.folder.display(), self.data.display());
        // What is on another disk goes with that.
        let _ = self.shell(&format!("$BIN/pg_ctl -D {data} -m immediate stop || true; rm -rf {dir}"));
    }
}
