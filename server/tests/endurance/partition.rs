//! Three processes on hosts of their own (network namespaces, so this one needs root): one of the workers is cut off from
//! everything, without a word to anybody, and comes back later.

use std::{
    process::Command,
    time::{Duration, Instant, SystemTime},
};

use testkit::{OwnPostgres, RabbitMq};

use crate::{
    binary::{Place, Process, until, wait},
    college::{SMALL, assert_each_treated_once, change, generate},
};

const HUB: &str = "10.213.77.1";
const NETWORK: &str = "10.213.77.0/24";
const LEASE: Duration = Duration::from_secs(6);

/// A bridge with hosts on it; it is taken away when this is dropped.
struct Net {
    bridge: String,
    hosts: Vec<String>,
}

impl Net {
    fn new() -> Net {
        let bridge = format!("dkt{}", std::process::id() % 100_000);
        ip(&["link", "add", &bridge, "type", "bridge"]);
        let net = Net { bridge, hosts: Vec::new() };
        ip(&["address", "add", &format!("{HUB}/24"), "dev", &net.bridge]);
        ip(&["link", "set", &net.bridge, "up"]);
        net
    }

    /// Adds a host, and gives its name and address.
    fn host(&mut self) -> (String, String) {
        let number = self.hosts.len();
        let (name, address) = (format!("{}-{number}", self.bridge), format!("10.213.77.{}", number + 10));
        let (here, there) = (format!("{}h{number}", self.bridge), format!("{}n{number}", self.bridge));
        ip(&["netns", "add", &name]);
        self.hosts.push(name.clone());
        ip(&["link", "add", &here, "type", "veth", "peer", "name", &there]);
        ip(&["link", "set", &there, "netns", &name]);
        ip(&["link", "set", &here, "master", &self.bridge, "up"]);
        ip(&["-n", &name, "address", "add", &format!("{address}/24"), "dev", &there]);
        ip(&["-n", &name, "link", "set", &there, "up"]);
        ip(&["-n", &name, "link", "set", "lo", "up"]);
        (name, address)
    }

    /// Cuts a host off, or lets it back in.
    fn let_in(&self, number: usize, lets: bool) {
        ip(&["link", "set", &format!("{}h{number}", self.bridge), if lets { "up" } else { "down" }]);
    }
}

impl Drop for Net {
    fn drop(&mut self) {
        for host in &self.hosts {
            let _ = Command::new("ip").args(["netns", "del", host]).status();
        }
        let _ = Command::new("ip").args(["link", "del", &self.bridge]).status();
    }
}

fn ip(arguments: &[&str]) {
    let done = Command::new("ip").args(arguments).status().expect("iproute2 is not installed");
    assert!(done.success(), "ip {}: root is needed", arguments.join(" "));
}

async fn held_by(place: &Place, name: &str) -> i64 {
    place.value(&format!("SELECT COUNT(*) FROM queued_task WHERE scheduled_by_process LIKE '{name}-%'")).await
}

/// The instant of the last line of a log that says so.
fn last_said(process: &Process, words: &str) -> SystemTime {
    let log = process.log();
    let line = log.lines().rfind(|line| line.contains(words)).expect("it never said so");
    let at = line.split_whitespace().next().unwrap();
    chrono::DateTime::parse_from_rfc3339(at).unwrap().into()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "takes long, and the machine to itself: cargo xtask endure"]
async fn a_worker_that_is_cut_off_stops_by_itself_and_nothing_is_lost_or_done_twice() {
    let mut net = Net::new();
    let postgres = OwnPostgres::also_on((HUB, NETWORK)).unwrap();
    let rabbit = RabbitMq::start_on(HUB).unwrap();
    let place = Place::at(tempfile::tempdir().unwrap(), postgres.database("docket", postgres.port).unwrap());
    let from_afar = place.url.replace("127.0.0.1", HUB);
    generate(&place);
    let broker = rabbit.url();
    let settings = [
        ("DOCKET__QUEUE__SELF_TEST", "true"),
        SMALL,
        ("DOCKET__QUEUE__PER_OWNER", "100"),
        ("DOCKET__QUEUE__LEASE", "6s"),
        ("DOCKET__QUEUE__HEARTBEAT", "1s"),
        ("DOCKET__RABBITMQ__URL", broker.as_str()),
        // Nobody else is on this network.
        ("DOCKET__RABBITMQ__ALLOW_PLAINTEXT", "true"),
        ("DOCKET__DATABASE__ALLOW_PLAINTEXT", "true"),
    ];
    let roles = [("web", "web"), ("one", "worker"), ("two", "worker")];
    let processes = roles.map(|(name, role)| {
        let (host, address) = net.host();
        let mut apart = Command::new("ip");
        apart.args(["netns", "exec", &host, env!("CARGO_BIN_EXE_docket")]);
        apart.current_dir(place.folder.path()).env("DOCKET__DATABASE__URL", &from_afar);
        place.spawn_at(format!("{address}:3000"), apart, name, role, &settings)
    });
    let [web, one, two] = &processes;
    crate::binary::until_ready(web);
    for worker in [one, two] {
        wait("a worker", || worker.log().contains("listening to the broker").then_some(()));
    }
    change(web);
    let steps = 200;
    web.self_tests(30, steps, 50);
    until("both to hold tasks", async || held_by(&place, "one").await >= 3 && held_by(&place, "two").await >= 3).await;
    net.let_in(1, false);
    let (cut, began) = (SystemTime::now(), Instant::now());
    while held_by(&place, "one").await > 0 {
        assert!(began.elapsed() < 3 * LEASE, "nobody took them back");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let taken_back = began.elapsed();
    let stopped = last_said(one, "was taken away from here").duration_since(cut).unwrap();
    assert!(stopped < LEASE, "it went on for {stopped:.1?}");
    assert!(stopped < taken_back, "others had its tasks after {taken_back:.1?}, and it went on for {stopped:.1?}");
    tokio::time::sleep(Duration::from_secs(20).saturating_sub(began.elapsed())).await;
    net.let_in(1, true);
    let healed = Instant::now();
    let left = "SELECT COUNT(*) FROM queued_task WHERE workflow_status <> 'COMPLETED'";
    while place.value(left).await > 0 {
        assert!(healed.elapsed() < Duration::from_secs(180), "{} are left", place.value(left).await);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let wrong = format!(
        "SELECT COUNT(*) FROM queued_task WHERE execution_component_name = 'self-test' AND succeeded <> {steps}"
    );
    assert_eq!(place.value(&wrong).await, 0);
    assert_eq!(place.value("SELECT COUNT(*) FROM queued_task WHERE failures <> 0").await, 0);
    assert_each_treated_once(&place).await;
    let more = web.self_tests(40, 10, 20);
    while held_by(&place, "one").await == 0 {
        assert!(healed.elapsed() < Duration::from_secs(240), "it takes no tasks any more");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    wait("the last", || {
        more.iter().all(|id| web.get(&format!("/api/1/tasks/{id}"))["status"] == "COMPLETED").then_some(())
    });
    eprintln!(
        "cut off: the worker stopped {stopped:.1?} after it, others had its tasks {taken_back:.1?} after it, with a lease of \
         {LEASE:?}; all done once, and it works again"
    );
}
