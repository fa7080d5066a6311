//! Generation: any number of people for demos and benchmarks. The same seed makes the same people, one by one and not as a
//! sequence, so that a larger count adds to a smaller one.
//!
//! It writes through the same statements as `import`. Names are from several languages and addresses under example.org;
//! everybody is marked as invented.

mod choices;
mod demo;
pub(crate) mod names;
mod student;

use model::{Instant, PersonId};
use queue::Database;

use crate::{Result, import::bulk_statements, people::status};

/// People in one transaction. Names come in no order, so that a transaction touches pages all over the indexes, and most of
/// the work of a million people is writing those pages again: fewer and larger transactions write them less often.
const BATCH: u64 = 20_000;

/// Makes the people `1..=count` of a seed, with dates before `now`, spread over `coaches` (who may be none), and says how
/// many are new. People who are there already are left as they are.
pub async fn generate(db: &Database, count: u64, seed: u64, now: Instant, coaches: &[PersonId]) -> Result<u64> {
    let mut made = 0;
    let mut next = 1;
    while next <= count {
        let end = count.min(next.saturating_add(BATCH - 1));
        made += batch(db, next..=end, seed, now, coaches).await?;
        next = end + 1;
    }
    Ok(made)
}

async fn batch(
    db: &Database,
    numbers: std::ops::RangeInclusive<u64>,
    seed: u64,
    now: Instant,
    coaches: &[PersonId],
) -> Result<u64> {
    let mut people: Vec<_> = numbers.map(|number| student::draw(seed, number, now, coaches)).collect();
    let txn = bulk_statements::begin(db).await?;
    let found = bulk_statements::ids(db, &txn, people.iter().map(|person| &person.school_id)).await?;
    people.retain(|person| !found.contains_key(&person.school_id));
    bulk_statements::write(db, &txn, &people, now).await?;
    let ids: Vec<PersonId> = people.iter().map(|person| person.id).collect();
    status::turn_imported(db, &txn, &ids, now).await?;
    db.commit(txn).await?;
    Ok(people.len() as u64)
}
