//! What a process takes of the memory for what somebody uploads.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use testkit::On;

use crate::binary::{Place, Process, wait};

const MB: u64 = 1024 * 1024;
/// What a process may take beyond what it takes at rest.
const MORE: u64 = 64 * MB;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn an_import_of_64_mb_takes_less_memory_than_the_file_on_sqlite() {
    import(On::Sqlite, false).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn an_import_of_64_mb_takes_less_memory_than_the_file_on_postgres() {
    import(On::Postgres, false).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn an_import_of_64_mb_whose_rows_collapse_takes_no_more() {
    import(On::Sqlite, true).await;
}

async fn import(on: On, collapses: bool) {
    let place = Place::on(on).await;
    let process = place.start("upload", "all", &[]);
    let idle = at_rest(&process);
    // Rows as long as those of a file with many columns.
    let rest = "x".repeat(650);
    let mut file = "id,name,term,rest\n".to_owned();
    for row in 0.. {
        let line = format!("U-{row:07},Newcomer{row},2013,{rest}\n");
        if (file.len() + line.len()) as u64 > 64 * MB {
            break;
        }
        file += &line;
    }
    let rows = i64::try_from(file.lines().count() - 1).unwrap();
    let answer = post(&process, "/admin/import", &[("file", "people.csv", &file)]);
    let prepared = answer.split("/admin/import/").nth(1).unwrap_or_else(|| panic!("{answer}"));
    let id = prepared.split_whitespace().next().unwrap();
    let press = |form: &str| post_form(&process, "/api/page/admin/import", &format!("id={id}&{form}"));
    if collapses {
        press("do=count&keep=latest&keepBy=2");
    }
    let answer = press("do=import");
    let task = answer.split("/tasks/").nth(1).unwrap_or_else(|| panic!("{answer}")).split_whitespace().next().unwrap();
    let uploaded = peak(&process);
    wait_long(|| process.get(&format!("/api/1/tasks/{task}"))["status"] == "COMPLETED");
    let imported = peak(&process);
    assert_eq!(place.value("SELECT COUNT(*) FROM task_person WHERE outcome = 'DONE'").await, rows);
    eprintln!(
        "import of {} MB, {rows} rows, on {on:?}{}: {} MB at rest, {} MB more for the upload, {} MB more in all",
        file.len() as u64 / MB,
        if collapses { ", collapsed" } else { "" },
        idle / MB,
        uploaded.saturating_sub(idle) / MB,
        imported.saturating_sub(idle) / MB
    );
    assert!(imported - idle < MORE, "{} MB", (imported - idle) / MB);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn eight_mb_of_pasted_words_are_not_kept() {
    let place = Place::on(On::Sqlite).await;
    let process = place.start("paste", "all", &[]);
    let idle = at_rest(&process);
    let words: String = (0..900_000).map(|n| format!("G1-{n:06} ")).collect();
    let answer = post(&process, "/people/ids", &[("schoolIds", "", &words)]);
    assert!(answer.starts_with("HTTP/1.1 303") && answer.contains("__err="), "{answer}");
    let grown = peak(&process).saturating_sub(idle);
    eprintln!("{} MB of words: {} MB at rest, {} kB more", words.len() as u64 / MB, idle / MB, grown / 1024);
    assert!(grown < 16 * MB, "{} MB", grown / MB);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn an_upload_over_a_slow_line_arrives() {
    let place = Place::on(On::Sqlite).await;
    let process = place.start("slow", "all", &[]);
    let ids = (0..600).map(|n| format!("G1-{n:07} ")).collect::<String>();
    let answer = post_slowly(&process, "/people/ids", &[("schoolIds", "", &ids)], Duration::from_secs(8));
    assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
}

/// Sends a form with files as a browser does, and gives the head of the answer.
fn post(process: &Process, path: &str, parts: &[(&str, &str, &str)]) -> String {
    post_slowly(process, path, parts, Duration::ZERO)
}

/// Sends a form without files, and gives the head of the answer.
fn post_form(process: &Process, path: &str, form: &str) -> String {
    let mut stream = TcpStream::connect(&process.address).unwrap();
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\nconnection: close\r\naccept: text/html\r\n\
         content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{form}",
        process.address,
        process.token,
        form.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// The same as [`post`] in six pieces, with a pause before each but the first.
fn post_slowly(process: &Process, path: &str, parts: &[(&str, &str, &str)], pause: Duration) -> String {
    let mut body = String::new();
    for (name, file, content) in parts {
        let file = if file.is_empty() { String::new() } else { format!("; filename=\"{file}\"") };
        body += &format!("--seam\r\ncontent-disposition: form-data; name=\"{name}\"{file}\r\n\r\n{content}\r\n");
    }
    body += "--seam--\r\n";
    let mut stream = TcpStream::connect(&process.address).unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\nconnection: close\r\n\
         content-type: multipart/form-data; boundary=seam\r\ncontent-length: {}\r\n\r\n",
        process.address,
        process.token,
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    for (n, piece) in body.as_bytes().chunks(body.len().div_ceil(6)).enumerate() {
        std::thread::sleep(if n == 0 { Duration::ZERO } else { pause });
        stream.write_all(piece).unwrap();
    }
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// The memory of a process that has been asked everything once, from where its peak is counted anew.
fn at_rest(process: &Process) -> u64 {
    for path in ["/api/1/me", "/api/1/people?limit=1", "/api/1/tasks"] {
        process.get(path);
    }
    std::fs::write(format!("/proc/{}/clear_refs", process.id()), "5").unwrap();
    peak(process)
}

/// The most memory that a process has had.
fn peak(process: &Process) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

fn wait_long(mut look: impl FnMut() -> bool) {
    // Each wait is for a while; so many people take several.
    for _ in 0..9 {
        let began = std::time::Instant::now();
        while began.elapsed() < Duration::from_secs(100) {
            if look() {
                return;
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }
    wait("the import to end", || look().then_some(()));
}
