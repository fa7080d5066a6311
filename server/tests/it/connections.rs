//! Connections that owe something and do not give it: half of a request, or taking an answer. They neither take memory nor
//! places from others for long.

use std::{
    io::{ErrorKind, Read, Write},
    net::TcpStream,
};

use testkit::On;

use crate::binary::{Place, Process, wait};

testkit::tests!(
    two_hundred_half_sent_and_two_hundred_unread_connections_cost_little_and_stop_nobody,
    a_connection_that_is_silent_is_closed,
    silent_connections_of_one_place_keep_nobody_out,
    half_sent_lists_of_one_account_take_no_more_than_its_share,
);

/// Of each sort.
const MANY: usize = 200;
/// Memory that all of them together may take, in KiB: an unoptimised build takes more for as many requests under way, and more
/// still where a busy machine has more of them at once. The benchmark `siege` holds the one that is delivered to what is promised.
const GROWTH: u64 = if cfg!(debug_assertions) { 48 * 1024 } else { 16 * 1024 };

fn connect(process: &Process, sent: &str) -> TcpStream {
    let mut connection = TcpStream::connect(&process.address).unwrap();
    connection.write_all(sent.as_bytes()).unwrap();
    connection
}

/// A head that does not end.
fn half(process: &Process) -> TcpStream {
    connect(process, &format!("GET /login HTTP/1.1\r\nHost: {}\r\nX-Filler: {}", process.address, "x".repeat(8_000)))
}

/// A body that does not end.
fn half_body(process: &Process) -> TcpStream {
    let head = format!("POST /login HTTP/1.1\r\nHost: {}\r\n", process.address);
    connect(
        process,
        &format!("{head}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 90\r\n\r\nuser"),
    )
}

/// Many requests for a large answer, of which nothing is read.
fn unread(process: &Process) -> TcpStream {
    let (address, token) = (&process.address, &process.token);
    let one = format!("GET /api/1/openapi.json HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\r\n");
    connect(process, &one.repeat(100))
}

/// The limits of an account as they come.
fn usual() -> [(&'static str, &'static str); 3] {
    [
        ("DOCKET__LIMITS__REQUESTS_PER_SECOND", "50"),
        ("DOCKET__LIMITS__REQUEST_BURST", "200"),
        ("DOCKET__LIMITS__REQUESTS_AT_ONCE", "24"),
    ]
}

/// Memory of a process, in KiB.
fn memory(process: &Process) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Answers that have been sent to these, as far as the machine between has taken them.
fn answered(connections: &[TcpStream]) -> usize {
    let begun = |connection: &TcpStream| {
        connection.set_nonblocking(true).unwrap();
        connection.peek(&mut [0; 1]).is_ok_and(|count| count > 0)
    };
    connections.iter().filter(|connection| begun(connection)).count()
}

fn page(process: &Process) -> bool {
    ureq::get(&format!("http://{}/login", process.address)).call().is_ok_and(|answer| answer.status() == 200)
}

async fn two_hundred_half_sent_and_two_hundred_unread_connections_cost_little_and_stop_nobody() {
    let place = Place::on(On::Sqlite).await;
    let process = place.start("busy", "all", &usual());
    for _ in 0..20 {
        assert!(page(&process));
        process.get("/api/1/openapi.json");
    }
    let before = memory(&process);
    let halves: Vec<_> = (0..MANY).map(|_| half(&process)).collect();
    let unread: Vec<_> = (0..MANY).map(|_| unread(&process)).collect();
    wait("each of them to be answered", || (answered(&unread) == MANY).then_some(()));
    for _ in 0..20 {
        assert!(page(&process), "others are served");
    }
    let after = memory(&process);
    assert!(
        after < before + GROWTH,
        "{before} KiB before, {after} KiB with {} connections",
        halves.len() + unread.len()
    );
}

async fn a_connection_that_is_silent_is_closed() {
    let place = Place::on(On::Sqlite).await;
    let process = place.start("patient", "all", &[("DOCKET__HTTP__IDLE_TIMEOUT", "200ms")]);
    type Opened = fn(&Process) -> TcpStream;
    let sorts: [(&str, Opened); 3] =
        [("nothing", |process| connect(process, "")), ("half a head", half), ("half a body", half_body)];
    for (sort, open) in sorts {
        // Its end, at last.
        let ended = open(&process).read_to_end(&mut Vec::new());
        assert!(ended.is_ok() || ended.is_err_and(|error| error.kind() == ErrorKind::ConnectionReset), "{sort}");
    }
}

async fn silent_connections_of_one_place_keep_nobody_out() {
    let place = Place::on(On::Sqlite).await;
    let process =
        place.start("narrow", "all", &[("DOCKET__HTTP__CONNECTIONS", "20"), ("DOCKET__HTTP__IDLE_TIMEOUT", "1h")]);
    let sorts = [half, half_body, unread];
    let silent: Vec<_> = (0..60).map(|n| sorts[n % sorts.len()](&process)).collect();
    for _ in 0..20 {
        assert!(page(&process), "somebody else gets a page beside {} silent ones", silent.len());
    }
}

/// A body of which only the beginning comes.
fn half_list(process: &Process) -> TcpStream {
    const MB: usize = 1_000_000;
    let (address, token) = (&process.address, &process.token);
    let head =
        format!("POST /api/1/people/watch/preview HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n");
    let mut connection =
        connect(process, &format!("{head}Content-Type: application/json\r\nContent-Length: {}\r\n\r\n", 2 * MB));
    // What is refused is not taken to its end.
    let _ = connection.write_all(&vec![b' '; MB]);
    connection
}

async fn half_sent_lists_of_one_account_take_no_more_than_its_share() {
    let place = Place::on(On::Sqlite).await;
    let process = place.start("lists", "all", &[]);
    for _ in 0..20 {
        assert!(page(&process));
    }
    let before = memory(&process);
    let lists: Vec<_> = (0..40).map(|_| half_list(&process)).collect();
    let refused = wait("most of them to be refused", || Some(answered(&lists)).filter(|refused| *refused > 30));
    assert!(page(&process), "others are served");
    let after = memory(&process);
    assert!(after < before + GROWTH + 8 * 1024, "{before} KiB before, {after} KiB with {refused} refused");
    let mut answer = [0; 4096];
    let told = lists.iter().find_map(|mut list| list.read(&mut answer).ok().filter(|read| *read > 0)).unwrap();
    let told = String::from_utf8_lossy(&answer[..told]);
    assert!(told.starts_with("HTTP/1.1 429 ") && told.contains("limits.sending_mib"), "{told}");
    drop(lists);
    let next = || {
        let url = format!("http://{}/api/1/people/watch/preview", process.address);
        let request = ureq::post(&url).header("authorization", format!("Bearer {}", process.token));
        request.content_type("application/json").send("{}".to_owned())
    };
    wait("room for the next one", || matches!(next(), Err(ureq::Error::StatusCode(400))).then_some(()));
}
