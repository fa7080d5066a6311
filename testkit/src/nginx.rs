//! nginx for tests, as in `deploy/nginx`: it speaks TLS and serves Docket under a path. It ends with whoever started it, however
//! that ends.

use std::{
    fs,
    io::{BufRead, BufReader},
    net::TcpListener,
    process::{Child, Command, Stdio},
};

use anyhow::{Context, Result, ensure};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use tempfile::TempDir;

use crate::port;

/// The path in `deploy/nginx/docket.conf`.
const PATH: &str = "/apps/docket";

/// An address that nginx will have.
pub struct Reserved(TcpListener);

impl Reserved {
    pub fn new() -> Result<Reserved> {
        Ok(Reserved(TcpListener::bind(("127.0.0.1", port::free("127.0.0.1")))?))
    }

    /// As in `http.public_url`.
    pub fn url(&self) -> Result<String> {
        Ok(format!("https://{}{PATH}", self.0.local_addr()?))
    }
}

/// nginx.
pub struct Nginx {
    certificate: String,
    keeper: Child,
    _folder: TempDir,
}

impl Nginx {
    /// Starts it before the process that listens at `docket`.
    pub fn start(at: Reserved, docket: &str) -> Result<Nginx> {
        let folder = tempfile::tempdir()?;
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["127.0.0.1".to_owned()])?;
        let listen = at.0.local_addr()?;
        let settings = SETTINGS
            .replace("{folder}", &folder.path().display().to_string())
            .replace("{location}", concat!(env!("CARGO_MANIFEST_DIR"), "/../deploy/nginx/docket.conf"))
            .replace("{docket}", docket)
            .replace("{listen}", &listen.to_string());
        fs::write(folder.path().join("certificate"), cert.pem())?;
        fs::write(folder.path().join("key"), signing_key.serialize_pem())?;
        fs::write(folder.path().join("nginx.conf"), settings)?;
        drop(at);
        // The shell ends it when its own standard input does.
        let mut keeper = Command::new("sh")
            .args(["-c", KEEPER, "nginx"])
            .arg(folder.path().join("nginx.conf"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        BufReader::new(keeper.stdout.take().context("no pipe")?).read_line(&mut line)?;
        ensure!(line.trim_end() == "started", "nginx did not start: apt-get install nginx-light");
        Ok(Nginx { certificate: cert.pem(), keeper, _folder: folder })
    }

    /// What it shows to whoever connects, as PEM.
    pub fn certificate(&self) -> &str {
        &self.certificate
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

/// Says `started` once it listens.
const KEEPER: &str = r#"
nginx=/usr/sbin/nginx
[ -x "$nginx" ] || { echo "nginx is not installed" >&2; exit 1; }
"$nginx" -c "$1" >&2 &
pid=$!
until [ -e "$(dirname "$1")/pid" ]; do kill -0 $pid || exit 1; sleep 0.05; done
echo started
cat >/dev/null
kill $pid
"#;

const SETTINGS: &str = r#"
daemon off;
master_process off;
pid {folder}/pid;
error_log stderr error;
events {}
http {
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    upstream docket { server {docket}; }
    server {
        listen {listen} ssl;
        ssl_certificate {folder}/certificate;
        ssl_certificate_key {folder}/key;
        include {location};
        location / { return 404; }
    }
}
"#;
