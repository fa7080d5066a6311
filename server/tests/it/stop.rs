//! Start and stop of a whole server, on a port of its own.

use std::{net::SocketAddr, time::Duration};

use caseload::{Caseload, NewAccount, NewPassword, NewToken};
use model::{Role, account::TokenScope};
use server::{config::Config, run};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::Notify,
    time::sleep,
};

testkit::tests!(a_stop_ends_streams_puts_running_tasks_back_and_returns, a_taken_address_is_said_and_nothing_runs);

fn config(folder: &std::path::Path) -> (Config, SocketAddr) {
    let address = SocketAddr::from(([127, 0, 0, 1], testkit::port::free("127.0.0.1")));
    let url = testkit::sqlite_url(&folder.join("docket.db"));
    let text = format!("database.url = '{url}'\nhttp.listen = '{address}'\nqueue.self_test = true\n");
    (Config::from_text(&text).unwrap(), address)
}

async fn administrator(config: &Config) -> (Caseload, String) {
    let caseload = run::open(config).await.unwrap();
    let account = NewAccount {
        username: "admin".to_owned(),
        role: Role::Administrator,
        name: None,
        school_id: None,
        password: NewPassword::Chosen("slate-fern-07".to_owned()),
    };
    caseload.by_command().add(account).await.unwrap();
    let token = caseload.by_command().issue_for("admin", NewToken::new("test", TokenScope::Administer)).await.unwrap();
    (caseload, token)
}

/// Sends a request and gives the connection, once the server is there.
async fn ask(address: SocketAddr, method: &str, path: &str, token: &str, body: &str) -> TcpStream {
    let mut connection = loop {
        match TcpStream::connect(address).await {
            Ok(connection) => break connection,
            Err(_) => sleep(Duration::from_millis(20)).await,
        }
    };
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    connection.write_all(request.as_bytes()).await.unwrap();
    connection
}

/// Reads until these words.
async fn read_until(connection: &mut TcpStream, words: &str) -> String {
    let mut text = String::new();
    let mut buffer = [0; 4096];
    while !text.contains(words) {
        let count = connection.read(&mut buffer).await.unwrap();
        assert!(count > 0, "the connection ended after {text}");
        text.push_str(&String::from_utf8_lossy(&buffer[..count]));
    }
    text
}

async fn a_stop_ends_streams_puts_running_tasks_back_and_returns() {
    let folder = tempfile::tempdir().unwrap();
    let (config, address) = config(folder.path());
    let (caseload, token) = administrator(&config).await;
    let told = Notify::new();
    let browser = async {
        let mut stream = ask(address, "GET", "/events?topics=tasks", &token, "").await;
        read_until(&mut stream, "\r\n\r\n").await;
        let endless = r#"{"chunks":10000,"sleepMs":50}"#;
        read_until(&mut ask(address, "POST", "/api/1/admin/self-test", &token, endless).await, "202 Accepted").await;
        read_until(&mut stream, "EXECUTING").await;
        told.notify_one();
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).await.unwrap();
    };
    let (served, ()) =
        tokio::join!(run::serve(config, run::ProcessRole::All, None, async || told.notified().await), browser);
    served.unwrap();
    let admin = caseload.tokens().actor_of(&token, TokenScope::Administer, None).await.unwrap().unwrap();
    let page = caseload.tasks().list(&admin, &Default::default()).await.unwrap();
    let row = &page.items[0];
    assert_eq!((row.status, row.failures), (model::WorkflowStatus::Queued, 0), "{row:?}");
    assert!(TcpStream::connect(address).await.is_err());
}

async fn a_taken_address_is_said_and_nothing_runs() {
    let folder = tempfile::tempdir().unwrap();
    let (config, address) = config(folder.path());
    let _taken = std::net::TcpListener::bind(address).unwrap();
    let serving = run::serve(config, run::ProcessRole::All, None, async || std::future::pending().await);
    let error = serving.await.unwrap_err();
    assert!(format!("{error:#}").starts_with(&format!("cannot listen on {address}")), "{error:#}");
}
