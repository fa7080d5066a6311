//! Which field each column of a file seems to be, by its name and by what is in it, how sure that is, and why.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use model::{
    SchoolId, grouped,
    import::{DateForm, Sure},
};
use queue::Database;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter, QuerySelect};

use crate::{
    entity::people::person::{Column, Entity},
    import::{
        bulk_statements,
        prepare::{
            content,
            look::{DIFFERENT, SHOWN, Seen, SeenColumn},
            names::{called, is_private, plain},
            profile::{FileColumn, Guess, Profile},
        },
        rows::field::Field,
    },
    people::list::choices,
};

/// Values in use that a column is compared with.
const IN_USE: usize = 1_000;
/// The most different values that somebody is asked the meaning of.
const ASKED: usize = 30;

/// What Docket has already, for comparison.
struct InUse {
    campuses: HashSet<String>,
    majors: HashSet<String>,
    terms: HashSet<String>,
    types: HashSet<String>,
}

/// A column that may be a field.
struct Candidate {
    column: usize,
    field: Field,
    /// More is better.
    score: u32,
    sure: Sure,
    why: String,
}

/// Guesses each column of a file.
pub async fn guess(db: &Database, seen: Seen) -> Result<Profile, DbErr> {
    let in_use = InUse {
        campuses: choices::in_use(db, Column::HomeCampus, IN_USE).await?,
        majors: choices::in_use(db, Column::DeclaredMajor, IN_USE).await?,
        terms: choices::in_use(db, Column::StartTerm, IN_USE).await?,
        types: choices::in_use(db, Column::StudentType, IN_USE).await?,
    };
    let mut candidates = Vec::new();
    for (place, column) in seen.columns.iter().enumerate().filter(|(_, column)| column.unusable.is_none()) {
        candidates.extend(of_column(db, &in_use, place, column).await?);
    }
    candidates.sort_by_key(|candidate| (std::cmp::Reverse(candidate.score), candidate.column));
    let mut taken = BTreeSet::new();
    let mut chosen: BTreeMap<usize, Candidate> = BTreeMap::new();
    for candidate in candidates {
        if !chosen.contains_key(&candidate.column) && taken.insert(candidate.field) {
            chosen.insert(candidate.column, candidate);
        }
    }
    let columns = seen.columns.into_iter().enumerate().map(|(place, column)| {
        let guess = match chosen.remove(&place) {
            Some(candidate) => {
                let dates = (candidate.field == Field::BirthDate).then(|| column.content.date_form()).flatten();
                let field = Some(candidate.field.name().to_owned());
                Guess { field, dates, sure: candidate.sure, why: candidate.why }
            }
            None => Guess { field: None, dates: None, sure: Sure::No, why: none(&column) },
        };
        known(column, guess)
    });
    let columns = columns.collect();
    let Seen { lines, is_utf8, separator, is_separator_chosen, rows, .. } = seen;
    Ok(Profile { lines, is_utf8, separator, is_separator_chosen, rows: Some(rows), columns })
}

/// What is kept of a column.
fn known(column: SeenColumn, guess: Guess) -> FileColumn {
    let few = column.different.len() <= ASKED && column.different.iter().all(|value| is_shown(value));
    let values = if few { column.different.into_iter().collect() } else { Vec::new() };
    FileColumn { name: column.name, unusable: column.unusable, samples: column.samples, values, guess }
}

/// The fields that a column may be.
async fn of_column(db: &Database, in_use: &InUse, place: usize, column: &SeenColumn) -> Result<Vec<Candidate>, DbErr> {
    let mut found: Vec<Candidate> = Vec::new();
    for (field, rank) in called(&column.name) {
        let score = 300 - u32::try_from(rank).unwrap_or(0);
        found.push(Candidate { column: place, field, score, sure: Sure::Sure, why: "Name of the column".to_owned() });
    }
    for (field, count, all, what) in evidence(in_use, column) {
        let why = share(count, all, what) + &others(in_use, field, column);
        let nearly = all > 0 && count * 5 >= all * 4;
        match found.iter_mut().find(|candidate| candidate.field == field) {
            Some(named) if nearly => (named.score, named.why) = (named.score + 100, why),
            // What nobody has in Docket yet says nothing against a name.
            Some(named) if count == 0 && !is_strict(field) => {
                named.sure = Sure::Likely;
                named.why = format!("Name of the column; its values are not among the {what} yet");
            }
            // Some of its values are not known: they may be new, or written otherwise.
            Some(named) => (named.sure, named.why) = (Sure::Check, why),
            None if nearly => {
                found.push(Candidate { column: place, field, score: 200, sure: Sure::Likely, why });
            }
            None => {}
        }
    }
    found.extend(by_people(db, place, column).await?);
    for candidate in &mut found {
        look_closer(candidate, column);
    }
    if let Some(at) = found.iter().position(|candidate| candidate.field == Field::Coach) {
        let known = staff_among(db, column).await?;
        match known {
            0 => drop(found.remove(at)),
            known => found[at].why = format!("{} of its values are school IDs of staff", grouped(known)),
        }
    }
    Ok(found)
}

/// The few values of a column that nobody has in Docket yet, since one of them may be a slip of the pen.
fn others(in_use: &InUse, field: Field, column: &SeenColumn) -> String {
    let known = match field {
        Field::HomeCampus => &in_use.campuses,
        Field::DeclaredMajor => &in_use.majors,
        Field::StartTerm => &in_use.terms,
        Field::StudentType => &in_use.types,
        _ => return String::new(),
    };
    let mut others = column.different.iter().filter(|value| !known.contains(*value));
    match (others.next(), others.next()) {
        (Some(one), None) if column.different.len() > 1 && is_shown(one) => format!("; “{one}” is new"),
        (Some(one), Some(other))
            if others.next().is_none() && column.different.len() > 2 && is_shown(one) && is_shown(other) =>
        {
            format!("; “{one}” and “{other}” are new")
        }
        _ => String::new(),
    }
}

/// Whether a value can stand in a sentence.
fn is_shown(value: &str) -> bool {
    value.chars().count() <= SHOWN && !value.chars().any(char::is_control)
}

/// How many of a column’s values are what, of fields that can be told by their values.
fn evidence<'a>(in_use: &'a InUse, column: &'a SeenColumn) -> Vec<(Field, u64, u64, &'static str)> {
    let content = &column.content;
    let email = if is_private(&column.name) { Field::SecondaryEmail } else { Field::PrimaryEmail };
    let mut found = vec![(email, content.emails, content.values, "email addresses")];
    let different = column.different.len() as u64;
    if column.different.len() <= DIFFERENT {
        let known =
            |values: &HashSet<String>| column.different.iter().filter(|value| values.contains(*value)).count() as u64;
        let meant =
            |field| column.different.iter().filter(|value| content::meaning(field, value).is_some()).count() as u64;
        found.extend([
            (Field::HomeCampus, known(&in_use.campuses), different, "campuses in Docket"),
            (Field::DeclaredMajor, known(&in_use.majors), different, "majors in Docket"),
            (Field::StartTerm, known(&in_use.terms), different, "start terms in Docket"),
            (Field::StudentType, known(&in_use.types), different, "student types in Docket"),
            (Field::ProgramStatus, meant(Field::ProgramStatus), different, "program statuses"),
            (Field::ChangeReason, meant(Field::ChangeReason), different, "reasons of a status"),
        ]);
    }
    found
}

/// Whether other values than are known are likely to be unreadable.
fn is_strict(field: Field) -> bool {
    matches!(field, Field::PrimaryEmail | Field::SecondaryEmail | Field::ProgramStatus | Field::ChangeReason)
}

/// A column whose values are school ids of people who are in Docket.
async fn by_people(db: &Database, place: usize, column: &SeenColumn) -> Result<Option<Candidate>, DbErr> {
    let ids: Vec<SchoolId> = column.different.iter().take(DIFFERENT).filter_map(|value| value.parse().ok()).collect();
    let known = bulk_statements::ids(db, db.reader(), &ids).await?.len() as u64;
    let asked = column.different.len().min(DIFFERENT) as u64;
    let mut why = share(known, asked, "school IDs in Docket");
    if known < asked {
        why.push_str("; the others are of new people");
    }
    let is_named = called(&column.name).any(|(field, _)| field == Field::SchoolId);
    Ok((known > 0 && known * 5 >= asked).then_some(Candidate {
        column: place,
        field: Field::SchoolId,
        score: if is_named { 450 } else { 250 },
        sure: if is_named { Sure::Sure } else { Sure::Likely },
        why,
    }))
}

/// What can be said of a name or a date, which a wrong guess would change without a word.
fn look_closer(candidate: &mut Candidate, column: &SeenColumn) {
    if candidate.field == Field::LastName && plain(&column.name) == "name" {
        (candidate.sure, candidate.why) = (Sure::Check, "Is this the last name alone?".to_owned());
    }
    if candidate.field != Field::BirthDate {
        return;
    }
    let content = &column.content;
    let (sure, why) = match (content.date_form(), &content.only_day_first, &content.only_month_first) {
        (Some(DateForm::YearFirst), ..) => (Sure::Sure, "Dates like 2004-02-29".to_owned()),
        (Some(DateForm::DayFirst), Some(date), _) => (Sure::Likely, format!("{date} fits only day first")),
        (Some(DateForm::MonthFirst), _, Some(date)) => (Sure::Likely, format!("{date} fits only month first")),
        (Some(_), ..) => (Sure::Check, "Day or month first? Both fit its dates equally well".to_owned()),
        (None, ..) => (Sure::Check, "Not all of its values are dates".to_owned()),
    };
    (candidate.sure, candidate.why) = (sure, why);
}

/// How many of a column’s values are school ids of staff.
async fn staff_among(db: &Database, column: &SeenColumn) -> Result<u64, DbErr> {
    let these = column.different.iter().take(DIFFERENT).map(String::as_str);
    let staff = Entity::find().select_only().column(Column::SchoolId).filter(Column::SchoolId.is_in(these));
    let staff: Vec<String> = staff.filter(Column::Student.eq(false)).into_tuple().all(db.reader()).await?;
    Ok(staff.len() as u64)
}

/// How many of a column’s values are what.
fn share(count: u64, all: u64, what: &str) -> String {
    match (count, all) {
        (1, 1) => format!("All values are {what}"),
        (count, all) if count == all => format!("All {} values are {what}", grouped(all)),
        (count, all) => format!("{} of {} values are {what}", grouped(count), grouped(all)),
    }
}

/// Why nothing was guessed.
fn none(column: &SeenColumn) -> String {
    match (&column.unusable, column.content.values) {
        (Some(why), _) => why.clone(),
        (None, 0) => "It is empty".to_owned(),
        (None, _) if called(&column.name).any(|(field, _)| field == Field::Coach) => {
            "Coaches are matched by school ID, and none of these values is one".to_owned()
        }
        (None, _) => "No Docket field has this name or values like these".to_owned(),
    }
}
