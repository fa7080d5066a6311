//! Docket behind nginx, which speaks TLS and serves it under a path, from the link of the first start to a stream that is held
//! open; with the location that `deploy/nginx` recommends. The stream takes two minutes, and a name from the beginning of the
//! alphabet lets it begin while others run.

use std::{collections::BTreeMap, net::IpAddr};

use reqwest::{Certificate, Client, Response, StatusCode, header, redirect::Policy};
use serde_json::{Value, json};
use testkit::{
    On,
    nginx::{Nginx, Reserved},
};

use crate::binary::{Place, Process, wait};

testkit::tests!(within testkit::LONGEST * 3; docket_works_behind_nginx_under_a_path);

const PASSWORD: &str = "slate-fern-07-otter-lamp";
const PEOPLE: usize = 40;
/// Of what a quiet stream says every three seconds: for longer than nginx waits for the next word by itself.
const ALIVE: usize = 25;

struct College {
    place: Place,
    docket: Process,
    url: String,
    nginx: Nginx,
}

/// Somebody at a machine of their own.
struct Visitor {
    client: Client,
    url: String,
    cookie: String,
}

impl College {
    async fn new() -> College {
        let (folder, database) = crate::binary::empty(On::Sqlite).await;
        let place = Place::bare(folder, database);
        place.command(&["people", "generate", "--count", &PEOPLE.to_string(), "--seed", "1"]);
        let reserved = Reserved::new().unwrap();
        let url = reserved.url().unwrap();
        let settings = [("DOCKET__HTTP__PUBLIC_URL", url.as_str()), ("DOCKET__HTTP__TRUSTED_PROXIES", "127.0.0.1")];
        let docket = place.start("behind-nginx", "all", &settings);
        let nginx = Nginx::start(reserved, &docket.address).unwrap();
        College { place, docket, url, nginx }
    }

    /// A visitor whose machine has this address, as nginx sees it.
    fn visitor(&self, address: &str) -> Visitor {
        // Several libraries may do so, and the first one counts.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let certificate = Certificate::from_pem(self.nginx.certificate().as_bytes()).unwrap();
        let client = Client::builder()
            .tls_certs_only([certificate])
            .local_address(address.parse::<IpAddr>().unwrap())
            .redirect(Policy::none());
        Visitor { client: client.build().unwrap(), url: self.url.clone(), cookie: String::new() }
    }
}

impl Visitor {
    async fn get(&self, path: &str) -> Response {
        let request = self.client.get(format!("{}{path}", self.url)).header(header::COOKIE, &self.cookie);
        request.header(header::ACCEPT, "text/html,application/json").send().await.unwrap()
    }

    async fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.get(path).await.text().await.unwrap()).unwrap()
    }

    async fn post(&self, path: &str, body: &Value) -> Response {
        let request = self.client.post(format!("{}{path}", self.url)).header(header::COOKIE, &self.cookie);
        request.header(header::CONTENT_TYPE, "application/json").body(body.to_string()).send().await.unwrap()
    }

    /// Sends a form as a browser without scripts does, and keeps the cookie of the answer.
    async fn form(&mut self, path: &str, fields: &[(&str, &str)]) -> String {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let request = self.client.post(format!("{}{path}", self.url)).header(header::COOKIE, &self.cookie);
        let request = request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        let answer = request.header(header::ACCEPT, "text/html").body(body).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{path}");
        for cookie in answer.headers().get_all(header::SET_COOKIE) {
            let cookie = cookie.to_str().unwrap();
            assert!(cookie.contains("; Path=/apps/docket;") || cookie.ends_with("; Path=/apps/docket"), "{cookie}");
            if let Some(named) = cookie.split(';').next().filter(|named| named.starts_with("__Secure-docket=")) {
                self.cookie = named.to_owned();
            }
        }
        answer.headers()[header::LOCATION].to_str().unwrap().to_owned()
    }

    /// Waits for the end of a task whose address an answer gave.
    async fn completed(&self, submitted: Response) -> String {
        assert_eq!(submitted.status(), StatusCode::ACCEPTED);
        let at = submitted.headers()[header::LOCATION].to_str().unwrap().to_owned();
        let at = at.strip_prefix("/apps/docket").expect("an address under the path").to_owned();
        loop {
            let task = self.json(&at).await;
            if task["status"] == "COMPLETED" {
                return task["id"].as_str().unwrap().to_owned();
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }
}

/// What comes over an open stream, line by line.
struct Lines {
    answer: Response,
    rest: String,
}

impl Lines {
    async fn next(&mut self) -> String {
        loop {
            if let Some((line, rest)) = self.rest.split_once('\n') {
                let (line, rest) = (line.trim_end().to_owned(), rest.to_owned());
                self.rest = rest;
                return line;
            }
            let more = self.answer.chunk().await.unwrap().expect("the stream goes on");
            self.rest.push_str(&String::from_utf8_lossy(&more));
        }
    }
}

/// The addresses on a page, each with the page's own.
fn addresses(page: &str) -> Vec<String> {
    let parts = ["href=\"", "action=\"", "src=\""].iter().flat_map(|name| page.split(name).skip(1));
    parts.map(|part| part.split('"').next().unwrap_or_default().to_owned()).filter(|at| at.starts_with('/')).collect()
}

async fn docket_works_behind_nginx_under_a_path() {
    let college = College::new().await;
    let mut administrator = college.visitor("127.0.0.2");

    // The link of the first start leads through nginx.
    let link = wait("the link", || {
        let log = college.docket.log();
        log.split_whitespace().find(|word| word.contains("/setup?token=")).map(str::to_owned)
    });
    let token = link.strip_prefix(&format!("{}/setup?token=", college.url)).expect("a link under the path");
    let fields = [("token", token), ("name", "Ines Moreau"), ("username", "ines"), ("password", PASSWORD)];
    assert_eq!(administrator.form("/setup", &fields).await, "/apps/docket/people");
    assert_eq!(administrator.form("/logout", &[]).await, "/apps/docket/login");
    let away = administrator.get("/tasks?kind=export").await;
    let away = away.headers()[header::LOCATION].to_str().unwrap();
    assert!(away.starts_with("/apps/docket/login?") && away.ends_with("next=%2Ftasks%3Fkind%3Dexport"), "{away}");
    let fields = [("username", "ines"), ("password", PASSWORD), ("next", "/tasks?kind=export")];
    assert_eq!(administrator.form("/login", &fields).await, "/apps/docket/tasks?kind=export");

    // Wherever a page leads, it is under the path.
    for path in ["/login", "/people", "/tasks", "/settings", "/admin", "/admin/audit", "/api/1/docs"] {
        let page = administrator.get(path).await;
        assert_eq!(page.status(), StatusCode::OK, "{path}");
        let page = page.text().await.unwrap();
        let found = addresses(&page);
        assert!(!found.is_empty(), "{path} has addresses");
        for address in found {
            assert!(address.starts_with("/apps/docket/"), "{path} leads to {address}");
        }
    }

    // What is submitted is heard of while it goes on, and can be downloaded.
    let answer = administrator.get("/events?topics=tasks").await;
    assert_eq!(answer.status(), StatusCode::OK);
    let mut stream = Lines { answer, rest: String::new() };
    let body = json!({ "target": { "everyone": true }, "programStatus": "INACTIVE" });
    let task = administrator.completed(administrator.post("/api/1/people/program-status", &body).await).await;
    let mut seen = BTreeMap::new();
    while seen.get(&task).is_none_or(|status| status != "COMPLETED") {
        if let Some(row) = stream.next().await.strip_prefix("data: ") {
            let row: Value = serde_json::from_str(row).unwrap();
            // What was missed has no id.
            if let (Some(id), Some(status)) = (row["id"].as_str(), row["status"].as_str()) {
                seen.insert(id.to_owned(), status.to_owned());
            }
        }
    }
    let body = json!({ "target": { "everyone": true }, "format": "CSV" });
    let export = administrator.completed(administrator.post("/api/1/people/export", &body).await).await;
    let file = administrator.get(&format!("/files/{export}")).await;
    assert_eq!(file.status(), StatusCode::OK);
    assert_eq!(file.text().await.unwrap().lines().count(), PEOPLE + 1);

    // A stream on which nothing happens stays open, while others come and go.
    let held = async {
        for _ in 0..ALIVE {
            while stream.next().await != "event: alive" {}
        }
    };
    let guessing = async {
        let (attacker, mut colleague) = (college.visitor("127.0.0.3"), college.visitor("127.0.0.4"));
        let guess = async |n: usize| {
            let body = json!({ "username": format!("guess{n}"), "password": "wrong" });
            attacker.post("/api/1/session", &body).await.status()
        };
        let mut refused = 0;
        while guess(refused).await != StatusCode::TOO_MANY_REQUESTS {
            refused += 1;
            assert!(refused < 100, "somebody guesses on and on");
        }
        let fields = [("username", "ines"), ("password", PASSWORD)];
        assert_eq!(colleague.form("/login", &fields).await, "/apps/docket/people");
    };
    tokio::join!(held, guessing);
    let sources = college.place.value("SELECT COUNT(*) FROM audit WHERE source = '127.0.0.3'").await;
    assert!(sources > 0, "the audit knows who guessed");
}
