//! Several processes on one database and one broker, and somebody else who speaks to it.

use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use lapin::{
    BasicProperties, Channel, Connection, ConnectionProperties,
    message::Delivery,
    options::{BasicPublishOptions, QueueDeclareOptions},
    types::FieldTable,
};
use model::{TaskId, WorkflowStatus};
use queue::{Broker, Hints, NewTask, Queue, Runtime, Settings, test_hooks::Probe};
use testkit::{On, RabbitMq};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::fixture::{Fixture, PATIENCE, settings, steps_task};

/// Names on the broker that no other test has.
pub fn on_broker(broker: &RabbitMq) -> Broker {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    Broker {
        url: broker.url(),
        prefix: format!("t{}_{}_", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)),
        retry_time: Duration::from_millis(200),
        give_up_time: Duration::from_secs(1),
    }
}

pub fn with_broker(broker: &Broker) -> Settings {
    Settings { hints: Hints::Rabbit(broker.clone()), ..settings() }
}

/// Several processes on one database, each with a queue of its own.
pub struct Cluster {
    pub f: Fixture,
    pub broker: Broker,
    pub stop: CancellationToken,
    pub ran: TaskTracker,
}

impl Cluster {
    pub async fn new(on: On) -> Cluster {
        Cluster::with(on, on_broker(RabbitMq::shared()), |settings| settings).await
    }

    pub async fn with(on: On, broker: Broker, change: impl FnOnce(Settings) -> Settings) -> Cluster {
        let f = Fixture::with(on, change(with_broker(&broker))).await;
        let cluster = Cluster { f, broker, stop: CancellationToken::new(), ran: TaskTracker::new() };
        // The one that submits, which runs nothing.
        cluster.speak(&cluster.f.queue).await;
        cluster
    }

    /// Lets a process send its messages.
    pub async fn speak(&self, queue: &Queue) {
        let (queue, stop) = (queue.clone(), self.stop.clone());
        self.ran.spawn(async move { queue.exchange_hints(stop).await });
    }

    /// Starts a process that runs tasks, and waits until it listens.
    pub async fn worker(&self) -> (Runtime, CancellationToken) {
        self.worker_on(&self.f.other(queue::test_hooks::none())).await
    }

    pub async fn worker_on(&self, queue: &Queue) -> (Runtime, CancellationToken) {
        self.speak(queue).await;
        let runtime = Runtime::unguarded(queue).await.unwrap();
        let (running, stop) = (runtime.clone(), self.stop.child_token());
        let until = stop.clone();
        self.ran.spawn(async move { running.run(until).await });
        until_there(&self.broker, runtime.process()).await;
        (runtime, stop)
    }

    /// A worker that holds a task as long as `probe` does, and that task.
    pub async fn busy_worker(&self, probe: Probe) -> (Runtime, TaskId) {
        let worker = self.worker_on(&self.f.other(probe)).await.0;
        self.sending().await;
        let held = self.submit(steps_task(1)).await;
        self.f.until(held, WorkflowStatus::Scheduling).await;
        (worker, held)
    }

    /// Waits until the submitting process sends through the broker.
    pub async fn sending(&self) {
        self.until_sending(&self.f.queue).await;
    }

    /// Waits until this process sends through the broker.
    pub async fn until_sending(&self, queue: &Queue) {
        until(async || queue.uses_broker()).await;
    }

    pub async fn submit(&self, new: NewTask) -> TaskId {
        let id = self.f.add(new).await;
        self.f.queue.announce(&self.f.task(id).await);
        id
    }

    /// How long a task waited for its last start.
    pub async fn waited(&self, id: TaskId) -> Duration {
        let task = self.f.task(id).await;
        (task.scheduling_started_date.unwrap() - task.created_date).to_std().unwrap()
    }

    pub async fn end(self) {
        self.stop.cancel();
        self.ran.close();
        self.ran.wait().await;
    }
}

/// Waits for a condition, with a bound.
pub async fn until(met: impl AsyncFn() -> bool) {
    let wait = async {
        while !met().await {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, wait).await.expect("it never came to that");
}

/// Somebody else at the broker.
pub struct Stranger {
    _connection: Connection,
    pub channel: Channel,
}

impl Stranger {
    pub async fn at(broker: &Broker) -> Stranger {
        let connection = Connection::connect(&broker.url, ConnectionProperties::default()).await.unwrap();
        let channel = connection.create_channel().await.unwrap();
        Stranger { _connection: connection, channel }
    }

    pub async fn say(&self, broker: &Broker, body: &[u8]) {
        let (exchange, options) = (format!("{}task_exchange", broker.prefix), BasicPublishOptions::default());
        let said =
            self.channel.basic_publish(exchange.into(), "task".into(), options, body, BasicProperties::default());
        said.await.unwrap().await.unwrap();
    }

    /// Messages that wait in the queue of tasks.
    pub async fn waiting(&self, broker: &Broker) -> u32 {
        self.look(&format!("{}task_queue", broker.prefix)).await.unwrap().0
    }

    /// A queue of its own with a copy of each message about a task that may be due.
    pub async fn copies(&self, broker: &Broker) -> String {
        let exclusive = QueueDeclareOptions { exclusive: true, ..QueueDeclareOptions::default() };
        let queue = self.channel.queue_declare("".into(), exclusive, FieldTable::default()).await.unwrap();
        let (name, from) = (queue.name().clone(), format!("{}task_exchange", broker.prefix));
        let bound = self.channel.queue_bind(
            name.clone(),
            from.into(),
            "task".into(),
            Default::default(),
            FieldTable::default(),
        );
        bound.await.unwrap();
        name.to_string()
    }

    /// The first message of a queue.
    pub async fn take(&self, queue: &str) -> Delivery {
        self.channel.basic_get(queue.into(), Default::default()).await.unwrap().unwrap().delivery
    }

    /// Messages and consumers of a queue, if it is there and not somebody's own.
    pub async fn look(&self, name: &str) -> Option<(u32, u32)> {
        let passive = QueueDeclareOptions { passive: true, ..QueueDeclareOptions::default() };
        let queue = self.channel.queue_declare(name.into(), passive, FieldTable::default()).await.ok()?;
        Some((queue.message_count(), queue.consumer_count()))
    }
}

/// Waits until the queue of tasks has one more consumer: the process of this id.
pub async fn until_there(broker: &Broker, process: &str) {
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
