//! Several processes of the real binary with RabbitMQ between them, on one PostgreSQL.

use lapin::{BasicProperties, Connection, ConnectionProperties, options::BasicPublishOptions};
use testkit::{On, RabbitMq};
use uuid::Uuid;

use crate::{
    binary::{Place, Process, wait},
    cluster::exchange_all,
    measured::metrics,
};

testkit::tests!(
    a_flood_leaves_a_worker_small_and_the_next_task_prompt,
    what_nobody_was_told_of_is_found_by_the_cleaner_long_before_the_poll,
    a_broker_that_is_away_needs_a_look_until_it_is_back,
    a_broker_is_spoken_to_by_tls_if_its_certificate_is_trusted,
    exchanging_every_process_beside_the_broker_fails_nothing,
);

/// Polls are an hour apart, so that nothing but a message ends a wait.
fn settings(rabbit: &RabbitMq, prefix: &str) -> Vec<(&'static str, String)> {
    vec![
        ("DOCKET__QUEUE__SELF_TEST", "true".to_owned()),
        ("DOCKET__QUEUE__POLL_INTERVAL", "1h".to_owned()),
        ("DOCKET__QUEUE__PER_OWNER", "1000".to_owned()),
        ("DOCKET__RABBITMQ__URL", rabbit.url()),
        ("DOCKET__RABBITMQ__PREFIX", prefix.to_owned()),
    ]
}

fn start(place: &Place, name: &str, role: &str, settings: &[(&'static str, String)]) -> Process {
    let settings: Vec<_> = settings.iter().map(|(key, value)| (*key, value.as_str())).collect();
    let process = place.start(name, role, &settings);
    let mut needed = vec!["sending through the broker"];
    needed.extend((role != "web").then_some("listening to the broker"));
    wait("the broker", || needed.iter().all(|words| process.log().contains(words)).then_some(()));
    process
}

fn until_completed(web: &Process, ids: &[String]) {
    let completed = |id: &String| web.get(&format!("/api/1/tasks/{id}"))["status"] == "COMPLETED";
    wait("all to complete", || ids.iter().all(completed).then_some(()));
}

/// The memory of a process, in KiB.
fn memory(process: &Process) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

async fn a_flood_leaves_a_worker_small_and_the_next_task_prompt() {
    let (place, rabbit) = (Place::on(On::Postgres).await, RabbitMq::shared());
    let settings = settings(rabbit, "flood.");
    let web = start(&place, "web", "web", &settings);
    let worker = start(&place, "one", "worker", &settings);
    let done = web.self_tests(5, 2, 0);
    until_completed(&web, &done);
    let connection = Connection::connect(&rabbit.url(), ConnectionProperties::default()).await.unwrap();
    let channel = connection.create_channel().await.unwrap();
    let before = memory(&worker);
    for turn in 0..10_000_usize {
        let body = match turn % 3 {
            0 => done[turn % done.len()].clone().into_bytes(),
            1 => Uuid::new_v4().to_string().into_bytes(),
            _ => vec![0xff; 4 * turn],
        };
        let options = BasicPublishOptions::default();
        let said = channel.basic_publish(
            "flood.task_exchange".into(),
            "task".into(),
            options,
            &body,
            BasicProperties::default(),
        );
        said.await.unwrap().await.unwrap();
    }
    // Behind the flood, and found all the same.
    let next = web.self_tests(1, 1, 0);
    until_completed(&web, &next);
    let grown = memory(&worker).saturating_sub(before);
    assert!(grown < 32 * 1024, "{grown} KiB more than {before}");
    assert_eq!(place.value("SELECT COUNT(*) FROM task_attempt").await, 6, "nothing ran twice");
}

async fn what_nobody_was_told_of_is_found_by_the_cleaner_long_before_the_poll() {
    let (place, rabbit) = (Place::on(On::Postgres).await, RabbitMq::shared());
    let mut settings = settings(rabbit, "clean.");
    settings.extend([
        ("DOCKET__RABBITMQ__CLEANUP_INTERVAL", "1s".to_owned()),
        ("DOCKET__RABBITMQ__RESEND_AFTER", "2s".to_owned()),
        ("DOCKET__METRICS__LISTEN", "127.0.0.1:0".to_owned()),
        ("DOCKET__SCALER__MIN", "2".to_owned()),
        ("DOCKET__SCALER__MAX", "9".to_owned()),
        ("DOCKET__SCALER__INTERVAL", "200ms".to_owned()),
    ]);
    let web = start(&place, "web", "web", &settings);
    let worker = start(&place, "one", "worker", &settings);
    // Each move is a look at the queue.
    wait("the last move of the slots", || worker.log().contains("slots=2").then_some(()));
    wait("the scaler's metrics", || {
        let text = metrics(&worker)?;
        // It began with eight, which nothing needs.
        (text.contains("docket_process_slots 2") && text.contains("docket_wanted_processes 1")).then_some(())
    });
    // A worker that looks late finds by chance what is meant for the cleaner.
    let heard = || {
        let text = metrics(&worker)?;
        text.split("messages_heard_total{outcome=\"due\"} ").nth(1)?.lines().next()?.parse::<u64>().ok()
    };
    while !worker.log().contains("1 task announced again") {
        let before = heard();
        let pause =
            "INSERT INTO paused_kind (kind, paused_date, paused_by) VALUES ('self-test', {now}, gen_random_uuid())";
        place.write(pause).await;
        let ids = web.self_tests(1, 1, 0);
        place.write("UPDATE queued_task SET trigger_date = {after:3600} WHERE workflow_status = 'QUEUED'").await;
        place.write("DELETE FROM paused_kind").await;
        wait("the message", || (heard() > before).then_some(()));
        place.write("UPDATE queued_task SET trigger_date = {after:-60} WHERE workflow_status = 'QUEUED'").await;
        until_completed(&web, &ids);
    }
}

async fn a_broker_that_is_away_needs_a_look_until_it_is_back() {
    let (place, rabbit) = (Place::on(On::Postgres).await, RabbitMq::start().unwrap());
    let settings = settings(&rabbit, "away.");
    let web = start(&place, "web", "web", &settings);
    let _worker = start(&place, "one", "worker", &settings);
    let is_said = || {
        let health = web.get("/api/1/admin/queue");
        health["attention"].as_array().unwrap().iter().any(|item| item["code"] == "broker_away")
    };
    wait("the worker to be heard of", || (!is_said()).then_some(()));
    rabbit.down().unwrap();
    wait("the overview to say so", || is_said().then_some(()));
    until_completed(&web, &web.self_tests(1, 1, 0));
    rabbit.up().unwrap();
    wait("the overview to be quiet again", || (!is_said()).then_some(()));
}

async fn a_broker_is_spoken_to_by_tls_if_its_certificate_is_trusted() {
    let (place, rabbit) = (Place::on(On::Postgres).await, RabbitMq::shared());
    let mut settings = settings(rabbit, "secure.");
    settings.push(("DOCKET__RABBITMQ__URL", rabbit.secure_url()));
    let distrustful: Vec<_> = settings.iter().map(|(key, value)| (*key, value.as_str())).collect();
    let distrustful = place.spawn("distrustful", "worker", &distrustful);
    wait("the refusal", || distrustful.log().contains("invalid peer certificate").then_some(()));
    let trusted = place.folder.path().join("broker.pem");
    std::fs::write(&trusted, rabbit.certificate()).unwrap();
    settings.push(("SSL_CERT_FILE", trusted.to_str().unwrap().to_owned()));
    let web = start(&place, "web", "web", &settings);
    let _worker = start(&place, "one", "worker", &settings);
    until_completed(&web, &web.self_tests(1, 1, 0));
}

async fn exchanging_every_process_beside_the_broker_fails_nothing() {
    let (place, rabbit) = (Place::on(On::Postgres).await, RabbitMq::shared());
    let settings = settings(rabbit, "exchange.");
    exchange_all(&place, |name, role| start(&place, name, role, &settings)).await;
}
