//! Which way the database takes for what people ask most, over a million people: pages, previews, the chunks of actions, and what
//! the queue looks for. What differs from the record in `bench/plans` is told, and fails.
//!
//! `plans URL [PEOPLE] [FINISHED] [record]`: fills the database at URL, which has to be there for this alone, with so many
//! people and so many finished tasks; with `record` it writes the record instead. A way that several go stands where it was first
//! seen.

use std::{
    collections::{BTreeSet, HashSet},
    env::Args,
    fs,
    path::Path,
};

use anyhow::{Context, Result};
use bench::{Bench, account, explain::explain, goal::Goals, history, site::Site};
use caseload::{Exports, files::Files, mail::Mail};
use model::{AccountId, PeopleFilter, PersonId, ProgramStatus, Role, Scope};
use queue::{
    Database, Runtime,
    test_faults::{FaultPlan, Faults},
};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

/// Coaches who share the people.
const COACHES: usize = 200;
/// Tasks that wait.
const WAITING: u64 = 10_000;

pub async fn measure(mut arguments: Args) -> Result<()> {
    let url = arguments.next().context("usage: plans URL [PEOPLE] [FINISHED] [record]")?;
    let people: u64 = arguments.next().map_or(Ok(1_000_000), |text| text.parse())?;
    let finished: u64 = arguments.next().map_or(Ok(100_000), |text| text.parse())?;
    let records = arguments.next().is_some();
    let asked = Asked::over(&url, people).await?;
    let mut kept = Vec::new();
    asked.about_people(&mut kept).await?;
    asked.about_actions(&mut kept).await?;
    history::fill(&asked.bench.caseload, finished, WAITING).await?;
    asked.about_tasks(&mut kept).await?;
    // Only now, when all is there and the database has counted it: it would read the whole of a small table.
    let told = ways(&asked.bench.db, kept).await?;
    let record = Path::new("bench/plans").join(format!("{}.txt", asked.bench.database().to_lowercase()));
    if records {
        return Ok(fs::write(record, told)?);
    }
    let before = fs::read_to_string(&record).with_context(|| format!("could not read {}", record.display()))?;
    let mut goals = Goals::default();
    let what = format!("lines on {} that are not in the record, or only there", asked.bench.database());
    goals.at_most(&what, differences(&before, &told) as f64, 0.0);
    goals.kept()
}

/// Prints what is only in one of two texts, under its headings, and says how many lines that are.
fn differences(kept: &str, told: &str) -> usize {
    let placed = |text: &str| {
        let mut heading = "";
        let lines = text.lines().map(move |line| {
            if !line.starts_with(' ') {
                heading = line;
            }
            format!("{heading}\n{line}")
        });
        lines.map(|line| line.to_owned()).collect::<Vec<_>>()
    };
    let (kept, told) = (placed(kept), placed(told));
    let [before, now]: [HashSet<_>; 2] = [&kept, &told].map(|lines| lines.iter().collect());
    let gone = kept.iter().filter(|line| !now.contains(line)).map(|line| ("no more", line));
    let new = told.iter().filter(|line| !before.contains(line)).map(|line| ("new", line));
    let all: Vec<_> = gone.chain(new).collect();
    for (how, line) in &all {
        println!("{how}: {line}");
    }
    all.len()
}

/// What was asked, and by which statements it was answered.
type Kept = Vec<(String, Vec<Statement>)>;

/// Which ways all of them go.
async fn ways(db: &Database, kept: Kept) -> Result<String> {
    let (mut told, mut seen) = (String::new(), HashSet::new());
    for (asked, statements) in kept {
        let (txn, mut lines) = (db.begin_write().await?, BTreeSet::new());
        for statement in statements {
            if is_setting(&statement.sql) {
                txn.query_all_raw(statement).await?;
            } else if seen.insert(statement.sql.clone()) {
                lines.insert(explain(db, &txn, &statement).await?);
            }
        }
        txn.rollback().await?;
        lines.retain(|line| seen.insert(line.clone()));
        told += &format!("{asked}\n");
        told.extend(lines.iter().flat_map(|line| ["  ", line, "\n"]));
    }
    Ok(told)
}

/// A large college, with what it is asked and what statements that makes.
struct Asked {
    bench: Bench,
    site: Site,
    runtime: Runtime,
    statements: Faults,
    coach: String,
    administrator: String,
}

impl Asked {
    async fn over(url: &str, people: u64) -> Result<Asked> {
        let bench = Bench::without_people(url, Exports::with_defaults(Files::in_memory()), Mail::none()).await?;
        let mut coaches: Vec<PersonId> = Vec::new();
        for number in 0..COACHES {
            let coach = account(&bench.caseload, &format!("coach{number}"), Role::Coach).await?;
            coaches.push(coach.person_id.person());
        }
        account(&bench.caseload, history::ADMIN, Role::Administrator).await?;
        bench.fill(people, &coaches).await?;
        let coach = Site::token(&bench.caseload, "coach0").await?;
        let administrator = Site::token(&bench.caseload, history::ADMIN).await?;
        let site = Site::of(bench.caseload.clone()).await?;
        let runtime = Runtime::start(bench.caseload.queue()).await?;
        let statements = Faults::new(FaultPlan { keeps: true, ..FaultPlan::default() });
        bench.db.disturb(statements.clone());
        Ok(Asked { bench, site, runtime, statements, coach, administrator })
    }

    /// Keeps the statements since the last call as those that answered this.
    fn keep(&self, kept: &mut Kept, asked: &str) {
        kept.push((asked.to_owned(), self.statements.statements()));
    }

    async fn page(&self, kept: &mut Kept, token: &str, path: &str, called: &str) -> Result<String> {
        self.statements.statements();
        let text = self.site.get(token, path).await?.1;
        self.keep(kept, called);
        Ok(text)
    }

    async fn about_people(&self, kept: &mut Kept) -> Result<()> {
        let somebody =
            "SELECT id, coach_id, sort_key, home_campus FROM person WHERE student AND home_campus IS NOT NULL
            ORDER BY sort_key, id LIMIT 1 OFFSET 1000";
        let row = self.bench.db.reader().query_one_raw(self.bench.db.statement(somebody, [])).await?;
        let row = row.context("there are too few people")?;
        let (name, campus): (String, String) = (row.try_get("", "sort_key")?, row.try_get("", "home_campus")?);
        let id: PersonId = row.try_get("", "id")?;
        let mine = PeopleFilter::default();
        let watched = PeopleFilter { scope: Some(Scope::Watchlist), ..mine.clone() };
        let all = PeopleFilter { scope: Some(Scope::All), ..mine.clone() };
        let begins = |letters: usize| name.chars().take(letters).collect::<String>();
        let facts = |filter: &PeopleFilter| PeopleFilter {
            program_status: vec![ProgramStatus::NoShow],
            home_campus: vec![campus.clone()],
            ..filter.clone()
        };
        for (filter, called) in [
            (mine.clone(), "the caseload of a coach"),
            (PeopleFilter { q: begins(4), ..mine.clone() }, "a name in the caseload of a coach"),
            (facts(&mine), "a status and a campus in the caseload of a coach"),
            (watched, "the watch list of a coach"),
        ] {
            self.page(kept, &self.coach, &format!("/people?{}", filter.to_query()), called).await?;
        }
        let coach = vec![row.try_get("", "coach_id")?];
        for (filter, called) in [
            (all.clone(), "everyone"),
            (PeopleFilter { q: begins(2), ..all.clone() }, "two letters"),
            (PeopleFilter { q: begins(4), ..all.clone() }, "four letters"),
            (PeopleFilter { coach, ..all.clone() }, "the people of a coach"),
            (facts(&all), "a status and a campus"),
        ] {
            self.page(kept, &self.administrator, &format!("/people?{}", filter.to_query()), called).await?;
        }
        self.page(kept, &self.administrator, "/people?sort=-schoolId", "everyone by school id").await?;
        self.page(kept, &self.administrator, &format!("/people/{id}"), "a person").await?;
        Ok(())
    }

    async fn about_actions(&self, kept: &mut Kept) -> Result<()> {
        let few = json!({ "query": { "scope": "all", "programStatus": ["NO_SHOW"] } });
        let status = |target: &Value| json!({ "target": target, "programStatus": "INACTIVE" });
        let everyone = status(&json!({ "everyone": true }));
        self.ask("program-status/preview", &everyone).await?;
        self.keep(kept, "a preview of everyone");
        let task = self.submit(kept, "program-status", status(&few)).await?;
        for (path, called) in [(format!("/tasks/{task}"), "a task"), ("/tasks".to_owned(), "the tasks of somebody")] {
            self.page(kept, &self.administrator, &path, called).await?;
        }
        self.submit(kept, "watch", json!({ "target": few, "operation": "WATCH" })).await?;
        let inactive = json!({ "query": { "scope": "all", "programStatus": ["INACTIVE"] } });
        self.submit(kept, "export", json!({ "target": inactive, "format": "CSV" })).await?;
        Ok(())
    }

    /// A preview of an action, its submit, and its task until it is done.
    async fn submit(&self, kept: &mut Kept, action: &str, mut asked: Value) -> Result<String> {
        self.statements.statements();
        let preview = self.ask(&format!("{action}/preview"), &asked).await?;
        self.keep(kept, &format!("{action}: the preview"));
        asked["confirmTotal"] = preview["total"].clone();
        let task = self.ask(action, &asked).await?;
        self.keep(kept, &format!("{action}: the submit"));
        while self.runtime.tick().await? > 0 {
            self.runtime.idle().await;
        }
        // How the queue takes a task is told by itself, as its statements are settled for their transaction.
        let mut statements = self.statements.statements();
        statements.retain(|statement| !is_setting(&statement.sql) && !statement.sql.contains("queued_task"));
        kept.push((format!("{action}: the task"), statements));
        Ok(task["id"].as_str().context("a task has no id")?.to_owned())
    }

    async fn ask(&self, action: &str, asked: &Value) -> Result<Value> {
        let path = format!("/api/1/people/{action}");
        Ok(serde_json::from_str(&self.site.post(&self.administrator, &path, asked.to_string()).await?)?)
    }

    async fn about_tasks(&self, kept: &mut Kept) -> Result<()> {
        let queue = self.bench.caseload.queue();
        self.statements.statements();
        kept.push(("a claim".to_owned(), queue.claim_looks(AccountId::from_u128(1))));
        self.statements.statements();
        self.runtime.say_again().await?;
        queue.startable(1).await?;
        self.runtime.take_back_silent().await?;
        self.keep(kept, "the rounds of a process");
        let process = history::PROCESSES[0];
        for (path, called) in [
            ("/admin".to_owned(), "the overview"),
            ("/admin/tasks".to_owned(), "all tasks"),
            ("/admin/tasks?state=WAITING&order=oldest".to_owned(), "those that wait"),
            ("/admin/tasks?state=FAILED".to_owned(), "those that failed"),
            ("/admin/tasks?kind=export".to_owned(), "the tasks of a kind"),
            (format!("/admin/tasks?owner={}", history::OWNER), "the tasks of an account"),
            (format!("/admin/tasks?process={process}"), "the tasks of a process"),
            ("/admin/failures?window=30d".to_owned(), "the failures of a month"),
            ("/admin/audit".to_owned(), "the audit trail"),
        ] {
            self.page(kept, &self.administrator, &path, called).await?;
        }
        Ok(())
    }
}

/// Whether a statement sets something for the others of its transaction.
fn is_setting(sql: &str) -> bool {
    sql.contains("set_config(")
}
