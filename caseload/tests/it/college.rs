//! A small college for tests: a manager, two coaches, an administrator, their students, and a queue that runs when told to.

use std::{collections::BTreeMap, time::Duration};

use caseload::{
    Actor, Caseload, Exports, Limits, NewAccount, NewPassword,
    files::{FileStore, Files},
    generate::generate,
    mail::Mail,
};
use model::{
    AccountId, Action, LedgerQuery, Outcome, PeopleFilter, PeopleQuery, PersonId, Problem, ProgramStatus, Role,
    SchoolId, Scope, Submission, Submitted, Target, TaskId, TaskState, action::StatusChange, ledger::LedgerFilter,
    submission::SubmitSource,
};
use queue::{Queue, Runtime, Settings};
use sea_orm::{ConnectionTrait, Value};
use tempfile::TempDir;
use testkit::{On, Original, TestDb};
use tokio::sync::OnceCell;

pub struct College {
    pub test: TestDb,
    pub caseload: Caseload,
    pub runtime: Runtime,
    pub manager: Actor,
    pub coach: Actor,
    pub other_coach: Actor,
    pub administrator: Actor,
    /// Where exports go.
    pub folder: TempDir,
}

pub const PASSWORD: &str = "correct horse battery";

const ACCOUNTS: [(&str, Role, &str); 4] = [
    ("manager", Role::Manager, "Katrin Lund"),
    ("coach", Role::Coach, "Paul Nwachukwu"),
    ("other", Role::Coach, "Mia Sørbø"),
    ("admin", Role::Administrator, "Ada Min"),
];

/// So many that what is done to everybody is confirmed by their number, and frozen by its task.
pub const MANY: u64 = 10_200;

/// The product on a database. Of a few dozen, a task has several chunks.
pub fn opened(test: &TestDb, mail: Mail, limits: Limits, files: Files) -> Caseload {
    in_chunks_of(40, test, mail, limits, files)
}

fn in_chunks_of(people: u64, test: &TestDb, mail: Mail, limits: Limits, files: Files) -> Caseload {
    let chunk = queue::ChunkSize { target: None, min: people, max: people };
    let settings = Settings { chunk, lease: testkit::LEASE, ..Settings::default() };
    let exports = Exports { files, most: 12_000, kept: Duration::from_secs(3_600) };
    let registry = Caseload::registry(&exports, &mail);
    let queue = Queue::with_notices(test.db.clone(), registry, settings, Caseload::notices(&mail));
    Caseload::new(queue, exports, mail, true, limits)
}

/// Those who work at the college.
pub async fn add_accounts(caseload: &Caseload) -> [AccountId; ACCOUNTS.len()] {
    caseload::hashing::cost_next_to_nothing();
    let mut ids = [AccountId::from_u128(0); ACCOUNTS.len()];
    for (id, (username, role, name)) in ids.iter_mut().zip(ACCOUNTS) {
        let (username, name) = (username.to_owned(), Some(name.to_owned()));
        let password = NewPassword::Chosen(PASSWORD.to_owned());
        *id = caseload.by_command().add(NewAccount { username, role, name, school_id: None, password }).await.unwrap();
    }
    ids
}

/// Accounts, and students whom the two coaches share in turn.
async fn enrol(test: &TestDb, caseload: &Caseload, students: u64) {
    let [_, coach, other, _] = add_accounts(caseload).await;
    let now = test.db.now().await.unwrap();
    generate(&test.db, students, 1, now, &[coach, other].map(AccountId::person)).await.unwrap();
    // Everybody starts out the same; tests set apart whom they need.
    let alike = "UPDATE person SET activated = TRUE, program_status = 'ACTIVE', change_reason = NULL WHERE student";
    test.db.write(alike, []).await.unwrap();
    let alike = "UPDATE program_status_history SET program_status = 'ACTIVE', change_reason = NULL";
    test.db.write(alike, []).await.unwrap();
}

impl College {
    /// With so many students, shared by the two coaches in turn.
    pub async fn of(on: On, students: u64) -> College {
        College::with_mail(on, students, Mail::none()).await
    }

    /// The same with a mail server.
    pub async fn with_mail(on: On, students: u64, mail: Mail) -> College {
        College::within(on, students, mail, Limits::default()).await
    }

    /// The same whose accounts may have no more than this.
    pub async fn within(on: On, students: u64, mail: Mail, limits: Limits) -> College {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(&FileStore::Folder(folder.path().display().to_string())).unwrap();
        Box::pin(College::made_of(on, students, mail, limits, (files, folder))).await
    }

    /// The same whose exports go elsewhere.
    pub async fn storing(on: On, students: u64, files: Files) -> College {
        let unused = tempfile::tempdir().unwrap();
        Box::pin(College::made_of(on, students, Mail::none(), Limits::default(), (files, unused))).await
    }

    async fn made_of(on: On, students: u64, mail: Mail, limits: Limits, (files, folder): (Files, TempDir)) -> College {
        let test = TestDb::new(on).await.unwrap();
        let caseload = opened(&test, mail, limits, files);
        enrol(&test, &caseload, students).await;
        College::begun(test, caseload, folder).await
    }

    /// With [`MANY`] students, in chunks of hundreds.
    pub async fn of_many(on: On) -> College {
        let folder = tempfile::tempdir().unwrap();
        let files = Files::open(&FileStore::Folder(folder.path().display().to_string())).unwrap();
        College { folder, ..College::of_many_storing(on, files).await }
    }

    /// The same whose exports go elsewhere.
    pub async fn of_many_storing(on: On, files: Files) -> College {
        // Once for all tests, as it takes seconds.
        static MADE: [OnceCell<Original>; 2] = [OnceCell::const_new(), OnceCell::const_new()];
        let made = async || {
            let test = TestDb::new(on).await.unwrap();
            let caseload = opened(&test, Mail::none(), Limits::default(), Files::in_memory());
            enrol(&test, &caseload, MANY).await;
            test.analyze().await.unwrap();
            drop(caseload);
            test.into_original().await.unwrap()
        };
        let test = MADE[usize::from(on == On::Postgres)].get_or_init(made).await.copy().await.unwrap();
        let caseload = in_chunks_of(500, &test, Mail::none(), Limits::default(), files);
        College::begun(test, caseload, tempfile::tempdir().unwrap()).await
    }

    /// The college of a database that has its accounts and people.
    pub async fn at(test: TestDb) -> College {
        let files = Files::in_memory();
        let caseload = opened(&test, Mail::none(), Limits::default(), files);
        College::begun(test, caseload, tempfile::tempdir().unwrap()).await
    }

    async fn begun(test: TestDb, caseload: Caseload, folder: TempDir) -> College {
        let mut actors = Vec::new();
        for (username, ..) in ACCOUNTS {
            let sql = "SELECT person_id FROM account WHERE username = $1";
            let row = test.db.reader().query_one_raw(test.db.statement(sql, [username.into()])).await.unwrap().unwrap();
            let id = row.try_get("", "person_id").unwrap();
            actors.push(caseload.accounts().actor_of_session(id, 0, caseload::Via::command()).await.unwrap().unwrap());
        }
        let [manager, coach, other_coach, administrator] = actors.try_into().unwrap();
        let runtime = Runtime::start(caseload.queue()).await.unwrap();
        College { test, caseload, runtime, manager, coach, other_coach, administrator, folder }
    }

    /// An account as it is at its next request, with a session of that version; nobody when that is over.
    pub async fn at_next_request(&self, account: AccountId, session_version: i32) -> Option<Actor> {
        self.caseload.accounts().actor_of_session(account, session_version, caseload::Via::command()).await.unwrap()
    }

    pub async fn write(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> u64 {
        self.test.db.write(sql, values).await.unwrap()
    }

    pub async fn count(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> i64 {
        let row = self.test.db.reader().query_one_raw(self.test.db.statement(sql, values)).await.unwrap().unwrap();
        row.try_get_by_index(0).unwrap()
    }

    /// The ids of the students, in order, as far as the actor reaches.
    pub async fn students(&self, actor: &Actor) -> Vec<PersonId> {
        let (mut all, mut after) = (Vec::new(), None);
        loop {
            let query = PeopleQuery { filter: everyone(), limit: Some(200), after, ..PeopleQuery::default() };
            let page = self.caseload.people().list(actor, &query).await.unwrap();
            all.extend(page.items.iter().map(|row| row.id));
            after = page.next;
            if after.is_none() {
                all.sort();
                return all;
            }
        }
    }

    /// Sets a status behind Docket's back, history and all.
    pub async fn set_status(&self, people: &[PersonId], status: ProgramStatus) {
        for id in people {
            let name = status.name();
            self.write("UPDATE person SET program_status = $1 WHERE id = $2", [name.into(), (*id).into()]).await;
            let sql = "UPDATE program_status_history SET program_status = $1 WHERE person_id = $2";
            self.write(sql, [name.into(), (*id).into()]).await;
        }
    }

    /// Runs everything that is due.
    pub async fn run(&self) {
        while self.runtime.tick().await.unwrap() > 0 {
            self.runtime.idle().await;
        }
    }

    /// Runs a task until it has failed for good or is done, however long that takes.
    pub async fn run_to_an_end(&self, id: TaskId) -> TaskState {
        loop {
            self.run().await;
            let state = self.caseload.tasks().get(&self.administrator, id).await.unwrap().row.state;
            if matches!(state, TaskState::Failed | TaskState::Done | TaskState::DoneWithProblems) {
                return state;
            }
            self.test.clock.advance(Duration::from_secs(3_700));
        }
    }

    /// Submits as a program does, with the number confirmed.
    pub async fn submit(
        &self,
        actor: &Actor,
        action: Action,
        target: Target,
        total: u64,
    ) -> Result<Submitted, Problem> {
        let submission = Submission { confirm_total: Some(total), ..program(action, target) };
        self.caseload.actions().submit(actor, submission).await.map_err(Problem::from)
    }

    /// The ledger of a task, counted by outcome and reason.
    pub async fn ledger(&self, actor: &Actor, id: TaskId) -> BTreeMap<(Option<Outcome>, String), u64> {
        let (mut counts, mut after) = (BTreeMap::new(), None);
        loop {
            let query = LedgerQuery { limit: Some(200), after, ..LedgerQuery::default() };
            let page = self.caseload.tasks().ledger(actor, id, &query).await.unwrap();
            for row in page.items {
                *counts.entry((row.outcome, row.reason.unwrap_or_default())).or_default() += 1;
            }
            after = page.next;
            if after.is_none() {
                return counts;
            }
        }
    }

    /// Every student has exactly one open status, and it is the one they carry.
    /// The schedule that sends notices, once, with nobody at their desk, or everybody.
    pub async fn send_notices(&self, here: bool) {
        let notices = caseload::notices::SendNotices {
            queue: self.caseload.queue().clone(),
            mail: self.caseload.mail().clone(),
            presence: std::sync::Arc::new(Here(here)),
        };
        let lock = self.caseload.queue().locks("test").try_lock(queue::lock::LockRequest::new("test")).await;
        let lock = lock.unwrap().unwrap();
        queue::schedule::Work::fire(&notices, &lock).await.unwrap();
        lock.release().await.unwrap();
    }

    pub async fn assert_one_open_status(&self) {
        let wrong = "SELECT COUNT(*) FROM person p WHERE p.student AND 1 <> (
            SELECT COUNT(*) FROM program_status_history h WHERE h.person_id = p.id AND h.expiration_date IS NULL
              AND h.program_status = p.program_status
              AND COALESCE(h.change_reason, '') = COALESCE(p.change_reason, ''))";
        assert_eq!(self.count(wrong, []).await, 0);
    }
}

pub fn school_ids(texts: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<SchoolId> {
    texts.into_iter().map(|text| text.as_ref().parse().unwrap()).collect()
}

pub fn everyone() -> PeopleFilter {
    PeopleFilter { scope: Some(Scope::All), ..PeopleFilter::default() }
}

pub fn with_status(status: ProgramStatus) -> PeopleFilter {
    PeopleFilter { program_status: vec![status], ..everyone() }
}

pub fn set(status: ProgramStatus) -> Action {
    Action::ProgramStatus(StatusChange { program_status: status, change_reason: None, comment: None })
}

/// A submission as the API makes it.
pub fn program(action: Action, target: Target) -> Submission {
    Submission {
        action: Some(action),
        target: Some(target),
        preview: None,
        confirm_total: None,
        trigger_date: None,
        reason: None,
        idempotency_key: None,
        everyone_confirmed: false,
        source: SubmitSource::Program,
    }
}

/// The ledger filter of an outcome.
pub fn only(outcome: LedgerFilter) -> LedgerQuery {
    LedgerQuery { outcome: Some(outcome), limit: Some(200), ..LedgerQuery::default() }
}

/// Makes the database refuse every change of that person.
pub async fn refuse(c: &College, name: &str, person: PersonId) {
    let does = match c.test.db.is_postgres() {
        true => "RAISE EXCEPTION 'not this one'",
        false => "SELECT RAISE(ABORT, 'not this one')",
    };
    when_changed(c, name, person, does).await;
}

/// Lets the database do something when this person's status changes, in the transaction that changes it.
pub async fn when_changed(c: &College, name: &str, person: PersonId, does: &str) {
    let sql = match c.test.db.is_postgres() {
        true => vec![
            format!(
                "CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS
                 'BEGIN {}; RETURN NEW; END'",
                does.replace('\'', "''")
            ),
            format!(
                "CREATE TRIGGER {name} BEFORE UPDATE OF program_status ON person FOR EACH ROW
                 WHEN (OLD.id = '{person}') EXECUTE FUNCTION {name}()"
            ),
        ],
        false => vec![format!(
            "CREATE TRIGGER {name} BEFORE UPDATE OF program_status ON person WHEN OLD.id = x'{}' BEGIN {does}; END",
            person.uuid().simple()
        )],
    };
    for statement in sql {
        c.write(&statement, []).await;
    }
}

/// Nobody is ever at their desk, or everybody is.
struct Here(bool);

#[async_trait::async_trait]
impl caseload::notices::Presence for Here {
    async fn is_here(&self, _: AccountId) -> Result<bool, sea_orm::DbErr> {
        Ok(self.0)
    }
}
