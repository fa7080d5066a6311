//! Connections that owe something and do not give it: half of a request, or taking an answer. They neither take memory nor
//! places from others for long.

use std::{
    io::{Read, Write},
    net::TcpStream,
};

use testkit::On;

use crate::binary::{Place, Process, wait};

/// Of each sort.
const MANY: usize = 200;
/// Memory that all of them together may take, in KiB: an unoptimised build takes more for as many
/// requests under way.
const GROWTH: u64 = if cfg!(debug_assertions) { 32 * 1024 } else { 16 * 1024 };

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

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_half_sent_and_two_hundred_unread_connections_cost_little_and_stop_nobody() {
    let place = Place::on(On::Sqlite).await;
    let process = place.start("busy", "all", &[]);
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

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_silent_leaves_its_place_to_the_next() {
    let place = Place::on(On::Sqlite).await;
    let settings = [("DOCKET__HTTP__CONNECTIONS", "1"), ("DOCKET__HTTP__IDLE_TIMEOUT", "200ms")];
    let process = place.start("narrow", "all", &settings);
    type Opened = fn(&Process) -> TcpStream;
    let sorts: [(&str, Opened); 4] = [
        ("nothing", |process| connect(process, "")),
        ("half a head", half),
        ("half a body", half_body),
        ("unread", unread),
    ];
    for (sort, open) in sorts {
        let silent = open(&process);
        wait(sort, || page(&process).then_some(()));
        drop(silent);
    }
    let mut silent = half(&process);
    // Its end, at last.
    let _ = silent.read_to_end(&mut Vec::new());
}
