//! What an import would do with each line of a file, counted before it runs: its rows are read and judged as the run does it, and
//! nothing is written.

use std::collections::HashMap;

use chrono_tz::Tz;
use model::{
    SchoolId,
    import::{EmptiedField, FieldChange, ImportCount, LineFact, LineOutcome, ReadLine},
};
use queue::Database;
use serde::{Deserialize, Serialize};

use crate::{
    Error, Result,
    files::store::Files,
    import::{
        bulk_statements,
        file_lines::{self, FileHead, FileLine, LineResult},
        prepare::{causes::UnreadableCauses, differences, look::shortened, matching::Matching, profile::Profile},
        read::batches::Batches,
        rows::{
            checked_row::{self, Row},
            collapse::Collapse,
            header_plan::Plan,
            person_row::Record,
        },
        spec::UPLOAD,
        upload::{UploadedFile, unread},
        upsert::{self, JudgedRow},
    },
};

/// So many lines are counted. Of a longer file those are its first ones, and the page says so.
pub const MOST: u64 = 20_000;
/// Lines that are judged at once where all had to be read first.
const PART: usize = 2_000;
/// Lines that are kept to be shown: the first ones, and of each sort. They are turned over some at a time.
const FIRST: usize = 50;
const EXAMPLES: u64 = 100;
/// Columns that are shown of each line beside the name and the school id.
const FACTS: usize = 3;

/// What was counted, and for which matching.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CountedImport {
    pub of: Matching,
    pub count: ImportCount,
}

/// Counts a file by a matching that has nothing wrong, and by the days of a time zone.
pub async fn count(
    db: &Database,
    files: &Files,
    file: &UploadedFile,
    profile: &Profile,
    matching: &Matching,
    zone: Tz,
) -> Result<CountedImport> {
    each(db, files, file, profile, matching, zone, |_| ()).await
}

/// The same, and each line that is counted is told.
pub async fn each(
    db: &Database,
    files: &Files,
    file: &UploadedFile,
    profile: &Profile,
    matching: &Matching,
    zone: Tz,
    mut each: impl FnMut(&ReadLine) + Send,
) -> Result<CountedImport> {
    let path = Files::of(file.id, UPLOAD);
    let unfit = |error: crate::import::ImportError| Error::from(crate::import::upload::unreadable(error.to_string()));
    let head = file_lines::head(files, &path, &file.blocks, Some(profile.separator)).await.map_err(unread)?;
    let FileHead { names, separator, body } = head.map_err(unfit)?;
    let at = db.now().await?;
    let plan = Plan::new(&matching.mapping(profile).map_err(unfit)?, &names).map_err(unfit)?.read_at(at, zone);
    let mut batches = Batches::open(files, &path, &file.blocks, body, separator).await.map_err(unread)?;
    let count = ImportCount { at, facts: facts(&plan), ..ImportCount::default() };
    let mut tally = LineTally { count, ..LineTally::default() };
    // Which line counts is known once all have been read.
    let mut held = Vec::new();
    let mut read = 0;
    while read < MOST
        && let Some(batch) = batches.next().await.map_err(unread)?
    {
        let mut lines = file_lines::read(&plan, &batch, separator).map_err(unread)?;
        tally.count.unread = batch.unread(separator);
        lines.truncate(usize::try_from(MOST - read).unwrap_or(usize::MAX));
        read += lines.len() as u64;
        match plan.collapses() {
            true => held.append(&mut lines),
            false => tally.take(db, &plan, lines, &mut each).await?,
        }
    }
    outrank(&plan, &mut held);
    while !held.is_empty() {
        let rest = held.split_off(held.len().min(PART));
        tally.take(db, &plan, std::mem::replace(&mut held, rest), &mut each).await?;
    }
    tally.count.causes = tally.causes.into_list();
    tally.count.emptied.sort_by_key(|emptied| (std::cmp::Reverse(emptied.people), emptied.first));
    Ok(CountedImport { of: matching.clone(), count: tally.count })
}

/// What is told of each line: as many of the matched fields as fit beside the others.
fn facts(plan: &Plan) -> Vec<LineFact> {
    let is_matched = |fact: &&LineFact| plan.fields.iter().any(|(field, _)| field.name() == fact.name());
    let mut facts: Vec<LineFact> = LineFact::ALL.iter().filter(is_matched).take(FACTS).copied().collect();
    // The widest one is for those that have few others.
    if facts.len() == FACTS {
        facts.retain(|fact| *fact != LineFact::PrimaryEmail);
    }
    facts
}

/// What is found out of a line.
#[expect(clippy::large_enum_variant, reason = "one at a time, and most are the largest")]
enum JudgedLine {
    Read(JudgedRow),
    Outranked,
    /// The line of the same person that counts.
    Repeated(SchoolId, u64),
    Unreadable {
        school_id: Option<SchoolId>,
        begins: String,
        reason: String,
    },
}

/// What has been counted so far.
#[derive(Default)]
struct LineTally {
    count: ImportCount,
    causes: UnreadableCauses,
    /// The line of each person.
    seen: HashMap<SchoolId, u64>,
}

impl LineTally {
    /// Judges the next lines against who is there now.
    async fn take(
        &mut self,
        db: &Database,
        plan: &Plan,
        lines: Vec<FileLine>,
        each: &mut (impl FnMut(&ReadLine) + Send),
    ) -> Result<()> {
        let good: Vec<&Row> = lines.iter().filter_map(row).collect();
        let coaches = upsert::coaches(db, db.reader(), plan, &good).await?;
        let found = bulk_statements::look(db, db.reader(), good.iter().map(|row| &row.school_id)).await?;
        let mut found: HashMap<SchoolId, Record> =
            found.into_iter().map(|person| (person.school_id.clone(), person)).collect();
        for line in lines {
            let judged = match line.what {
                LineResult::Bad { reason, begins } => JudgedLine::Unreadable { school_id: None, begins, reason },
                LineResult::Outranked => JudgedLine::Outranked,
                LineResult::Repeated(school_id, first) => JudgedLine::Repeated(school_id, first),
                LineResult::Good(row) => match self.seen.get(&row.school_id) {
                    Some(first) => JudgedLine::Repeated(row.school_id, *first),
                    None => {
                        self.seen.insert(row.school_id.clone(), line.number);
                        match upsert::judge(plan, &row, found.remove(&row.school_id), &coaches) {
                            Ok(judged) => JudgedLine::Read(judged),
                            Err(reason) => {
                                let (school_id, begins) = (Some(row.school_id), String::new());
                                JudgedLine::Unreadable { school_id, begins, reason }
                            }
                        }
                    }
                },
            };
            each(&self.note(line.number, judged));
        }
        Ok(())
    }

    fn note(&mut self, line: u64, judged: JudgedLine) -> ReadLine {
        self.count.lines += 1;
        let facts = self.count.facts.clone();
        let shown = |person: &Record, what, detail| shown(line, person, &facts, what, detail);
        let count = &mut self.count;
        let nobody = |school_id: Option<SchoolId>, what, detail| {
            let mut shown = shown(&Record::new(SchoolId::made_up(0, 0)), what, detail);
            shown.facts.clear();
            ReadLine { school_id: school_id.map(|id| shortened(id.as_str())).unwrap_or_default(), ..shown }
        };
        let (number, read) = match judged {
            JudgedLine::Outranked => (&mut count.outranked, nobody(None, LineOutcome::Outranked, String::new())),
            JudgedLine::Repeated(school_id, first) => {
                let detail = checked_row::repeated(&school_id, first);
                (&mut count.repeated, nobody(Some(school_id), LineOutcome::Repeated, detail))
            }
            JudgedLine::Read(JudgedRow::New(person)) => {
                (&mut count.new, shown(&person, LineOutcome::New, String::new()))
            }
            JudgedLine::Read(JudgedRow::Changed { before, after }) => {
                let mut changes = differences::between(&before, &after);
                note_emptied(&mut count.emptied, line, &changes);
                let untold = changes.len().saturating_sub(differences::TOLD) as u64;
                changes.truncate(differences::TOLD);
                let read = shown(&after, LineOutcome::Changed, String::new());
                (&mut count.changed, ReadLine { changes, untold, ..read })
            }
            JudgedLine::Read(JudgedRow::Unchanged(person)) => {
                (&mut count.unchanged, shown(&person, LineOutcome::Unchanged, String::new()))
            }
            JudgedLine::Unreadable { school_id, begins, reason } => {
                self.causes.note(line, &reason);
                let read = nobody(school_id, LineOutcome::Unreadable, reason);
                (&mut count.unreadable, ReadLine { name: shortened(&begins), ..read })
            }
        };
        *number += 1;
        let is_broken = count.unread.is_some_and(|unread| unread.line == line);
        if *number <= EXAMPLES || is_broken {
            count.examples.push(read.clone());
        }
        if count.first.len() < FIRST {
            count.first.push(read.clone());
        }
        read
    }
}

/// Adds what a line empties.
fn note_emptied(known: &mut Vec<EmptiedField>, line: u64, changes: &[FieldChange]) {
    for change in changes.iter().filter(|change| change.is_emptied) {
        match known.iter_mut().find(|emptied| emptied.field == change.field) {
            Some(emptied) => emptied.people += 1,
            None => known.push(EmptiedField { field: change.field.clone(), people: 1, first: line }),
        }
    }
}

/// Marks the lines of whose person another one counts.
fn outrank(plan: &Plan, lines: &mut [FileLine]) {
    let mut collapse = Collapse::default();
    lines.iter().filter_map(row).for_each(|row| collapse.offer(plan, row.clone()));
    let counts: HashMap<SchoolId, u64> = collapse.into_rows().map(|row| (row.school_id, row.line)).collect();
    for line in lines {
        if row(line).is_some_and(|row| counts.get(&row.school_id).is_some_and(|counts| *counts != line.number)) {
            line.what = LineResult::Outranked;
        }
    }
}

fn row(line: &FileLine) -> Option<&Row> {
    match &line.what {
        LineResult::Good(row) => Some(row),
        LineResult::Outranked | LineResult::Repeated(..) | LineResult::Bad { .. } => None,
    }
}

/// A line with whom it is about.
fn shown(line: u64, person: &Record, facts: &[LineFact], what: LineOutcome, detail: String) -> ReadLine {
    let text = |text: &Option<String>| text.as_deref().map(shortened).unwrap_or_default();
    let fact = |fact: &LineFact| match fact {
        LineFact::PrimaryEmail => text(&person.primary_email),
        LineFact::StudentType => text(&person.student_type),
        LineFact::HomeCampus => text(&person.home_campus),
        LineFact::ProgramStatus => person.program_status.map(|status| status.label().to_owned()).unwrap_or_default(),
        LineFact::DeclaredMajor => text(&person.declared_major),
        LineFact::StartTerm => text(&person.start_term),
    };
    let name = match (person.last_name.as_str(), person.first_name.as_str()) {
        (last, "") => last.to_owned(),
        (last, first) => format!("{last}, {first}"),
    };
    ReadLine {
        line,
        name: shortened(&name),
        school_id: shortened(person.school_id.as_str()),
        facts: facts.iter().map(fact).collect(),
        what,
        detail,
        changes: Vec::new(),
        untold: 0,
    }
}
