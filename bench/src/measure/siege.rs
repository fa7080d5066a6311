//! What somebody else's page costs while everybody does the worst that they may: 200 connections whose request never ends, 200
//! whose answer is never read, 20 accounts at their limits, and one attacker at each door that has to work for its answer.
//!
//! `siege BINARY [PEOPLE] [SECONDS] [DOOR…]`: starts the `docket` at BINARY in a temporary folder on SQLite with PEOPLE people,
//! asks for `/people` as a manager for SECONDS alone and for SECONDS under siege, by turns, since the machine is not always as
//! quick, and prints both, the ratio, what was answered at each door, and the memory of the process. The attacker tries all doors
//! unless some are named. Everything ends by itself.

use std::{
    collections::BTreeMap,
    env::Args,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use bench::{
    crowd::rows,
    docket::Docket,
    goal::Goals,
    http::{self, Body},
    summary,
};
use futures::future::join_all;
use tokio::{io::AsyncWriteExt, net::TcpStream, task::JoinSet, time::sleep};

/// Connections of either idle sort.
const IDLE: usize = 200;
const ACCOUNTS: usize = 20;
/// Event streams that one account tries to hold.
const STREAMS: usize = 10;
/// Between two pages of whoever is measured: somebody who opens one after the other.
const PAUSE: Duration = Duration::from_millis(250);
/// How long they are measured alone and under siege, by turns, and between the two.
const TURN: Duration = Duration::from_secs(10);
const BETWEEN: Duration = Duration::from_secs(2);

pub async fn measure(mut arguments: Args) -> Result<()> {
    let binary: PathBuf = arguments.next().context("usage: siege BINARY [PEOPLE] [SECONDS]")?.into();
    let people: u64 = arguments.next().map_or(Ok(30_000), |text| text.parse())?;
    let seconds: u64 = arguments.next().map_or(Ok(60), |text| text.parse())?;
    let named: Vec<String> = arguments.collect();

    let mut docket = Docket::as_it_comes(&binary, &[])?;
    docket.command_of(&["migrate"])?;
    docket.command_of(&["people", "generate", "--count", &people.to_string(), "--seed", "1"])?;
    let reader = docket.account("reader", "manager")?;
    let attacker = docket.account("attacker", "manager")?;
    let accounts = (0..ACCOUNTS).map(|number| docket.account(&format!("account{number}"), "manager"));
    let accounts = accounts.collect::<Result<Vec<_>>>()?;
    docket.start().await?;
    let address: Arc<str> = docket.address.as_str().into();

    // The first requests of all make the server larger once.
    read(&address, &reader, Duration::from_secs(3)).await?;
    let idle = docket.memory().0;
    let connections = open_idle(&address).await?;
    sleep(Duration::from_secs(1)).await;
    let connected = docket.memory().0 - idle;
    drop(connections);

    let answers = Answers::default();
    let (mut alone, mut besieged) = (Vec::new(), Vec::new());
    for _ in 0..seconds.div_ceil(TURN.as_secs()) {
        alone.extend(read(&address, &reader, TURN).await?);
        let connections = open_idle(&address).await?;
        let mut siege = JoinSet::new();
        for token in &accounts {
            siege.spawn(at_its_limits(address.clone(), token.clone(), answers.clone()));
        }
        for door in
            doors(people).into_iter().filter(|door| named.is_empty() || named.iter().any(|name| name == door.name))
        {
            siege.spawn(knock(address.clone(), attacker.clone(), door, answers.clone()));
        }
        sleep(BETWEEN).await;
        besieged.extend(read(&address, &reader, TURN).await?);
        siege.shutdown().await;
        drop(connections);
        until_done(&address, &attacker).await?;
        sleep(BETWEEN).await;
    }
    let (after, peak) = docket.memory();

    let (alone, besieged) = (told("alone", &mut alone), told("under siege", &mut besieged));
    println!("p99 under siege is {:.2} of what it is alone", besieged / alone);
    println!(
        "memory: {idle:.0} MiB idle, {connected:+.1} MiB with {} idle connections, {:+.0} MiB at most, {:+.0} MiB afterwards",
        2 * IDLE,
        peak - idle,
        after - idle
    );
    answers.tell();
    let mut goals = Goals::default();
    goals.at_most("99 of 100 pages under siege beside alone, times", besieged / alone, 2.0);
    goals.at_most("400 idle connections, MiB", connected, 16.0);
    goals.kept()
}

/// Asks for the page until the time is over; how long each took.
async fn read(address: &str, token: &str, lasting: Duration) -> Result<Vec<Duration>> {
    let (began, mut times) = (Instant::now(), Vec::new());
    while began.elapsed() < lasting {
        let asked = Instant::now();
        http::text(address, token, "GET", "/people", None).await?;
        times.push(asked.elapsed());
        sleep(PAUSE).await;
    }
    Ok(times)
}

/// Waits until the tasks of the siege are done.
async fn until_done(address: &str, token: &str) -> Result<()> {
    loop {
        let open =
            http::text(address, token, "GET", "/api/1/tasks?status=QUEUED&status=EXECUTING&limit=1", None).await?;
        if rows(&open).next().is_none() {
            return Ok(());
        }
        sleep(Duration::from_millis(100)).await;
    }
}

/// Prints how long pages took, and gives the 99th percentile.
fn told(when: &str, times: &mut [Duration]) -> f64 {
    let (median, p95, worst) = summary(times);
    let p99 = times[(times.len() - 1) * 99 / 100].as_secs_f64() * 1e3;
    println!(
        "{when}: {} pages, median {median:.1} ms, p95 {p95:.1} ms, p99 {p99:.1} ms, worst {worst:.1} ms",
        times.len()
    );
    p99
}

/// Connections that are half of a request, and such that ask for more than fits on the way and read nothing.
async fn open_idle(address: &str) -> Result<Vec<TcpStream>> {
    let mut connections = Vec::new();
    for _ in 0..IDLE {
        let mut half = TcpStream::connect(address).await?;
        half.write_all(b"GET /login HTTP/1.1\r\nhost: docket\r\naccept:").await?;
        connections.push(half);
        let mut unread = TcpStream::connect(address).await?;
        let request = format!("GET /api/1/openapi.json HTTP/1.1\r\nhost: {address}\r\n\r\n");
        unread.write_all(request.repeat(20).as_bytes()).await?;
        connections.push(unread);
    }
    Ok(connections)
}

/// How often each door answered with which status.
#[derive(Clone, Default)]
struct Answers(Arc<Mutex<BTreeMap<(&'static str, u16), usize>>>);

impl Answers {
    /// Counts an answer; 0 stands for a connection that was refused or broken off.
    fn count(&self, door: &'static str, status: u16) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry((door, status)).or_default() += 1;
    }

    fn tell(&self) {
        for ((door, status), times) in self.0.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            println!("  {door}: {times} times {status}");
        }
    }
}

/// Holds as many streams as it gets, and asks for lists as quickly as they are answered.
async fn at_its_limits(address: Arc<str>, token: String, answers: Answers) {
    let streams =
        join_all((0..STREAMS).map(|_| http::request(&address, &token, "GET", "/events?topics=tasks", None))).await;
    for stream in &streams {
        answers.count("event streams", stream.as_ref().map_or(0, |stream| stream.status));
    }
    loop {
        ask(&address, &token, "lists", "GET", "/api/1/people?limit=100", None, &answers).await;
    }
}

/// A request that makes work, over and over.
struct Door {
    name: &'static str,
    path: &'static str,
    kind: &'static str,
    body: Vec<u8>,
}

fn doors(people: u64) -> Vec<Door> {
    let json = |name, path, body: String| Door { name, path, kind: "application/json", body: body.into_bytes() };
    let file = |name, path, content: &str| {
        Door {
        name,
        path,
        kind: "multipart/form-data; boundary=edge",
        body: format!(
            "--edge\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.csv\"\r\n\r\n{content}\r\n--edge--\r\n"
        )
        .into_bytes(),
    }
    };
    let everyone = r#""target": {"everyone": true}"#;
    let ids: String = (0..10_000).map(|id| format!("\"nobody{id}\",")).collect();
    vec![
        json("sign-in", "/api/1/session", r#"{"username": "reader", "password": "guessed"}"#.to_owned()),
        json(
            "letter",
            "/api/1/people/email/preview",
            format!(r#"{{{everyone}, "subject": "x", "body": "{}", "toPrimary": true}}"#, "{".repeat(600_000)),
        ),
        json(
            "deep JSON",
            "/api/1/people/watch/preview",
            format!(r#"{{{everyone}, "operation": {}"#, "[".repeat(1_000_000)),
        ),
        json(
            "preview of everyone",
            "/api/1/people/program-status/preview",
            format!(r#"{{{everyone}, "programStatus": "INACTIVE"}}"#),
        ),
        json(
            "preview of ids",
            "/api/1/people/watch/preview",
            format!(r#"{{"target": {{"schoolIds": [{}]}}, "operation": "WATCH"}}"#, ids.trim_end_matches(',')),
        ),
        json("export", "/api/1/people/export", format!(r#"{{{everyone}, "format": "CSV", "confirmTotal": {people}}}"#)),
        file("pasted ids", "/people/ids", &"word ".repeat(1_600_000)),
        file("list of coaches", "/people/reassign", &"word,coach\n".repeat(700_000)),
    ]
}

async fn knock(address: Arc<str>, token: String, door: Door, answers: Answers) {
    loop {
        let body = Body { kind: door.kind, bytes: &door.body };
        ask(&address, &token, door.name, "POST", door.path, Some(body), &answers).await;
    }
}

async fn ask(
    address: &str,
    token: &str,
    door: &'static str,
    method: &str,
    path: &str,
    body: Option<Body<'_>>,
    answers: &Answers,
) {
    let answer = tokio::time::timeout(Duration::from_secs(30), http::request(address, token, method, path, body)).await;
    let Ok(Ok(mut answer)) = answer else {
        answers.count(door, 0);
        // Whoever is refused at the door itself tries again a little later.
        return sleep(Duration::from_millis(10)).await;
    };
    answers.count(door, answer.status);
    let mut text = Vec::new();
    while answer.read(&mut text).await.unwrap_or_default() {}
    if answer.status == 429 {
        sleep(Duration::from_millis(10)).await;
    }
}
