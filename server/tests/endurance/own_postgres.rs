//! A PostgreSQL that keeps its promises to the disk and can be stopped, started and restarted.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
};

/// A cluster in a temporary folder, gone when this is dropped.
pub struct OwnPostgres {
    folder: PathBuf,
    programs: PathBuf,
    pub port: u16,
}

impl OwnPostgres {
    pub fn start() -> OwnPostgres {
        OwnPostgres::also_on(None)
    }

    /// One that hosts of this network can reach, too.
    pub fn also_on(address: Option<(&str, &str)>) -> OwnPostgres {
        let versions = std::fs::read_dir("/usr/lib/postgresql").expect("PostgreSQL is not installed");
        let programs = versions.flatten().map(|entry| entry.path().join("bin")).max().unwrap();
        let port = testkit::port::free("127.0.0.1");
        let folder = PathBuf::from(format!("/tmp/docket-endurance-{port}"));
        let postgres = OwnPostgres { folder, programs, port };
        let dir = postgres.folder.display();
        let also = address.map(|(ours, _)| format!(",{ours}")).unwrap_or_default();
        postgres
            .shell(&format!("mkdir -m 700 {dir} && $BIN/initdb -D {dir}/data -U postgres -A trust -E UTF8 --locale=C"));
        postgres.shell(&format!(
            "printf \"listen_addresses='127.0.0.1{also}'\\nport={port}\\nunix_socket_directories='{dir}'\\nmax_connections=200\\n\" >> {dir}/data/postgresql.conf"
        ));
        if let Some((_, network)) = address {
            postgres.shell(&format!("echo 'host all all {network} trust' >> {dir}/data/pg_hba.conf"));
        }
        postgres.up();
        postgres
    }

    /// A new database, reached on `port`, which may be that of a proxy.
    pub fn database(&self, name: &str, port: u16) -> String {
        self.shell(&format!("$BIN/createdb -h 127.0.0.1 -p {} -U postgres {name}", self.port));
        format!("postgres://postgres@127.0.0.1:{port}/{name}")
    }

    pub fn up(&self) {
        let dir = self.folder.display();
        self.shell(&format!("$BIN/pg_ctl -D {dir}/data -l {dir}/log -w -t 60 start"));
    }

    /// Ends it as a power cut does.
    pub fn down(&self) {
        self.shell(&format!("$BIN/pg_ctl -D {}/data -m immediate -w stop", self.folder.display()));
    }

    pub fn restart(&self) {
        self.down();
        self.up();
    }

    fn shell(&self, script: &str) {
        // PostgreSQL refuses to run as root.
        let root = std::fs::metadata("/proc/self").is_ok_and(|own| std::os::unix::fs::MetadataExt::uid(&own) == 0);
        let mut command = if root { Command::new("runuser") } else { Command::new("sh") };
        if root {
            command.args(["-u", "postgres", "--", "sh"]);
        }
        let done =
            command.arg("-c").arg(script).env("BIN", &self.programs).current_dir("/").stdout(Stdio::null()).status();
        assert!(done.unwrap().success(), "{script}");
    }
}

impl Drop for OwnPostgres {
    fn drop(&mut self) {
        let dir = self.folder.display();
        self.shell(&format!("$BIN/pg_ctl -D {dir}/data -m immediate stop || true; rm -rf {dir}"));
    }
}
