//! The real binary in a folder of its own, as processes that a test starts, signals and looks at from outside.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, ExitStatus, Output, Stdio},
    time::{Duration, Instant},
};

use queue::{Clock, Database};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::On;
use tokio::sync::OnceCell;

/// The longest a condition is waited for.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Tests ask faster than anybody, on a quick machine faster than one account may.
const EAGER: [(&str, &str); 3] = [
    ("DOCKET__LIMITS__REQUESTS_PER_SECOND", "10000"),
    ("DOCKET__LIMITS__REQUEST_BURST", "10000"),
    ("DOCKET__LIMITS__REQUESTS_AT_ONCE", "10000"),
];

/// A database with an administrator, and a folder for logs.
pub struct Place {
    pub folder: TempDir,
    pub url: String,
    pub token: String,
    /// For looking at the database from outside.
    eye: OnceCell<Database>,
}

/// One process of `docket serve`. It is killed when this is dropped.
pub struct Process {
    child: Child,
    pub address: String,
    pub token: String,
    log: std::path::PathBuf,
}

/// A folder, and the URL of a database without tables.
pub async fn empty(on: On) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let url = match on {
        On::Sqlite => testkit::sqlite_url(&folder.path().join("docket.db")),
        On::Postgres => testkit::empty_postgres().await.unwrap(),
    };
    (folder, url)
}

impl Place {
    pub async fn on(on: On) -> Place {
        let folder = tempfile::tempdir().unwrap();
        let url = testkit::migrated(on, folder.path()).await.unwrap();
        Place::at(folder, url)
    }

    /// At a database of the caller's.
    pub fn at(folder: TempDir, url: String) -> Place {
        let mut place = Place::bare(folder, url);
        place.command(&["user", "add", "ines", "--role", "administrator"]);
        place.token = place.command(&["user", "token", "ines", "--scope", "administer"]).trim().to_owned();
        place
    }

    /// At a database that nothing has touched yet.
    pub fn bare(folder: TempDir, url: String) -> Place {
        Place { folder, url, token: String::new(), eye: OnceCell::new() }
    }

    fn docket(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_docket"));
        command.current_dir(self.folder.path()).env_clear().env("DOCKET__DATABASE__URL", &self.url);
        command
    }

    /// Runs a command that may be refused.
    pub fn try_command(&self, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
        self.docket().args(arguments).envs(environment.iter().copied()).output().unwrap()
    }

    /// Starts a command that goes on for a while, and waits for its first line.
    pub fn begin_command(&self, arguments: &[&str], environment: &[(&str, &str)]) -> (Begun, String) {
        let mut command = self.docket();
        let mut child =
            command.args(arguments).envs(environment.iter().copied()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        (Begun(child), line)
    }

    pub fn command(&self, arguments: &[&str]) -> String {
        let output = self.try_command(arguments, &[]);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    /// Starts a process and waits until it is ready, by its port or, for a worker, by its log.
    pub fn start(&self, name: &str, role: &str, settings: &[(&str, &str)]) -> Process {
        let process = self.spawn(name, role, settings);
        match role {
            "worker" => wait("the worker", || process.log().contains("ready to run tasks").then_some(())),
            _ => until_ready(&process),
        }
        process
    }

    /// Starts a process.
    pub fn spawn(&self, name: &str, role: &str, settings: &[(&str, &str)]) -> Process {
        self.spawn_by(self.docket(), name, role, settings)
    }

    /// Starts a process that gets no more memory than this, in bytes.
    pub fn spawn_within(&self, memory: u64, name: &str, role: &str, settings: &[(&str, &str)]) -> Process {
        let mut limited = Command::new("prlimit");
        limited.arg(format!("--as={memory}")).arg("--").arg(env!("CARGO_BIN_EXE_docket"));
        limited.current_dir(self.folder.path()).env_clear().env("DOCKET__DATABASE__URL", &self.url);
        self.spawn_by(limited, name, role, settings)
    }

    fn spawn_by(&self, docket: Command, name: &str, role: &str, settings: &[(&str, &str)]) -> Process {
        self.spawn_at(format!("127.0.0.1:{}", testkit::port::free("127.0.0.1")), docket, name, role, settings)
    }

    /// Starts a process that listens on that address.
    pub fn spawn_at(
        &self,
        address: String,
        mut docket: Command,
        name: &str,
        role: &str,
        settings: &[(&str, &str)],
    ) -> Process {
        let log = self.folder.path().join(format!("{name}.log"));
        let child = docket
            .args(["serve", "--role", role])
            .env("DOCKET__HTTP__LISTEN", &address)
            .env("DOCKET__SYSTEM_ID", name)
            .envs(EAGER)
            .envs(settings.iter().copied())
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(&log).unwrap())
            .spawn()
            .unwrap();
        Process { child, address, token: self.token.clone(), log }
    }

    async fn eye(&self) -> &Database {
        self.eye.get_or_init(async || Database::connect(&self.url, Clock::default(), 2).await.unwrap()).await
    }

    /// Changes the database from outside.
    pub async fn write(&self, sql: &str) {
        self.eye().await.write(sql, []).await.unwrap();
    }

    /// The first value of the first row.
    pub async fn value(&self, sql: &str) -> i64 {
        let db = self.eye().await;
        let row = db.reader().query_one_raw(db.statement(sql, [])).await.unwrap().unwrap();
        row.try_get_by_index(0).unwrap()
    }
}

impl Process {
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    pub fn signal(&self, name: &str) {
        let id = self.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    pub fn end(&mut self) -> ExitStatus {
        wait("the process to end", || self.child.try_wait().unwrap())
    }

    pub fn post(&self, path: &str, body: &Value) -> Value {
        let answer = ureq::post(format!("http://{}{path}", self.address))
            .header("authorization", format!("Bearer {}", self.token))
            .content_type("application/json")
            .send(body.to_string())
            .unwrap();
        serde_json::from_str(&answer.into_body().read_to_string().unwrap()).unwrap()
    }

    pub fn get(&self, path: &str) -> Value {
        let answer = ureq::get(format!("http://{}{path}", self.address))
            .header("authorization", format!("Bearer {}", self.token))
            .call()
            .unwrap();
        serde_json::from_str(&answer.into_body().read_to_string().unwrap()).unwrap()
    }

    /// Submits self-tests of so many steps of so many milliseconds, and returns their ids.
    pub fn self_tests(&self, count: u32, chunks: u32, sleep_ms: u32) -> Vec<String> {
        let body = json!({ "count": count, "chunks": chunks, "sleepMs": sleep_ms });
        let tasks = self.post("/api/1/admin/self-test", &body);
        tasks.as_array().unwrap().iter().map(|task| task["id"].as_str().unwrap().to_owned()).collect()
    }
}

/// A command that goes on. It is killed when this is dropped.
pub struct Begun(pub Child);

impl Drop for Begun {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            print_log(&self.log);
        }
    }
}

#[expect(clippy::print_stderr, reason = "the log of a failed test")]
fn print_log(path: &Path) {
    eprintln!("{}:\n{}", path.display(), std::fs::read_to_string(path).unwrap_or_default());
}

/// Waits until a process answers requests.
pub fn until_ready(process: &Process) {
    let url = format!("http://{}/readyz", process.address);
    wait("the process to be ready", || {
        // What it leaves is a line that says why.
        assert!(!process.log().starts_with("docket: "), "it could not start");
        ureq::get(&url).call().is_ok().then_some(())
    });
}

/// Waits for a condition that is asked of a database, looking again and again.
pub async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    let looking = async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, looking).await.unwrap_or_else(|_| panic!("waited too long for {what}"));
}

/// Waits for a condition, looking again and again.
pub fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let since = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(since.elapsed() < PATIENCE, "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
