//! A database, the machines on it, and how a history ends: in peace, where whatever can start has started by hints alone, or
//! with the death of all; and then with one more process that does what is left.

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::DefaultHasher,
    time::Duration,
};

use queue::{Runtime, Settings};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use sea_orm::ConnectionTrait;
use testkit::Watched;
use tokio_util::task::TaskTracker;

use super::{
    history::{Happened, History, not_now},
    machine::Machine,
    operators::{Answers, Operator},
    promises::{broken, taken_from_the_living},
    turns::Turns,
};
use crate::fixture::{Fixture, LEASE, PATIENCE, settings};

const MACHINES: usize = 3;
const OPERATORS: usize = 2;
pub const PER_OWNER: u32 = 2;

pub struct World {
    f: Fixture,
    turns: Turns,
    machines: Vec<Machine>,
    operators: Vec<Operator>,
    pub happened: Happened,
}

impl World {
    pub async fn new() -> World {
        let minute = Duration::from_secs(60);
        // A run is not ended for being doubted by the real clock.
        let settings = Settings {
            slots: 3,
            per_owner: PER_OWNER,
            max_failures: 3,
            backoff: minute,
            backoff_max: minute * 2,
            sweep: minute * 60,
            ..settings()
        };
        let f = Fixture::in_memory(settings.clone()).await;
        let turns = Turns::default();
        let (mut machines, mut operators) = (Vec::new(), Vec::new());
        for number in 0..MACHINES + OPERATORS {
            let machine = Machine::new(number, &f.test.url, settings.clone(), &f.mood, &turns).await;
            match number < MACHINES {
                true => machines.push(machine),
                false => operators.push(Operator::new(machine)),
            }
        }
        World { f, turns, machines, operators, happened: Happened::new() }
    }

    /// Plays the history of a seed. Gives what tells it from others.
    pub async fn play(&mut self, seed: u64) -> u64 {
        let _watched = Watched::begin(&format!("SEED={seed}"), PATIENCE);
        let played = tokio::time::timeout(PATIENCE, self.history(seed)).await;
        played.unwrap_or_else(|_| panic!("SEED={seed} has not ended: {:?} are held", self.turns.held()))
    }

    async fn history(&mut self, seed: u64) -> u64 {
        let mut history = History {
            seed,
            rng: StdRng::seed_from_u64(seed),
            machines: &mut self.machines,
            operators: &mut self.operators,
            turns: self.turns.clone(),
            mood: self.f.mood.clone(),
            calls: TaskTracker::new(),
            answers: Answers::default(),
            on_their_way: Vec::new(),
            hints_lost: 0,
            answers_lost: 0,
            heard: BTreeMap::new(),
            silent: BTreeSet::new(),
            passed: Duration::ZERO,
            skewed: false,
            lost: false,
            ids: Vec::new(),
            trace: DefaultHasher::new(),
            happened: &mut self.happened,
        };
        history.play().await;
        if history.rng.random_bool(0.65) {
            history.rest().await;
        } else {
            for machine in history.machines.iter_mut() {
                machine.kill().await;
            }
            history.resume().await;
        }
        for machine in history.machines.iter_mut() {
            machine.kill().await;
        }
        let (trace, overdue) = (history.traced(), history.overdue());
        let (answers, silent) = (history.answers.clone(), std::mem::take(&mut history.silent));
        let taken = taken_from_the_living(&self.f, &silent).await;
        assert_eq!(taken, Vec::<String>::new(), "SEED={seed}");
        self.finish(answers, overdue, seed).await;
        trace
    }

    /// One more process does what is left.
    async fn finish(&mut self, answers: Answers, overdue: bool, seed: u64) {
        let f = &self.f;
        f.mood.fail(0, 0, not_now());
        self.turns.open(true);
        let ahead = self.machines.iter().map(|machine| machine.clock.offset_micros().unsigned_abs()).max().unwrap();
        let last = &self.machines[0];
        last.set(Duration::from_micros(ahead) + LEASE + Duration::from_secs(1));
        let process = Runtime::unguarded(&last.queue).await.unwrap();
        let left =
            "SELECT COUNT(*) AS n FROM queued_task WHERE workflow_status IN ('QUEUED', 'SCHEDULING', 'EXECUTING')";
        let mut rounds = 0;
        loop {
            process.rescue().await.unwrap();
            f.settle(&process).await;
            let row = f.test.db.reader().query_one_raw(f.test.db.statement(left, [])).await.unwrap().unwrap();
            if row.try_get::<i64>("", "n").unwrap() == 0 {
                break;
            }
            rounds += 1;
            assert!(rounds < 50, "SEED={seed}: something is left");
            last.clock.advance(f.queue.settings().backoff_max);
        }
        process.kill();
        let told = std::mem::take(&mut *answers.told());
        let broken = broken(f, &told, overdue || rounds > 0).await;
        assert_eq!(broken, Vec::<String>::new(), "SEED={seed}");
        self.turns.open(false);
        f.clear().await;
        for machine in &self.machines {
            let hints = machine.queue.hints_by_hand();
            hints.says();
            hints.has_heard();
        }
        for operator in &self.operators {
            operator.machine.queue.hints_by_hand().says();
        }
        for machine in &mut self.machines {
            (machine.told, machine.frozen) = (false, false);
        }
    }
}

impl History<'_> {
    /// Nothing more goes wrong, until nobody has anything to do. What could start then and has not would wait for the poll.
    async fn rest(&mut self) {
        (self.hints_lost, self.answers_lost) = (0, 0);
        for machine in self.machines.iter_mut() {
            machine.frozen = false;
        }
        self.resume().await;
        for n in 0..self.machines.len() {
            if self.machines[n].process.is_some() {
                self.sweep(n);
                self.answer_everybody().await;
            }
        }
        // By the poll.
        for n in 0..self.machines.len() {
            let machine = &self.machines[n];
            let Some(process) = &machine.process else { continue };
            let claimed = process.tick().await.unwrap();
            let fine = claimed == 0 || self.lost;
            assert!(fine, "SEED={}: machine {} was not told of what it could start", self.seed, machine.number);
            self.answer_everybody().await;
        }
        self.nobody_is_forgotten().await;
    }

    /// A process that lives and does nothing has nothing.
    async fn nobody_is_forgotten(&self) {
        let db = &self.machines[0].db;
        let sql = "SELECT scheduled_by_process AS process FROM queued_task WHERE scheduled_by_process IS NOT NULL";
        for row in db.reader().query_all_raw(db.statement(sql, [])).await.unwrap() {
            let process: String = row.try_get("", "process").unwrap();
            let alive = self.machines.iter().filter_map(|machine| machine.process.as_ref());
            let forgotten = alive.into_iter().any(|other| other.process() == process);
            assert!(!forgotten, "SEED={}: {process} lives and has forgotten a task", self.seed);
        }
    }

    /// Nothing is paused, and everybody goes on.
    async fn resume(&mut self) {
        self.answer_everybody().await;
        let queue = &self.operators[0].machine.queue;
        let txn = queue.db().begin_write().await.unwrap();
        queue.resume(&txn, "steps").await.unwrap();
        queue.db().commit(txn).await.unwrap();
        queue.wake();
        self.answer_everybody().await;
    }

    /// Lets everybody go on until nobody has anything to do.
    async fn answer_everybody(&mut self) {
        loop {
            self.see().await;
            let told = (0..self.machines.len()).find(|n| {
                self.machines[*n].told && self.machines[*n].process.is_some() && self.machines[*n].look.is_none()
            });
            if let Some(n) = told {
                self.look(n).await;
            } else if !self.on_their_way.is_empty() {
                self.deliver();
            } else if !self.release(true).await {
                return;
            }
        }
    }
}
