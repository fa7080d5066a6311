//! One history: machines whose processes are held before each of their transactions, two people beside them, and a seed that
//! says who goes on next, what is lost on its way, who stands still, who dies, and how far time jumps.

use std::{
    collections::{BTreeMap, BTreeSet},
    hash::{DefaultHasher, Hash, Hasher},
    time::Duration,
};

use model::{AccountId, TaskErrorCode, TaskId};
use queue::{Failure, NewTask, test_faults::Commit};
use rand::{RngExt, rngs::StdRng};
use sea_orm::ConnectionTrait;
use tokio_util::task::TaskTracker;

use super::{
    machine::Machine,
    operators::{Answers, Operator, Verb},
    turns::Turns,
    world::PER_OWNER,
};
use crate::fixture::{Mood, settings, steps_task};

/// How far clocks differ, if they do: by no sum of the jumps, and by more than anything waits for its next try.
const SKEW: Duration = Duration::from_millis(150_330);

/// What fails with this is not tried again.
pub const FOR_GOOD: TaskErrorCode = TaskErrorCode::MailServer;

pub fn not_now() -> Failure {
    Failure::transient(TaskErrorCode::SelfTest, "not now")
}

pub struct History<'a> {
    pub seed: u64,
    pub rng: StdRng,
    pub machines: &'a mut [Machine],
    pub operators: &'a mut [Operator],
    pub turns: Turns,
    pub mood: Mood,
    pub calls: TaskTracker,
    pub answers: Answers,
    /// Hints on their way, by the machine they are for.
    pub on_their_way: Vec<usize>,
    /// How many of a hundred hints are lost, and how many of a thousand commits get no answer.
    pub hints_lost: u32,
    pub answers_lost: u32,
    /// When each process was last heard of, by its machine's clock, and those that somebody took for dead.
    pub heard: BTreeMap<String, Duration>,
    pub silent: BTreeSet<String>,
    /// How far time has jumped.
    pub passed: Duration,
    pub skewed: bool,
    /// Whether an answer was lost, or a hint.
    pub lost: bool,
    pub ids: Vec<TaskId>,
    pub trace: DefaultHasher,
    pub happened: &'a mut Happened,
}

/// How often each of what goes wrong has gone wrong.
pub type Happened = BTreeMap<&'static str, u64>;

/// What many histories have to have seen, or they have shown nothing.
pub const HAPPENS: [&str; 13] = [
    "a process dies",
    "a process dies inside a chunk",
    "a process ends in good order",
    "a machine stands still",
    "a machine stands still inside a chunk",
    "clocks differ",
    "a hint is lost",
    "a hint is doubled",
    "an answer is lost",
    "a commit is refused",
    "somebody gives up",
    "somebody tries again",
    "somebody takes from a stalled process",
];

impl History<'_> {
    /// Plays the seed's choices.
    pub async fn play(&mut self) {
        self.begin().await;
        for _ in 0..self.rng.random_range(15..60) {
            self.choose().await;
            self.see().await;
        }
    }

    async fn begin(&mut self) {
        self.skewed = self.rng.random_bool(0.5);
        if self.skewed {
            self.happens("clocks differ");
        }
        self.hints_lost = if self.rng.random_bool(0.35) { 25 } else { 0 };
        self.answers_lost = if self.rng.random_bool(0.25) { 20 } else { 0 };
        let everywhere = self.machines.iter().chain(self.operators.iter().map(|operator| &operator.machine));
        let ahead = everywhere.map(|machine| machine.clock.offset_micros().unsigned_abs()).max().unwrap();
        let base = Duration::from_micros(ahead) + SKEW;
        for machine in self.operators.iter().map(|operator| &operator.machine) {
            machine.set(base);
        }
        for (machine, n) in self.machines.iter().zip(0..) {
            machine.set(base + if self.skewed { SKEW * n } else { Duration::ZERO });
        }
        for n in 0..self.rng.random_range(1..=self.machines.len()) {
            self.start(n).await;
        }
    }

    async fn choose(&mut self) {
        let inside = self.turns.held().iter().find(|place| place.inside).map(|place| place.machine);
        let n = self.rng.random_range(0..self.machines.len());
        let person = self.rng.random_range(0..self.operators.len());
        // A chunk is at its end for a moment only, which is when most can go wrong.
        let (n, choice) = match inside {
            Some(at) if self.rng.random_bool(0.2) => (at, self.rng.random_range(18..=22)),
            _ => (n, self.rng.random_range(0..100)),
        };
        (choice, n, person, self.turns.held()).hash(&mut self.trace);
        match choice {
            0..=11 => self.ask(person),
            12..=14 if self.machines[n].sweep.is_none() && !self.machines[n].frozen => self.sweep(n),
            15..=17 => self.jump(),
            18 if inside.is_none_or(|at| at == n) => {
                if self.machines[n].process.is_some() {
                    self.happens(if inside.is_some() { "a process dies inside a chunk" } else { "a process dies" });
                }
                self.machines[n].kill().await;
                self.start_at_once_or_later(n).await;
            }
            19..=20 if inside.is_none() => self.stop(n).await,
            21..=22 => {
                self.machines[n].frozen ^= true;
                if self.machines[n].frozen && inside == Some(n) {
                    self.happens("a machine stands still inside a chunk");
                }
            }
            23..=26 if inside.is_none() && !self.machines[n].frozen => self.stand_still(n).await,
            27..=28 => {
                let (step, times) = (self.rng.random_range(1..4), self.rng.random_range(1..5));
                let for_good = self.rng.random_bool(0.3);
                let failure = if for_good { Failure::permanent(FOR_GOOD, "never") } else { not_now() };
                self.mood.fail(step, times, failure);
            }
            29..=30 if inside.is_none() && !self.machines[n].frozen => self.beat(n).await,
            // By the poll, or since somebody was told.
            31 => self.look(n).await,
            32..=44 if self.machines[n].told => self.look(n).await,
            45..=54 if !self.on_their_way.is_empty() => self.deliver(),
            55..=58 if inside.is_none() && self.machines[n].process.is_none() => self.start(n).await,
            59..=63 => self.machines.iter_mut().for_each(|machine| machine.frozen = false),
            _ => drop(self.release(false).await),
        }
    }

    /// Lets somebody go on; with `all`, also on machines that stand still. False: nobody can.
    pub async fn release(&mut self, all: bool) -> bool {
        let held = self.turns.held();
        let inside = held.iter().any(|place| place.inside);
        let frozen = |n: usize| self.machines.get(n).is_some_and(|machine| machine.frozen);
        // While a chunk is about to commit nobody else can write.
        let can: Vec<usize> = (0..held.len())
            .filter(|at| held[*at].inside == inside && (all || inside || !frozen(held[*at].machine)))
            .collect();
        if can.is_empty() {
            return false;
        }
        let which = can[self.rng.random_range(0..can.len())];
        self.let_go(which).await;
        true
    }

    pub async fn let_go(&mut self, which: usize) {
        let place = self.turns.held()[which];
        // Whoever takes from the dead asks who that is once it is their turn.
        if self.machines.get(place.machine).is_none_or(|machine| machine.sweep.is_some()) {
            self.listen(place.machine);
        }
        let commit = match self.rng.random_range(0..1000) {
            n if n < self.answers_lost => Some(Commit::Unanswered),
            n if n < self.answers_lost * 2 => Some(Commit::Refused),
            _ => None,
        };
        let stalls = self.rng.random_bool(0.2);
        self.machine(place.machine).prepare(commit, stalls);
        self.turns.release(which);
        self.turns.quiet().await;
        if self.machine(place.machine).went_wrong(commit) {
            self.lost = true;
            match commit {
                Some(Commit::Unanswered) => self.happens("an answer is lost"),
                Some(_) => self.happens("a commit is refused"),
                None => {}
            }
        }
    }

    pub fn happens(&mut self, what: &'static str) {
        *self.happened.entry(what).or_default() += 1;
    }

    pub fn machine(&self, n: usize) -> &Machine {
        let person = n.checked_sub(self.machines.len()).and_then(|n| self.operators.get(n));
        person.map_or_else(|| &self.machines[n], |operator| &operator.machine)
    }

    /// Puts away what was done, and takes the hints that came of it.
    pub async fn see(&mut self) {
        self.turns.quiet().await;
        let mut looked = false;
        for machine in self.machines.iter_mut() {
            looked |= machine.has_done().await > 0;
            machine.told |= machine.queue.hints_by_hand().has_heard();
        }
        for operator in self.operators.iter_mut() {
            operator.has_done().await;
        }
        if looked {
            self.nobody_has_more_than_their_share().await;
        }
        for from in 0..self.machines.len() + self.operators.len() {
            if !self.machine(from).queue.hints_by_hand().says() {
                continue;
            }
            for to in (0..self.machines.len()).filter(|to| *to != from) {
                let lost = self.rng.random_range(0..100) < self.hints_lost;
                self.lost |= lost;
                let copies = if lost { 0 } else { self.rng.random_range(1..=2) };
                match copies {
                    0 => self.happens("a hint is lost"),
                    1 => {}
                    _ => self.happens("a hint is doubled"),
                }
                self.on_their_way.extend(std::iter::repeat_n(to, copies));
            }
        }
    }

    pub fn deliver(&mut self) {
        let which = self.rng.random_range(0..self.on_their_way.len());
        let to = self.on_their_way.remove(which);
        self.machines[to].queue.hints_by_hand().hears();
    }

    async fn nobody_has_more_than_their_share(&self) {
        let db = &self.machines[0].db;
        let sql = "SELECT owner_id FROM queued_task WHERE scheduled_by_process IS NOT NULL";
        let mut running = BTreeMap::<TaskId, u32>::new();
        for row in db.reader().query_all_raw(db.statement(sql, [])).await.unwrap() {
            *running.entry(row.try_get("", "owner_id").unwrap()).or_default() += 1;
        }
        assert!(running.values().all(|n| *n <= PER_OWNER), "SEED={}: more run than may: {running:?}", self.seed);
    }

    /// Somebody does something, unless they are waiting for an answer.
    fn ask(&mut self, person: usize) {
        if self.operators[person].is_busy() {
            return;
        }
        let rng = &mut self.rng;
        let one = match self.ids.len() {
            0 => None,
            n => Some(self.ids[rng.random_range(0..n)]),
        };
        let new = NewTask {
            id: Some(TaskId::from_u128(rng.random())),
            owner_id: AccountId::from_u128(rng.random_range(1..4)),
            priority: rng.random_range(0..2),
            ..steps_task(rng.random_range(1..5))
        };
        let verb = match (rng.random_range(0..24), one) {
            (0..=1, Some(id)) => Verb::Abandon(id),
            (2, Some(id)) => Verb::AbandonAll(vec![id, self.ids[0]]),
            (3..=5, Some(id)) => Verb::Retry(id),
            (6, Some(id)) => Verb::TakeFromStalled(id),
            (7, _) => Verb::SubmitInVain(new),
            (8, _) => Verb::Pause,
            (9..=10, _) => Verb::Resume,
            (11, _) => {
                let later = self.operators[person].machine.clock.now() + Duration::from_secs(200);
                self.submit(NewTask { trigger_date: Some(later), ..new })
            }
            _ => self.submit(new),
        };
        match verb {
            Verb::Abandon(_) | Verb::AbandonAll(_) => self.happens("somebody gives up"),
            Verb::Retry(_) => self.happens("somebody tries again"),
            Verb::TakeFromStalled(_) => {
                self.happens("somebody takes from a stalled process");
                self.listen(self.machines.len() + person);
            }
            _ => {}
        }
        self.operators[person].begin(&self.calls, &self.turns, &self.answers, verb);
    }

    fn submit(&mut self, new: NewTask) -> Verb {
        self.ids.extend(new.id);
        Verb::Submit(new)
    }

    pub fn overdue(&self) -> bool {
        let ahead = if self.skewed { SKEW * (self.machines.len() as u32 - 1) } else { Duration::ZERO };
        self.passed + ahead >= settings().deadline
    }

    pub fn traced(&self) -> u64 {
        self.trace.finish()
    }
}
