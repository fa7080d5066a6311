//! Another coach for each line of a list: who and to whom, as an uploaded file names them. A line that cannot be followed is
//! skipped with its reason, and stands in the ledger like every other.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use async_trait::async_trait;
use model::{
    Action, FieldError, PersonId, Preview, PreviewToken, Problem, SkipReason, TaskKind,
    action::{CoachRequest, ReassignByList, UNREADABLE_LINES},
    counted, grouped,
    length::within,
    person::CoachChoice,
    preview::{WrongLine, WrongLines},
    school_id::NoSchoolId,
    submission::FROZEN_AT_PREVIEW,
};
use queue::Transaction;
use sea_orm::{
    ConnectionTrait, DbErr, Set,
    sea_query::{Expr, ExprTrait},
};

use super::{
    definition::{Definition, LineWords, Undoing, fact, gone_or_beyond, skipped},
    reassign_coach::{FormerCoach, move_to, name, since},
};
use crate::{
    Actor, Result, access,
    caseload::Actions,
    entity::{
        insert_all,
        people::person::{Column, P},
        tasks::{coach_wish, task_person},
    },
    people::{
        fold::key,
        list::rows::{full_name, short_name},
        targeted_people::TargetedPeople,
    },
    statement::{ValueList, at_most, composed, sql},
    submit::preview::{
        self,
        judged::{Judged, judged},
    },
    tasks::{ledger_lines, locked_people::Part},
};

/// The coach whom the line `tp` names.
const NEW_COACH: &str =
    "(SELECT w.coach_id FROM coach_wish w WHERE w.task_id = tp.task_id AND w.position = tp.position)";
/// Whether several go by the name on the line `tp`.
const SEVERAL: &str = "(SELECT w.several FROM coach_wish w WHERE w.task_id = tp.task_id AND w.position = tp.position)";
/// Whether a later line of the list names the same person.
const SUPERSEDED: &str =
    "(SELECT w.superseded FROM coach_wish w WHERE w.task_id = tp.task_id AND w.position = tp.position)";
/// Lines that are none and are named one by one.
const WRONG_LINES: usize = 10;
/// The longest list, in bytes: as many lines as it may have, each with two long names.
pub const LIST: usize = 1024 * 1024;

#[async_trait]
impl Definition for ReassignByList {
    fn reasons(&self) -> &'static [SkipReason] {
        use SkipReason::{AlreadyThere, AmbiguousCoach, AnotherRow, NotFound, OutOfReach, UnknownCoach};
        &[AnotherRow, NotFound, OutOfReach, AmbiguousCoach, UnknownCoach, AlreadyThere]
    }

    fn verdict(&self, actor: &Actor) -> Expr {
        let [gone, beyond] = gone_or_beyond(access::reach(actor));
        skipped([
            (Expr::cust(SUPERSEDED), SkipReason::AnotherRow),
            gone,
            beyond,
            (Expr::cust(SEVERAL), SkipReason::AmbiguousCoach),
            (Expr::cust(NEW_COACH).is_null(), SkipReason::UnknownCoach),
            (P.col(Column::CoachId).eq(Expr::cust(NEW_COACH)), SkipReason::AlreadyThere),
        ])
    }

    fn line(&self, _: &Actor) -> LineWords {
        LineWords { before: name(P.col(Column::CoachId)), after: name(Expr::cust(NEW_COACH)), former: since() }
    }

    async fn apply(&self, part: &Part<'_>, actor: &Actor) -> Result<(), DbErr> {
        ledger_lines::write_verdicts(part, self, actor).await?;
        let new_coach = sql(
            "(SELECT w.coach_id FROM coach_wish w JOIN task_person tp ON tp.task_id = w.task_id AND tp.position = w.position
              WHERE w.task_id = $1 AND tp.person_id = p.id)",
            [part.range.task_id.into()],
        );
        move_to(part, new_coach, actor).await
    }

    fn facts(&self) -> Vec<(String, String)> {
        vec![fact("List", self.file.as_str())]
    }

    fn skip_label(&self, reason: SkipReason) -> String {
        match reason {
            SkipReason::AlreadyThere => "already with that coach".to_owned(),
            SkipReason::AnotherRow => "repeated, the last line of this person counts".to_owned(),
            reason => reason.label().to_owned(),
        }
    }

    /// The list was of the task, so that its lines would name nobody.
    fn retries_failed(&self) -> bool {
        false
    }

    fn undoing(&self) -> Option<&dyn Undoing> {
        Some(&FormerCoach)
    }
}

/// Reads a list: two columns, with or without a line of titles.
///
/// # Errors
/// The first lines that are none.
pub fn read_list(text: &str) -> Result<Vec<CoachRequest>, Problem> {
    let text = within::<LIST>(text).map_err(|too_long| too_long.of("file"))?;
    let text = text.trim_start_matches('\u{feff}');
    let wrong = |line: u64, why: &str| FieldError::new("file", "invalid", format!("Line {}: {why}", grouped(line)));
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(text))
        .from_reader(text.as_bytes());
    let (mut requests, mut errors, mut more) = (Vec::new(), Vec::new(), 0);
    let mut record = csv::StringRecord::new();
    // Lines are counted as far as the file was read.
    let (mut read, mut line) = (0, 1);
    let mut is_first = true;
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(_) => {
                let read = usize::try_from(reader.position().byte()).unwrap_or(usize::MAX);
                let read = text.get(..read).unwrap_or(text).trim_end();
                errors.push(wrong(1 + newlines(read.as_bytes()), "it cannot be read as CSV."));
                break;
            }
        }
        let end = usize::try_from(reader.position().byte()).unwrap_or(usize::MAX).min(text.len());
        let part = &text.as_bytes()[read..end];
        let own = line + newlines(part.trim_ascii_end());
        (read, line) = (end, line + newlines(part));
        let cell = |place: usize| record.get(place).unwrap_or_default().trim().to_owned();
        let (school_id, coach) = (cell(0), cell(1));
        let is_title = std::mem::take(&mut is_first)
            && matches!(key(&coach).as_str(), "coach" | "new coach" | "coach name" | "coachid");
        if is_title || (school_id.is_empty() && coach.is_empty()) {
            continue;
        }
        let request = match (school_id.is_empty(), coach.is_empty()) {
            (true, _) => Err("no school ID.".to_owned()),
            (_, true) => Err("no coach.".to_owned()),
            // The comma of a name, where only the first half of it would be looked for.
            _ if !cell(2).is_empty() => Err("more than two columns. Put a name with a comma in quotes.".to_owned()),
            _ => school_id.parse().map_err(|why: NoSchoolId| why.to_string()),
        };
        match request {
            Ok(school_id) => requests.push(CoachRequest { line: own, school_id, coach }),
            Err(_) if errors.len() == WRONG_LINES => more += 1,
            Err(why) => errors.push(wrong(own, &why)),
        }
        if requests.len() as u64 > FROZEN_AT_PREVIEW {
            return Err(too_many("file"));
        }
    }
    let unreadable = errors.len() as u64 + more;
    if more > 0 {
        let message = format!("{} like these.", counted(more, "more line is", "more lines are"));
        errors.push(FieldError::new("file", "invalid", message));
    }
    match (errors.is_empty(), requests.is_empty()) {
        (false, _) => Err(Problem::fields(errors).with(UNREADABLE_LINES, unreadable)),
        (true, true) => Err(empty("file")),
        (true, false) => Ok(requests),
    }
}

fn newlines(text: &[u8]) -> u64 {
    text.iter().filter(|byte| **byte == b'\n').count() as u64
}

fn empty(field: &str) -> Problem {
    Problem::field(field, "required", "The list has no lines with a school ID and a coach.")
}

fn too_many(field: &str) -> Problem {
    let most = model::grouped(FROZEN_AT_PREVIEW);
    Problem::field(field, "too_many", format!("A list has at most {most} lines."))
}

/// What stands between the two cells of a line: whatever comes first in the first line, where a school id has none of them.
fn delimiter(text: &str) -> u8 {
    let mut quoted = false;
    let outside = text.lines().next().unwrap_or_default().bytes().filter(|byte| {
        quoted ^= *byte == b'"';
        !quoted
    });
    outside.into_iter().find(|byte| b"\t;,".contains(byte)).unwrap_or(b',')
}

/// What a list, and a coach in it, is called, in characters.
const LONGEST_NAME: usize = 120;
/// What is told of a list that is to be corrected in it.
const TOLD: i64 = 10;

impl Actions<'_> {
    /// The school IDs and coaches in a list that no line can be followed by, in the order of the file, with where they stand first.
    /// Each line has one reason for which it is skipped, and counts for that one.
    pub async fn wrong_lines(self, actor: &Actor, token: PreviewToken) -> Result<WrongLines> {
        let record = preview::load_preview(self.0, actor, token).await?;
        let Judged { from, is_targeted, verdict } = judged(actor, token, &record);
        let sql = "SELECT reason, written, MIN(line) AS line, COUNT(*) AS lines,
                          CAST(SUM(COUNT(*)) OVER () AS bigint) AS all_lines
                   FROM (SELECT tp.position, w.line, $3 AS reason, CASE WHEN p.id IS NULL THEN tp.given ELSE w.wanted END AS written
                         FROM $1 JOIN coach_wish w ON w.task_id = tp.task_id AND w.position = tp.position WHERE $2) AS judged
                   WHERE reason IN ('NOT_FOUND', 'AMBIGUOUS_COACH', 'UNKNOWN_COACH') AND written IS NOT NULL
                   GROUP BY reason, written ORDER BY MIN(position) LIMIT $4";
        let told = composed(self.0.db(), sql, [from, is_targeted, verdict, at_most(TOLD)]);
        let mut wrong = WrongLines::default();
        for row in self.0.db().reader().query_all_raw(told).await? {
            let reason: String = row.try_get("", "reason")?;
            let Ok(reason) = reason.parse() else { continue };
            let number = |column: &str| row.try_get::<Option<i64>>("", column).map(|n| n.map(i64::unsigned_abs));
            let (line, lines) = (number("line")?, number("lines")?.unwrap_or_default());
            let written = row.try_get("", "written")?;
            wrong.told.push(WrongLine { reason, written, line, lines, could_be: Vec::new() });
            wrong.more = number("all_lines")?.unwrap_or_default();
        }
        wrong.more -= wrong.told.iter().map(|line| line.lines).sum::<u64>();
        if wrong.told.iter().any(|line| line.reason == SkipReason::AmbiguousCoach) {
            let found = self.coaches_by_word().await?;
            for line in wrong.told.iter_mut().filter(|line| line.reason == SkipReason::AmbiguousCoach) {
                line.could_be = called(&found, &line.written);
            }
        }
        Ok(wrong)
    }

    /// What [`Actions::preview_lines`] says of the lines of a file.
    pub async fn preview_list(self, actor: &Actor, file: &str, text: &str) -> Result<Preview> {
        actor.require(TaskKind::ReassignByList.right())?;
        let name: String = file.chars().take(LONGEST_NAME).collect();
        self.preview_lines(actor, &name, read_list(text)?).await
    }

    /// Counts what a list of this name would do, and keeps it under a token: a line of the ledger for each line of the list.
    pub async fn preview_lines(self, actor: &Actor, name: &str, requests: Vec<CoachRequest>) -> Result<Preview> {
        let action = Action::ReassignByList(ReassignByList { file: name.to_owned() });
        actor.require(action.right())?;
        if name.chars().count() > LONGEST_NAME {
            let message = format!("A name has at most {LONGEST_NAME} characters.");
            return Err(Problem::field("name", "too_long", message).into());
        }
        if requests.is_empty() {
            return Err(empty("lines").into());
        }
        if requests.len() as u64 > FROZEN_AT_PREVIEW {
            return Err(too_many("lines").into());
        }
        let coaches = coaches(&self.coaches_by_word().await?);
        let token = queue::new_id();
        let txn = self.0.db().begin_write().await?;
        self.freeze_requests(&txn, actor, token, &requests, &coaches).await?;
        let targeted = TargetedPeople::Listed { ids: Vec::new(), school_ids: Vec::new() };
        preview::keep_frozen(self.0, txn, actor, token, action, targeted).await?;
        self.preview_kept(actor, token).await
    }

    async fn freeze_requests(
        self,
        txn: &Transaction,
        actor: &Actor,
        token: PreviewToken,
        requests: &[CoachRequest],
        coaches: &HashMap<String, Option<PersonId>>,
    ) -> Result<()> {
        let last: HashMap<String, usize> =
            requests.iter().enumerate().map(|(line, request)| (key(request.school_id.as_str()), line)).collect();
        let known = self.known_by_school_id(txn, actor, requests).await?;
        let (mut people, mut coaches_named) = (Vec::new(), Vec::new());
        for (line, request) in requests.iter().enumerate() {
            let position = i64::try_from(line + 1).unwrap_or(i64::MAX);
            let superseded = last.get(&key(request.school_id.as_str())) != Some(&line);
            let person = known.get(&key(request.school_id.as_str())).copied().filter(|_| !superseded);
            people.push(task_person::ActiveModel::meant(
                token.task(),
                position,
                person,
                Some(request.school_id.to_string()),
            ));
            let named = coaches.get(&key(&request.coach)).copied();
            let coach = named.flatten();
            // Only what is not found is kept as it was written.
            let wanted = coach.is_none().then(|| request.coach.chars().take(LONGEST_NAME).collect());
            coaches_named.push(coach_wish::ActiveModel {
                task_id: Set(token.task()),
                position: Set(position),
                coach_id: Set(coach),
                superseded: Set(superseded),
                line: Set(Some(request.line.cast_signed())),
                wanted: Set(wanted),
                several: Set(named == Some(None)),
            });
        }
        insert_all(self.0.db(), txn, people).await?;
        insert_all(self.0.db(), txn, coaches_named).await?;
        Ok(())
    }

    /// Those of the list whom the actor may know of, by folded school id; where two are alike, nobody is meant.
    async fn known_by_school_id(
        self,
        txn: &Transaction,
        actor: &Actor,
        requests: &[CoachRequest],
    ) -> Result<BTreeMap<String, PersonId>> {
        let mut found: BTreeMap<String, Vec<PersonId>> = BTreeMap::new();
        let keys: Vec<String> = requests.iter().map(|request| key(request.school_id.as_str())).collect();
        let sql = "SELECT p.id, p.school_key FROM person p WHERE p.student AND p.school_key IN ($1) AND ($2)";
        let known = composed(self.0.db(), sql, [ValueList::Texts(&keys).query(), access::by_school_id(actor)]);
        for row in txn.query_all_raw(known).await? {
            found.entry(row.try_get("", "school_key")?).or_default().push(row.try_get("", "id")?);
        }
        Ok(found.into_iter().filter_map(|(key, ids)| Some((key, *ids.first().filter(|_| ids.len() == 1)?))).collect())
    }

    /// Everybody with an account that is in use, with what a list may call them.
    async fn coaches_by_word(self) -> Result<Vec<(CoachChoice, Vec<String>)>> {
        let sql = "SELECT s.id, s.first_name, s.last_name, s.school_id, a.username FROM account a
                   JOIN person s ON s.id = a.person_id WHERE NOT a.disabled";
        let rows = self.0.db().reader().query_all_raw(self.0.db().statement(sql, [])).await?;
        rows.iter()
            .map(|row| {
                let text = |column: &str| row.try_get::<String>("", column);
                let (first, last) = (text("first_name")?, text("last_name")?);
                let words = vec![
                    text("username")?,
                    text("school_id")?,
                    format!("{first} {last}"),
                    format!("{last}, {first}"),
                    short_name(&first, &last),
                ];
                let name = full_name(&[Some(&first), Some(&last)]);
                Ok((CoachChoice { id: row.try_get("", "id")?, name }, words))
            })
            .collect()
    }
}

/// Who is meant by a word; nobody by one that several go by.
fn coaches(found: &[(CoachChoice, Vec<String>)]) -> HashMap<String, Option<PersonId>> {
    let mut by_word: HashMap<String, Option<PersonId>> = HashMap::new();
    for (coach, words) in found {
        for word in words {
            by_word
                .entry(key(word))
                .and_modify(|known| *known = known.filter(|id| *id == coach.id))
                .or_insert(Some(coach.id));
        }
    }
    by_word
}

/// The names of those who go by a word, each once: people whose names are alike are not told apart by them.
fn called(found: &[(CoachChoice, Vec<String>)], written: &str) -> Vec<String> {
    let wanted = key(written);
    let meant = found.iter().filter(|(_, words)| words.iter().any(|word| key(word) == wanted));
    let names: BTreeSet<String> = meant.map(|(coach, _)| coach.name.clone()).collect();
    names.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_known_by_its_number_in_the_file() {
        let lines = |text: &str| read_list(text).unwrap().iter().map(|request| request.line).collect::<Vec<_>>();
        assert_eq!(lines("School ID,Coach\nG1-1,mia\n\n\nG1-2,\"Lund,\nKatrin\"\nG1-3,mia"), [2, 6, 7]);
        assert_eq!(lines("\u{feff}G1-1,mia\r\nG1-2,mia\r\n\r\nG1-3,mia\r\n"), [1, 2, 4]);
    }

    fn pairs(text: &str) -> Vec<(String, String)> {
        read_list(text).unwrap().into_iter().map(|request| (request.school_id.into(), request.coach)).collect()
    }

    #[test]
    fn a_list_is_read_as_programs_write_them() {
        let expected = vec![("G1-1".to_owned(), "Lund, Katrin".to_owned()), ("G1-2".to_owned(), "mia".to_owned())];
        assert_eq!(pairs("\u{feff}School ID,Coach\r\nG1-1,\"Lund, Katrin\"\r\n\r\nG1-2, mia \r\n"), expected);
        assert_eq!(pairs("G1-1;Lund, Katrin\nG1-2;mia"), expected);
        assert_eq!(pairs("\"G1-1\";Lund, Katrin\nG1-2;mia"), expected);
        assert_eq!(pairs("G1-1\tLund, Katrin\nG1-2\tmia"), expected);
    }

    #[test]
    fn a_line_that_is_none_is_named() {
        let message = |text: &str| read_list(text).unwrap_err().errors[0].message.clone();
        assert_eq!(message("School ID,Coach\nG1-1,\n"), "Line 2: no coach.");
        assert_eq!(message("School ID,Coach\n\n\nG1-1\n"), "Line 4: no coach.");
        assert_eq!(message("School ID,Coach\n,mia\n"), "Line 2: no school ID.");
        assert_eq!(message("School ID,Coach\n"), "The list has no lines with a school ID and a coach.");
    }

    #[test]
    fn all_lines_that_are_none_are_told_at_once_and_of_many_the_first_ten() {
        let messages = |text: &str| -> Vec<String> {
            read_list(text).unwrap_err().errors.into_iter().map(|error| error.message).collect()
        };
        let count = |text: &str| read_list(text).unwrap_err().more[UNREADABLE_LINES].as_u64();
        assert_eq!([count("G1-1,mia\nG1-2,\n"), count(&"G1-1,\n".repeat(12))], [Some(1), Some(12)]);
        assert_eq!(messages("G1-1,mia\nG1-2,\n\n,mia\nG1-3,mia\n"), ["Line 2: no coach.", "Line 4: no school ID."]);
        let halved = ["Line 1: more than two columns. Put a name with a comma in quotes."];
        assert_eq!(messages("G1-1,Nwachukwu, Paul\nG1-2,\"Nwachukwu, Paul\",\n"), halved);
        let many = messages(&"G1-1,\n".repeat(12));
        assert_eq!(
            (many.len(), many[9].as_str(), many[10].as_str()),
            (11, "Line 10: no coach.", "2 more lines are like these.")
        );
    }
}
