//! Hundreds of strangers who try passwords at once: each takes a processor and much memory for a moment, and whoever is signed in
//! is served all the same.

use std::{
    io::{Read, Write},
    net::TcpStream,
};

use serde_json::json;
use testkit::On;

use crate::binary::{Place, Process};

testkit::tests!(hundreds_who_guess_passwords_at_once_take_little_memory_and_keep_nobody_waiting);

const STRANGERS: usize = 400;
/// Memory that all of them together may take, in KiB: two passwords are looked at at once, at 19 MiB each, and what comes of the
/// connections. All at once they would take 7 GiB.
const GROWTH: u64 = 150 * 1024;

/// The most memory that a process has had, in KiB.
fn most_memory(process: &Process) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// A guess that somebody sends from an address of their own.
fn guess(process: &Process, n: usize) -> TcpStream {
    let body = json!({ "username": format!("nobody{n}"), "password": "guessed-07" }).to_string();
    let (host, length, from) = (&process.address, body.len(), format!("203.0.{}.{}", n / 250, n % 250 + 1));
    let mut connection = TcpStream::connect(host).unwrap();
    write!(
        connection,
        "POST /api/1/session HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-For: {from}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    connection
}

fn status(mut connection: TcpStream) -> String {
    let mut answer = String::new();
    connection.read_to_string(&mut answer).unwrap();
    answer.split(' ').nth(1).unwrap_or_default().to_owned()
}

fn is_answered(connection: &TcpStream) -> bool {
    connection.set_nonblocking(true).unwrap();
    let answered = connection.peek(&mut [0; 1]).is_ok();
    connection.set_nonblocking(false).unwrap();
    answered
}

async fn hundreds_who_guess_passwords_at_once_take_little_memory_and_keep_nobody_waiting() {
    let place = Place::on(On::Sqlite).await;
    let process = place.start("flooded", "all", &[("DOCKET__HTTP__TRUSTED_PROXIES", "127.0.0.1/32")]);
    for n in 0..20 {
        process.get("/api/1/people");
        status(guess(&process, STRANGERS + n));
    }
    let before = most_memory(&process);
    let guesses: Vec<_> = (0..STRANGERS).map(|n| guess(&process, n)).collect();
    // Those who were served while somebody who had guessed before them still waited.
    let mut meanwhile = 0;
    while !guesses.iter().all(is_answered) {
        process.get("/api/1/people");
        meanwhile += usize::from(!guesses.iter().all(is_answered));
    }
    let after = most_memory(&process);
    let answers: Vec<_> = guesses.into_iter().map(status).collect();
    let count = |status: &str| answers.iter().filter(|answer| *answer == status).count();
    let (wrong, sent_away, too_late) = (count("401"), count("503"), count("504"));
    assert_eq!(wrong + sent_away + too_late, STRANGERS, "{answers:?}");
    // Where the machine is busy, the time of a request may be over before its turn comes.
    let told = format!("{wrong} were looked at, {sent_away} sent away, and of {too_late} the time was over");
    assert!(wrong + too_late >= 64 && sent_away + too_late > 0, "{told}");
    // Two passwords are looked at while one page is served, or it had to wait its turn among the strangers.
    assert!(meanwhile >= wrong / 4, "{meanwhile} were served meanwhile, and {wrong} passwords looked at");
    assert!(after < before + GROWTH, "{before} KiB before, {after} KiB with {wrong} looked at");
}
