//! How long a search of the people list takes, over as many people as asked for, beside the bare statements it needs.
//!
//! `people_search URL [COUNT] [ROUNDS]`: fills the database at URL with generated people if they are not there yet, then asks
//! the same questions in turn through the product and as bare SQL, and prints the median and the 95th percentile of both with
//! their ratio. The questions are what staff type: beginnings of names of two to six letters, school ids, addresses, full
//! names, and filters by status, campus and coach.

use std::{
    collections::BTreeMap,
    env::Args,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use bench::{Bench, goal::Goals, summary};
use caseload::{Actor, Caseload, Exports, files::Files};
use model::{PeopleFilter, PeopleQuery, ProgramStatus, Scope};
use queue::Database;
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use sea_orm::{ConnectionTrait, Value};

/// A question, as the product takes it and as bare statements: a page of 26 and a bounded count.
struct Question {
    /// What sort of question it is.
    kind: &'static str,
    query: PeopleQuery,
    page: (String, Vec<Value>),
    count: (String, Vec<Value>),
}

pub async fn measure(mut arguments: Args) -> Result<()> {
    let url = arguments.next().context("usage: people_search URL [COUNT] [ROUNDS]")?;
    let count: u64 = arguments.next().map_or(Ok(1_000_000), |text| text.parse())?;
    let rounds: usize = arguments.next().map_or(Ok(5), |text| text.parse())?;
    let Bench { db, caseload, manager: actor } =
        Bench::open(&url, count, Exports::with_defaults(Files::in_memory())).await?;
    let questions = questions(&db).await?;
    let (mut product, mut bare, mut kinds) = (Vec::new(), Vec::new(), BTreeMap::<_, Vec<_>>::new());
    for round in 0..=rounds {
        for question in &questions {
            let (ours, theirs) = (ask(&caseload, &actor, question).await?, ask_bare(&db, question).await?);
            // The first round warms the caches.
            if round > 0 {
                product.push(ours);
                bare.push(theirs);
                kinds.entry(question.kind).or_default().push(ours);
            }
        }
    }
    for (kind, mut times) in kinds {
        let (median, p95, worst) = summary(&mut times);
        println!("{kind:<24} median {median:>7.2} ms  p95 {p95:>7.2} ms  worst {worst:>7.2} ms");
    }
    let (product, bare) = (summary(&mut product), summary(&mut bare));
    println!(
        "{} questions, {rounds} rounds, {count} people, {}",
        questions.len(),
        if db.is_postgres() { "PostgreSQL" } else { "SQLite" }
    );
    println!("product  median {:>7.2} ms  p95 {:>7.2} ms  worst {:>7.2} ms", product.0, product.1, product.2);
    println!("bare     median {:>7.2} ms  p95 {:>7.2} ms  worst {:>7.2} ms", bare.0, bare.1, bare.2);
    println!("ratio    median {:>7.2}     p95 {:>7.2}", product.0 / bare.0, product.1 / bare.1);
    let mut goals = Goals::default();
    goals.at_most("95 of 100 searches, ms", product.1, 300.0);
    goals.at_most("95 of 100 searches beside the bare statements, times", product.1 / bare.1, 2.0);
    goals.kept()
}

async fn ask(caseload: &Caseload, actor: &Actor, question: &Question) -> Result<Duration> {
    let began = Instant::now();
    caseload.people().list(actor, &question.query).await?;
    Ok(began.elapsed())
}

async fn ask_bare(db: &Database, question: &Question) -> Result<Duration> {
    let began = Instant::now();
    for (sql, values) in [&question.page, &question.count] {
        db.reader().query_all_raw(db.statement(sql, values.clone())).await?;
    }
    Ok(began.elapsed())
}

async fn questions(db: &Database) -> Result<Vec<Question>> {
    let mut random = StdRng::seed_from_u64(7);
    let sample = "SELECT sort_key, given_key, school_key, email_key, home_campus FROM person WHERE student AND email_key IS NOT NULL
        ORDER BY school_key LIMIT 3000";
    let people = db.reader().query_all_raw(db.statement(sample, [])).await?;
    let mut questions = Vec::new();
    for _ in 0..40 {
        let Some(person) = people.choose(&mut random) else { continue };
        let text = |column: &str| person.try_get::<String>("", column);
        let (sort, campus) = (text("sort_key")?, text("home_campus")?);
        let letters: String = sort.chars().take(random.random_range(2..=6)).collect();
        let begins = match letters.trim().len() {
            ..=2 => "two letters",
            3 => "three letters",
            _ => "more letters",
        };
        questions.push(question(begins, letters.trim(), &[]));
        questions.push(question("full name", &text("given_key")?, &[]));
        questions.push(question("school id", &text("school_key")?, &[]));
        questions.push(question("address", &text("email_key")?, &[]));
        questions.push(question("status", "", &[("program_status", "NO_SHOW")]));
        questions.push(question("status and campus", "", &[("home_campus", &campus), ("program_status", "ACTIVE")]));
        questions.push(question("letters and status", letters.trim(), &[("program_status", "INACTIVE")]));
    }
    Ok(questions)
}

fn question(kind: &'static str, search: &str, filters: &[(&str, &str)]) -> Question {
    let mut filter = PeopleFilter { scope: Some(Scope::All), q: search.to_owned(), ..PeopleFilter::default() };
    let mut values = Vec::<Value>::new();
    let mut bind = |value: &str| {
        values.push(value.into());
        format!("${}", values.len())
    };
    // What people are found by to be counted, and what is asked of each on the way along the list.
    let (mut counted, mut walked) = (Vec::new(), Vec::new());
    if !search.is_empty() {
        let (from, end) = (bind(search), bind(&format!("{search}\u{10FFFF}")));
        let range = |key: &str| format!("SELECT id FROM person WHERE {key} >= {from} AND {key} < {end}");
        let found = match search.chars().count() {
            ..3 => format!("p.sort_key >= {from} AND p.sort_key < {end}"),
            _ => {
                let any = ["sort_key", "given_key", "school_key", "email_key"].map(range).join(" UNION ");
                format!("p.id IN ({any})")
            }
        };
        counted.push(found.clone());
        walked.push(found);
    }
    for (column, value) in filters {
        let plain = format!("{column} = {}", bind(value));
        let asked = format!(
            "{{postgres:p.{plain}}}{{sqlite:EXISTS (SELECT 1 FROM person k INDEXED BY person_{column}
                WHERE k.id = p.id AND k.{plain})}}"
        );
        counted.push(if counted.is_empty() { format!("p.{plain}") } else { asked.clone() });
        walked.push(asked);
        match *column {
            "program_status" => {
                filter.program_status = ProgramStatus::ALL.iter().copied().filter(|s| s.name() == *value).collect()
            }
            _ => filter.home_campus = vec![(*value).to_owned()],
        }
    }
    if filters.is_empty() {
        counted.push("p.student".to_owned());
        walked.push("p.student".to_owned());
    }
    let (counted, walked) = (counted.join(" AND "), walked.join(" AND "));
    let page = format!(
        "SELECT p.id, p.school_id, p.first_name, p.last_name, p.program_status, c.last_name FROM (
            SELECT p.id, p.sort_key FROM person p WHERE {walked} ORDER BY p.sort_key, p.id LIMIT 26) AS found
         CROSS JOIN person p LEFT JOIN person c ON c.id = p.coach_id
         WHERE p.id = found.id ORDER BY found.sort_key, found.id"
    );
    let count = format!("SELECT COUNT(*) FROM (SELECT 1 FROM person p WHERE {counted} LIMIT 10001) AS few");
    Question {
        kind,
        query: PeopleQuery { filter, ..PeopleQuery::default() },
        page: (page, values.clone()),
        count: (count, values),
    }
}
