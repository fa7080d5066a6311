//! Wake-ups by RabbitMQ: prompt and spread while the broker is there, harmless whatever it says, and missed by nobody while
//! it is away. Polls are an hour apart here, so that nothing but a message can be the reason.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU32, Ordering},
    time::{Duration, Instant},
};

use futures::StreamExt;
use lapin::{
    BasicProperties, Channel, Connection, ConnectionProperties,
    options::{BasicConsumeOptions, BasicPublishOptions, QueueBindOptions, QueueDeclareOptions},
    types::FieldTable,
};
use model::WorkflowStatus;
use queue::{Broker, Failure, Hints, NewTask, Queue, Runtime, Settings};
use sea_orm::ConnectionTrait;
use serde_json::json;
use testkit::{On, RabbitMq};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use crate::{
    fence::holding_claimed,
    fixture::{Fixture, OWNER, settings, steps_task},
};

testkit::on_both!(
    a_task_runs_at_once_though_polls_are_far_apart,
    what_was_rolled_back_never_runs_whatever_a_message_says,
    a_flood_of_duplicates_strangers_and_garbage_changes_nothing,
    the_end_of_a_task_and_its_death_are_told,
);

/// What counts as at once, where tests share two processors with others, and the next poll is an hour away.
const PROMPT: Duration = Duration::from_secs(5);

/// Names on the broker that no other test has.
fn on_broker(broker: &RabbitMq) -> Broker {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    Broker {
        url: broker.url(),
        prefix: format!("t{}_{}_", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)),
        retry_time: Duration::from_millis(200),
        give_up_time: Duration::from_secs(1),
    }
}

fn with_broker(broker: &Broker) -> Settings {
    Settings { hints: Hints::Rabbit(broker.clone()), ..settings() }
}

/// Several processes on one database, each with a queue of its own.
struct Cluster {
    f: Fixture,
    broker: Broker,
    stop: CancellationToken,
    ran: TaskTracker,
}

impl Cluster {
    async fn new(on: On) -> Cluster {
        Cluster::with(on, on_broker(RabbitMq::shared()), |settings| settings).await
    }

    async fn with(on: On, broker: Broker, change: impl FnOnce(Settings) -> Settings) -> Cluster {
        let f = Fixture::with(on, change(with_broker(&broker))).await;
        let cluster = Cluster { f, broker, stop: CancellationToken::new(), ran: TaskTracker::new() };
        // The one that submits, which runs nothing.
        cluster.speak(&cluster.f.queue).await;
        cluster
    }

    /// Lets a process send its messages.
    async fn speak(&self, queue: &Queue) {
        let (queue, stop) = (queue.clone(), self.stop.clone());
        self.ran.spawn(async move { queue.exchange_hints(stop).await });
    }

    /// Starts a process that runs tasks, and waits until it listens.
    async fn worker(&self) -> (Runtime, CancellationToken) {
        self.worker_on(&self.f.other(queue::probe::none())).await
    }

    async fn worker_on(&self, queue: &Queue) -> (Runtime, CancellationToken) {
        self.speak(queue).await;
        let runtime = Runtime::unguarded(queue).await.unwrap();
        let (running, stop) = (runtime.clone(), self.stop.child_token());
        let until = stop.clone();
        self.ran.spawn(async move { running.run(until).await });
        until_there(&self.broker, runtime.process()).await;
        (runtime, stop)
    }

    /// Waits until the submitting process sends through the broker.
    async fn sending(&self) {
        until(async || self.f.queue.uses_broker()).await;
    }

    async fn submit(&self, new: NewTask) -> Uuid {
        let id = self.f.add(new).await;
        self.f.queue.announce(&self.f.task(id).await);
        id
    }

    async fn end(self) {
        self.stop.cancel();
        self.ran.close();
        self.ran.wait().await;
    }
}

/// Waits for a condition, with a bound.
async fn until(met: impl AsyncFn() -> bool) {
    let wait = async {
        while !met().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), wait).await.expect("it never came to that");
}

/// Somebody else at the broker.
struct Stranger {
    _connection: Connection,
    channel: Channel,
}

impl Stranger {
    async fn at(broker: &Broker) -> Stranger {
        let connection = Connection::connect(&broker.url, ConnectionProperties::default()).await.unwrap();
        let channel = connection.create_channel().await.unwrap();
        Stranger { _connection: connection, channel }
    }

    async fn say(&self, broker: &Broker, body: &[u8]) {
        let (exchange, options) = (format!("{}task_exchange", broker.prefix), BasicPublishOptions::default());
        let said =
            self.channel.basic_publish(exchange.into(), "task".into(), options, body, BasicProperties::default());
        said.await.unwrap().await.unwrap();
    }

    /// Messages that wait in the queue of tasks.
    async fn waiting(&self, broker: &Broker) -> u32 {
        self.look(&format!("{}task_queue", broker.prefix)).await.unwrap().0
    }

    /// Messages and consumers of a queue, if it is there and not somebody's own.
    async fn look(&self, name: &str) -> Option<(u32, u32)> {
        let passive = QueueDeclareOptions { passive: true, ..QueueDeclareOptions::default() };
        let queue = self.channel.queue_declare(name.into(), passive, FieldTable::default()).await.ok()?;
        Some((queue.message_count(), queue.consumer_count()))
    }
}

/// Waits until the queue of tasks has one more consumer: the process of this id.
async fn until_there(broker: &Broker, process: &str) {
    let name = format!("{}presence.{process}", broker.prefix);
    until(async || {
        // Somebody's own queue is refused and not missing, which closes the channel: so each look has one of its own.
        let connection = Connection::connect(&broker.url, ConnectionProperties::default()).await.unwrap();
        let channel = connection.create_channel().await.unwrap();
        let passive = QueueDeclareOptions { passive: true, ..QueueDeclareOptions::default() };
        let looked = channel.queue_declare(name.as_str().into(), passive, FieldTable::default()).await;
        looked.is_err_and(|error| error.to_string().contains("RESOURCE"))
    })
    .await;
}

async fn a_task_runs_at_once_though_polls_are_far_apart(on: On) {
    let cluster = Cluster::new(on).await;
    cluster.worker().await;
    cluster.sending().await;
    for _ in 0..5 {
        let began = Instant::now();
        let id = cluster.submit(steps_task(1)).await;
        cluster.f.until(id, WorkflowStatus::Completed).await;
        assert!(began.elapsed() < PROMPT, "{:?}", began.elapsed());
    }
    cluster.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_tasks_are_spread_over_the_workers_each_within_a_second() {
    let cluster = Cluster::new(On::Postgres).await;
    cluster.worker().await;
    cluster.worker().await;
    cluster.sending().await;
    let mut ids = Vec::new();
    for _ in 0..200 {
        ids.push(cluster.submit(steps_task(1)).await);
    }
    let (mut by, mut late) = (BTreeMap::new(), 0);
    for id in &ids {
        let task = cluster.f.until(*id, WorkflowStatus::Completed).await;
        let waited = task.scheduling_started_date.unwrap() - task.created_date;
        late += usize::from(waited.num_milliseconds() >= 1_000);
        assert!(waited.to_std().unwrap() < PROMPT, "{waited}");
        let attempts = cluster.f.queue.attempts(*id).await.unwrap();
        assert_eq!(attempts.len(), 1);
        *by.entry(attempts[0].process.clone()).or_insert(0) += 1;
    }
    assert!(late <= ids.len() / 10, "{late} waited for longer than a second");
    assert_eq!(by.len(), 2);
    assert!(by.values().all(|share| *share <= 140), "{by:?}");
    cluster.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_that_is_full_or_abstains_hands_on_what_it_is_told() {
    let cluster =
        Cluster::with(On::Postgres, on_broker(RabbitMq::shared()), |settings| Settings { slots: 1, ..settings }).await;
    let (probe, release) = holding_claimed();
    let full = cluster.worker_on(&cluster.f.other(probe)).await.0;
    cluster.sending().await;
    let held = cluster.submit(steps_task(1)).await;
    cluster.f.until(held, WorkflowStatus::Scheduling).await;
    cluster.worker().await;
    let (other, _) = cluster.worker().await;
    other.abstain(true).await.unwrap();
    for _ in 0..9 {
        let began = Instant::now();
        let id = cluster.submit(steps_task(1)).await;
        cluster.f.until(id, WorkflowStatus::Completed).await;
        assert!(began.elapsed() < PROMPT, "{:?}", began.elapsed());
        let attempts = cluster.f.queue.attempts(id).await.unwrap();
        assert!([full.process(), other.process()].iter().all(|process| attempts[0].process != *process));
    }
    release.send_replace(true);
    cluster.f.until(held, WorkflowStatus::Completed).await;
    cluster.end().await;
}

async fn what_was_rolled_back_never_runs_whatever_a_message_says(on: On) {
    let cluster = Cluster::new(on).await;
    cluster.worker().await;
    let stranger = Stranger::at(&cluster.broker).await;
    let txn = cluster.f.test.db.begin_write().await.unwrap();
    let task = cluster.f.queue.enqueue(&txn, steps_task(1)).await.unwrap().task();
    stranger.say(&cluster.broker, task.id.to_string().as_bytes()).await;
    txn.rollback().await.unwrap();
    tokio::time::sleep(cluster.broker.give_up_time * 2).await;
    assert!(cluster.f.queue.task(task.id).await.unwrap().is_none());
    assert_eq!(cluster.f.effects(task.id).await, []);
    cluster.end().await;
}

/// With the usual times: looked up again every two seconds for ten, and said again by the cleaner.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_message_before_its_commit_is_as_good_as_one_after_it() {
    let usual = Broker {
        retry_time: Duration::from_secs(2),
        give_up_time: Duration::from_secs(10),
        ..on_broker(RabbitMq::shared())
    };
    let cluster = Cluster::with(On::Postgres, usual, |mut settings| {
        settings.cleaning.resend_after = Duration::from_millis(100);
        settings
    })
    .await;
    cluster.worker().await;
    cluster.sending().await;
    let stranger = Stranger::at(&cluster.broker).await;
    let (short, long) = tokio::join!(held_for(&cluster, &stranger, 5), held_for(&cluster, &stranger, 30));
    let task = cluster.f.until(short, WorkflowStatus::Completed).await;
    let waited = task.scheduling_started_date.unwrap() - task.created_date;
    assert!(waited.num_seconds() < 8, "{waited}");
    // Twice as long as until a task that is still waited for is looked up.
    tokio::time::sleep(cluster.broker.retry_time * 2).await;
    assert_eq!(cluster.f.status(long).await, WorkflowStatus::Queued, "given up long before");
    assert_eq!(cluster.f.queue.say_again().await.unwrap(), 1);
    cluster.f.until(long, WorkflowStatus::Completed).await;
    for id in [short, long] {
        assert_eq!(cluster.f.effects(id).await, [(1, 1)]);
    }
    cluster.end().await;
}

/// A task whose message is sent so many seconds before it is committed.
async fn held_for(cluster: &Cluster, stranger: &Stranger, seconds: u64) -> Uuid {
    let txn = cluster.f.test.db.begin_write().await.unwrap();
    // The session may be idle within a transaction for no longer than this test holds one.
    txn.execute_unprepared("SET LOCAL idle_in_transaction_session_timeout = 0").await.unwrap();
    let task = cluster.f.queue.enqueue(&txn, steps_task(1)).await.unwrap().task();
    stranger.say(&cluster.broker, task.id.to_string().as_bytes()).await;
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    cluster.f.test.db.commit(txn).await.unwrap();
    task.id
}

async fn a_flood_of_duplicates_strangers_and_garbage_changes_nothing(on: On) {
    let cluster = Cluster::new(on).await;
    cluster.worker().await;
    cluster.sending().await;
    let stranger = Stranger::at(&cluster.broker).await;
    let done = cluster.submit(steps_task(2)).await;
    cluster.f.until(done, WorkflowStatus::Completed).await;
    let mut said = Vec::new();
    for turn in 0..10_000_u32 {
        said.push(match turn % 5 {
            0 | 1 => done.to_string().into_bytes(),
            2 | 3 => Uuid::new_v4().to_string().into_bytes(),
            _ => turn.to_le_bytes().to_vec(),
        });
    }
    for body in &said {
        stranger.say(&cluster.broker, body).await;
    }
    until(async || stranger.waiting(&cluster.broker).await == 0).await;
    let began = Instant::now();
    let next = cluster.submit(steps_task(1)).await;
    cluster.f.until(next, WorkflowStatus::Completed).await;
    assert!(began.elapsed() < PROMPT, "{:?}", began.elapsed());
    assert_eq!(cluster.f.effects(done).await, [(1, 1), (2, 1)]);
    cluster.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broker_that_goes_and_comes_back_loses_and_doubles_nothing() {
    let rabbit = RabbitMq::start().unwrap();
    let cluster = Cluster::with(On::Postgres, on_broker(&rabbit), |settings| settings).await;
    cluster.worker().await;
    cluster.worker().await;
    cluster.sending().await;
    let mut ids = Vec::new();
    let submit = async |ids: &mut Vec<Uuid>| {
        for _ in 0..50 {
            ids.push(cluster.submit(steps_task(2)).await);
        }
    };
    submit(&mut ids).await;
    rabbit.down().unwrap();
    submit(&mut ids).await;
    until(async || !cluster.f.queue.uses_broker()).await;
    submit(&mut ids).await;
    for id in &ids {
        cluster.f.until(*id, WorkflowStatus::Completed).await;
    }
    rabbit.up().unwrap();
    cluster.sending().await;
    submit(&mut ids).await;
    for id in &ids {
        cluster.f.until(*id, WorkflowStatus::Completed).await;
        assert_eq!(cluster.f.effects(*id).await, [(1, 1), (2, 1)]);
    }
    cluster.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_has_left_the_broker_too_is_dead_before_it_has_missed_a_beat() {
    let lease = Duration::from_secs(20);
    let cluster = Cluster::with(On::Postgres, on_broker(RabbitMq::shared()), |settings| Settings {
        // It would be found by the next beat that is missed, or by a sweep: both are far away.
        heartbeat: Duration::from_secs(3_600),
        lease: Duration::from_secs(20_000),
        sweep: Duration::from_secs(3_600),
        ..settings
    })
    .await;
    // A server that has just started holds nobody's lock, and this one may have; a lease is long past by the clock of tests.
    cluster.f.test.clock.advance(Duration::from_secs(20_000) + lease);
    let (probe, _never_released) = holding_claimed();
    let dying = Runtime::unguarded(&cluster.f.other(probe)).await.unwrap();
    let (stop, killed) = (cluster.stop.child_token(), dying.clone());
    cluster.ran.spawn(async move { killed.run(stop).await });
    until_there(&cluster.broker, dying.process()).await;
    let id = cluster.f.steps(1).await;
    dying.tick().await.unwrap();
    assert_eq!(cluster.f.status(id).await, WorkflowStatus::Scheduling);
    let (other, _) = cluster.worker().await;
    // It has to be seen before it can be missed, which is once a second.
    tokio::time::sleep(Duration::from_secs(2)).await;
    dying.kill();
    dying.vanish().await;
    let task = cluster.f.until(id, WorkflowStatus::Completed).await;
    assert_eq!(task.attempt, 2);
    let attempts = cluster.f.queue.attempts(id).await.unwrap();
    assert!(attempts.iter().any(|attempt| attempt.process == other.process()));
    cluster.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_that_has_left_the_broker_alone_keeps_its_tasks() {
    let lease = Duration::from_secs(20_000);
    let cluster = Cluster::with(On::Postgres, on_broker(RabbitMq::shared()), |settings| Settings {
        heartbeat: Duration::from_secs(3_600),
        lease,
        sweep: Duration::from_millis(100),
        ..settings
    })
    .await;
    cluster.f.test.clock.advance(lease * 2);
    let (probe, _never_released) = holding_claimed();
    let (left, _) = cluster.worker_on(&cluster.f.other(probe)).await;
    let id = cluster.f.steps(1).await;
    left.tick().await.unwrap();
    cluster.worker().await;
    // It has to be seen before it can be missed, and missed before anybody could be wrong about it.
    tokio::time::sleep(Duration::from_secs(2)).await;
    left.kill();
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(cluster.f.status(id).await, WorkflowStatus::Scheduling, "its lock says that it is there");
    left.vanish().await;
    assert_eq!(cluster.f.until(id, WorkflowStatus::Completed).await.attempt, 2);
    cluster.end().await;
}

async fn the_end_of_a_task_and_its_death_are_told(on: On) {
    let cluster = Cluster::new(on).await;
    cluster.worker().await;
    cluster.sending().await;
    let stranger = Stranger::at(&cluster.broker).await;
    let mut heard = BTreeMap::new();
    for (exchange, key) in [("task_exchange", "ended"), ("dead_task_exchange", "")] {
        let exclusive = QueueDeclareOptions { exclusive: true, ..QueueDeclareOptions::default() };
        let queue = stranger.channel.queue_declare("".into(), exclusive, FieldTable::default()).await.unwrap();
        let from = format!("{}{exchange}", cluster.broker.prefix);
        let (options, nothing) = (QueueBindOptions::default(), FieldTable::default());
        stranger.channel.queue_bind(queue.name().clone(), from.into(), key.into(), options, nothing).await.unwrap();
        let (options, nothing) = (BasicConsumeOptions { no_ack: true, ..Default::default() }, FieldTable::default());
        let consumer = stranger.channel.basic_consume(queue.name().clone(), "".into(), options, nothing).await.unwrap();
        heard.insert(exchange, consumer);
    }
    let done = cluster.submit(steps_task(1)).await;
    cluster.f.until(done, WorkflowStatus::Completed).await;
    cluster.f.mood.fail(1, 1, Failure::permanent("refused", "no"));
    let dead = cluster.submit(NewTask::new("steps", json!({ "steps": 1 }), OWNER)).await;
    cluster.f.until(dead, WorkflowStatus::Failure).await;
    let mut next = async |exchange: &str| {
        let message = tokio::time::timeout(Duration::from_secs(5), heard.get_mut(exchange).unwrap().next()).await;
        let message = message.unwrap().unwrap().unwrap();
        let headers = message.properties.headers().clone().unwrap_or_default();
        let headers = headers.inner().iter().map(|(name, value)| {
            let value = value.as_long_string().map(|value| String::from_utf8(value.as_bytes().to_vec()).unwrap());
            (name.to_string(), value.unwrap())
        });
        (String::from_utf8(message.data.clone()).unwrap(), headers.collect::<BTreeMap<_, _>>())
    };
    assert_eq!(next("task_exchange").await.0, done.to_string());
    assert_eq!(next("task_exchange").await.0, dead.to_string());
    let (id, headers) = next("dead_task_exchange").await;
    let wanted = [("how", "FAILED"), ("kind", "steps")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!((id, headers), (dead.to_string(), wanted.into()), "nothing else");
    cluster.end().await;
}
