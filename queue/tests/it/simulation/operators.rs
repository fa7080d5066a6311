//! People at the pages of two other processes: they submit tasks, give them up and try them again, at the same moment if it comes
//! to that, and what they were told is kept to be compared with what became of it.

use model::TaskId;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard},
};

use queue::{Error, NewTask, Queue};
use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;

use super::{machine::Machine, turns::Turns};
use crate::fixture::OWNER;

/// What somebody wants.
#[derive(Clone, Debug)]
pub enum Verb {
    Submit(NewTask),
    /// Submits it and takes that back, though it has been announced.
    SubmitInVain(NewTask),
    Retry(TaskId),
    Abandon(TaskId),
    AbandonAll(Vec<TaskId>),
    TakeFromStalled(TaskId),
    Pause,
    Resume,
}

/// What people were told.
#[derive(Clone, Default)]
pub struct Answers(Arc<Mutex<Told>>);

#[derive(Default)]
pub struct Told {
    /// The steps of each task that was submitted.
    pub submitted: BTreeMap<TaskId, i64>,
    /// How often each was given up, as far as is known.
    pub given_up: BTreeMap<TaskId, u32>,
    /// How often each was tried again by somebody, as far as is known.
    pub retried: BTreeMap<TaskId, u32>,
    /// Those whose answer was lost.
    pub in_doubt: BTreeSet<TaskId>,
}

impl Answers {
    pub fn told(&self) -> MutexGuard<'_, Told> {
        self.0.lock().unwrap()
    }
}

pub struct Operator {
    pub machine: Machine,
    call: Option<JoinHandle<()>>,
}

impl Operator {
    pub fn new(machine: Machine) -> Operator {
        Operator { machine, call: None }
    }

    pub fn is_busy(&self) -> bool {
        self.call.as_ref().is_some_and(|call| !call.is_finished())
    }

    pub async fn has_done(&mut self) {
        if !self.is_busy()
            && let Some(call) = self.call.take()
        {
            call.await.unwrap();
        }
    }

    pub fn begin(&mut self, calls: &TaskTracker, turns: &Turns, answers: &Answers, verb: Verb) {
        let (queue, answers, going) = (self.machine.queue.clone(), answers.clone(), turns.going());
        self.call = Some(calls.spawn(async move {
            // Whoever gets no answer to a submit sends it again; the rest is looked at first, which is another call.
            while act(&queue, &verb, &answers).await.is_err() && matches!(verb, Verb::Submit(_)) {}
            drop(going);
        }));
    }
}

/// The error is that nobody knows.
async fn act(queue: &Queue, verb: &Verb, answers: &Answers) -> Result<(), ()> {
    let db = queue.db();
    let txn = db.begin_write().await.map_err(drop)?;
    let done = match verb {
        Verb::Submit(new) | Verb::SubmitInVain(new) => {
            queue.enqueue(&txn, new.clone()).await.map(|task| vec![task.task()])
        }
        Verb::Retry(id) => queue.retry(&txn, *id, OWNER).await.map(|task| vec![task]),
        Verb::Abandon(id) => queue.abandon(&txn, *id, OWNER, None).await.map(|task| vec![task]),
        Verb::AbandonAll(ids) => queue.abandon_all(&txn, ids, OWNER, "enough").await,
        Verb::TakeFromStalled(id) => {
            queue.take_from_stalled(&txn, *id, OWNER).await.map(|task| task.into_iter().collect())
        }
        Verb::Pause => queue.pause(&txn, "steps", OWNER, None).await.map(|_| Vec::new()),
        Verb::Resume => queue.resume(&txn, "steps").await.map(|_| Vec::new()),
    };
    let tasks = match done {
        Ok(tasks) => tasks,
        Err(Error::Conflict(_) | Error::NoSuchTask) => return txn.rollback().await.map_err(drop),
        Err(error) => panic!("{verb:?}: {error}"),
    };
    if let Verb::SubmitInVain(_) = verb {
        txn.rollback().await.unwrap();
        tasks.iter().for_each(|task| queue.announce(task));
        return Ok(());
    }
    let committed = db.commit(txn).await;
    let mut told = answers.told();
    if committed.is_err() {
        told.in_doubt.extend(tasks.iter().map(|task| task.id));
        return Err(());
    }
    for task in &tasks {
        match verb {
            Verb::Submit(new) => drop(told.submitted.insert(task.id, new.spec["steps"].as_i64().unwrap())),
            Verb::Abandon(_) | Verb::AbandonAll(_) => *told.given_up.entry(task.id).or_default() += 1,
            Verb::Retry(_) => *told.retried.entry(task.id).or_default() += 1,
            _ => {}
        }
    }
    match verb {
        Verb::Abandon(_) | Verb::AbandonAll(_) => {
            queue.notify_given_up(&tasks);
            queue.wake();
        }
        Verb::Resume => queue.wake(),
        _ => tasks.iter().for_each(|task| queue.announce(task)),
    }
    Ok(())
}
