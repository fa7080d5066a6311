//! The real binary, killed and told to stop in the middle of a change of 20,000 people: it goes on where it was, and in the end
//! everybody was treated once.

use std::{
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use queue::{Clock, Database};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};
use tempfile::TempDir;
use testkit::On;

const PEOPLE: u64 = 20_000;
/// The longest a condition is waited for.
const PATIENCE: Duration = Duration::from_secs(120);

testkit::on_both!(a_killed_server_goes_on_from_the_bookmark, a_server_told_to_stop_puts_its_task_back);

/// A server of its own folder and database, its port found anew at each start.
struct Server {
    folder: TempDir,
    url: String,
    token: String,
    child: Option<Child>,
    address: String,
}

impl Server {
    async fn with_people(on: On) -> Server {
        let folder = tempfile::tempdir().unwrap();
        let url = match on {
            On::Sqlite => testkit::sqlite_url(&folder.path().join("docket.db")),
            On::Postgres => testkit::empty_postgres().await.unwrap(),
        };
        let mut server = Server { folder, url, token: String::new(), child: None, address: String::new() };
        server.command(&["people", "generate", "--count", &PEOPLE.to_string(), "--seed", "1"]);
        server.command(&["user", "add", "katrin", "--role", "manager"]);
        server.token = server.command(&["user", "token", "katrin"]).trim().to_owned();
        server
    }

    fn docket(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_docket"));
        command.current_dir(self.folder.path()).env_clear().env("DOCKET__DATABASE__URL", &self.url);
        command
    }

    fn command(&self, arguments: &[&str]) -> String {
        let output = self.docket().args(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn start(&mut self) {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        self.address = format!("127.0.0.1:{port}");
        let log = std::fs::File::create(self.folder.path().join("log")).unwrap();
        // Small chunks, so that there is a middle to be hit.
        let child = self
            .docket()
            .arg("serve")
            .env("DOCKET__HTTP__LISTEN", &self.address)
            .env("DOCKET__ACTIONS__CHUNK", "1ms")
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        self.child = Some(child);
        let address = format!("http://{}/readyz", self.address);
        wait("the server to be ready", || ureq::get(&address).call().is_ok().then_some(()));
    }

    fn signal(&self, name: &str) {
        let id = self.child.as_ref().unwrap().id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    fn end(&mut self) -> std::process::ExitStatus {
        let mut child = self.child.take().unwrap();
        wait("the server to end", || child.try_wait().unwrap())
    }

    fn submit(&self) -> String {
        let body = json!({ "target": { "everyone": true }, "programStatus": "TRANSITIONED", "confirmTotal": PEOPLE });
        let answer = ureq::post(format!("http://{}/api/1/people/program-status", self.address))
            .header("authorization", format!("Bearer {}", self.token))
            .content_type("application/json")
            .send(body.to_string())
            .unwrap();
        assert_eq!(answer.status(), 202);
        let body: Value = serde_json::from_str(&answer.into_body().read_to_string().unwrap()).unwrap();
        body["id"].as_str().unwrap().to_owned()
    }

    fn task(&self, id: &str) -> Value {
        let answer = ureq::get(format!("http://{}/api/1/tasks/{id}", self.address))
            .header("authorization", format!("Bearer {}", self.token))
            .call()
            .unwrap();
        serde_json::from_str(&answer.into_body().read_to_string().unwrap()).unwrap()
    }

    /// Waits until some people are treated, but not all.
    fn until_midway(&self, id: &str) {
        let treated = wait("the middle of the task", || Some(treated(&self.task(id))).filter(|treated| *treated > 0));
        assert!(treated < PEOPLE, "it was over before it could be hit");
    }

    fn until_completed(&self, id: &str) -> Value {
        wait("the task to complete", || Some(self.task(id)).filter(|task| task["status"] == "COMPLETED"))
    }

    async fn assert_everybody_once(&self) {
        let db = Database::connect(&self.url, Clock::default(), 2).await.unwrap();
        let count = async |sql: &str| -> i64 {
            let row = db.reader().query_one_raw(db.statement(sql, [])).await.unwrap().unwrap();
            row.try_get_by_index(0).unwrap()
        };
        let people = PEOPLE.cast_signed();
        assert_eq!(count("SELECT COUNT(*) FROM task_person WHERE outcome IS NOT NULL").await, people);
        assert_eq!(count("SELECT COUNT(DISTINCT person_id) FROM task_person").await, people);
        let done = count("SELECT COUNT(*) FROM task_person WHERE outcome = 'DONE'").await;
        let written = "SELECT COUNT(*) FROM program_status_history WHERE task_id IS NOT NULL";
        assert_eq!(count(written).await, done, "one history row for each person who was changed");
        let open = "SELECT COUNT(*) FROM (SELECT person_id FROM program_status_history WHERE expiration_date IS NULL
            GROUP BY person_id HAVING COUNT(*) = 1) AS single";
        assert_eq!(count(open).await, people);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
        if std::thread::panicking() {
            print_log(&self.folder.path().join("log"));
        }
    }
}

#[expect(clippy::print_stderr, reason = "the log of a failed test")]
fn print_log(path: &Path) {
    eprintln!("{}", std::fs::read_to_string(path).unwrap_or_default());
}

fn treated(task: &Value) -> u64 {
    ["succeeded", "skipped", "failed", "uncertain"].iter().map(|name| task[name].as_u64().unwrap()).sum()
}

fn wait<T>(what: &str, mut ready: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(value) = ready() {
            return value;
        }
        assert!(began.elapsed() < PATIENCE, "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

async fn a_killed_server_goes_on_from_the_bookmark(on: On) {
    let mut server = Server::with_people(on).await;
    server.start();
    let id = server.submit();
    server.until_midway(&id);
    server.signal("-KILL");
    assert!(!server.end().success());
    let before = server.command(&["task", "show", &id, "--json"]);
    let before = treated(&serde_json::from_str(&before).unwrap());
    assert!(before > 0 && before < PEOPLE);

    server.start();
    let done = server.until_completed(&id);
    assert_eq!((treated(&done), done["attempt"].as_u64(), done["failures"].as_u64()), (PEOPLE, Some(2), Some(0)));
    server.assert_everybody_once().await;
}

async fn a_server_told_to_stop_puts_its_task_back(on: On) {
    let mut server = Server::with_people(on).await;
    server.start();
    let id = server.submit();
    server.until_midway(&id);
    let told = Instant::now();
    server.signal("-TERM");
    assert_eq!(server.end().code(), Some(0));
    assert!(told.elapsed() < Duration::from_secs(20), "within the grace time");
    let back = server.command(&["task", "show", &id, "--json"]);
    let back: Value = serde_json::from_str(&back).unwrap();
    assert_eq!((back["status"].as_str(), back["failures"].as_u64()), (Some("QUEUED"), Some(0)));
    assert!(treated(&back) > 0 && treated(&back) < PEOPLE);

    server.start();
    assert_eq!(treated(&server.until_completed(&id)), PEOPLE);
    server.assert_everybody_once().await;
}
