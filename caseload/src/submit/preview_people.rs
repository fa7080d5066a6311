//! Whom a number of a preview counts: people by name, and after them whoever cannot be named, by the id that was given. Both
//! together are as many as the number says. The lines of a list stand as they do in its file.

use model::{
    Action, Cursor, Page, PersonId, PreviewToken, Problem, SkipReason, Total,
    action::{changes_as, line_label},
    enum_words::Reader,
    preview::{Counted, CountedLine, PreviewPeople},
};
use sea_orm::{
    ConnectionTrait, FromQueryResult,
    sea_query::{Expr, ExprTrait},
};
use serde::{Deserialize, Serialize};

use crate::{
    Actor, Result, access,
    actions::all_actions::definition,
    caseload::Actions,
    entity::people::person::{Column, P},
    people::{
        fold::key,
        list::{
            cursor,
            rows::{self, ListedPerson},
        },
        targeted_people::{self, TargetedPeople},
    },
    statement::{at_most, composed, count, not_by, sql},
    submit::{
        freeze, pending_changes,
        preview::{
            self,
            judged::{Condition, Judged, judged_by},
            record::PreviewRecord,
        },
    },
    tasks::{
        ledger::{in_list, named_in_list},
        ledger_lines::OUT_OF_REACH,
    },
};

/// Lines on a page.
const PAGE: usize = 50;
const COUNTING: &str = "SELECT COUNT(*) AS count FROM $1 WHERE $2";

/// What is said of a line beside who it is.
#[derive(FromQueryResult)]
struct LineSaid {
    verdict: Option<String>,
    before_value: Option<String>,
    after_value: Option<String>,
    list_line: Option<i64>,
    wanted: Option<String>,
}

impl LineSaid {
    fn about(self, who: Counted, action: &Action) -> CountedLine {
        let verdict = self.verdict.as_deref();
        let in_list = self.list_line.map(|line| match verdict.and_then(|verdict| verdict.parse().ok()) {
            Some(why) => {
                let label = definition(action).skip_label(why);
                line_label(Some(why), label, Some(line), self.wanted.as_deref())
            }
            None => format!("line {}", model::grouped(line.unsigned_abs())),
        });
        // Of whoever is out of reach nothing is said but the name.
        let is_known = verdict != Some(OUT_OF_REACH);
        let then = self.after_value.filter(|_| verdict.is_none());
        CountedLine { who, name: None, now: self.before_value.filter(|_| is_known), then, in_list }
    }
}

/// Which of the people of a preview.
enum WhichPeople {
    All,
    Changed,
    /// Those whom another task is still to treat.
    Pending,
    Skipped(SkipReason),
}

impl WhichPeople {
    fn read(text: Option<&str>) -> Result<WhichPeople, Problem> {
        Ok(match text {
            None => WhichPeople::All,
            Some("CHANGE") => WhichPeople::Changed,
            Some("PENDING") => WhichPeople::Pending,
            Some(text) => WhichPeople::Skipped(model::parameters::parse("show", text, Reader::Person)?),
        })
    }

    fn title(&self, record: &PreviewRecord) -> String {
        match self {
            WhichPeople::All if matches!(record.action, Action::ReassignByList(_)) => {
                "All lines in the list".to_owned()
            }
            WhichPeople::All => "All people included".to_owned(),
            WhichPeople::Changed => {
                let mut title = record.action.will();
                title.replace_range(..1, &title[..1].to_uppercase());
                title
            }
            WhichPeople::Pending => format!("People with {} pending", changes_as(&record.action).another()),
            WhichPeople::Skipped(reason) => format!("Skipped: {}", definition(&record.action).skip_label(*reason)),
        }
    }

    /// What the verdict on them is, as a preview counts it.
    fn verdict(&self) -> Option<&'static str> {
        match self {
            WhichPeople::All | WhichPeople::Pending => None,
            WhichPeople::Changed => Some(""),
            WhichPeople::Skipped(reason) => Some(reason.name()),
        }
    }

    /// Whether those who were given and not found are among them.
    fn has_missing(&self) -> bool {
        matches!(self, WhichPeople::All | WhichPeople::Skipped(SkipReason::NotFound))
    }
}

/// Where a page begins.
#[derive(Serialize, Deserialize)]
enum PageStart {
    /// After this name and person.
    Named(String, PersonId),
    /// After so many, or after the line of this number, of those who are not named.
    Given(i64),
}

/// Lines of a page, where the next one begins, and how many there are in all.
type LinesFound = (Vec<CountedLine>, Option<PageStart>, u64);

/// What is asked of a preview.
struct PreviewQuestion<'a> {
    actor: &'a Actor,
    token: PreviewToken,
    record: &'a PreviewRecord,
    which: WhichPeople,
}

impl PreviewQuestion<'_> {
    /// Whether they are found and then sorted, instead of met on the way along the list.
    fn is_of_few(&self) -> bool {
        self.record.total <= rows::COUNTED
    }

    /// The verdict on the person `p`, what is there now and what will be, and what stands in a list.
    fn said(&self) -> [Expr; 5] {
        let definition = definition(&self.record.action);
        let (line, verdict) = (definition.line(self.actor), definition.verdict(self.actor));
        let verdict =
            if self.record.frozen { definition.verdict_among(self.token.task(), self.actor) } else { verdict };
        let [list_line, wanted] = if self.has_lines() { in_list(Some(&self.record.action)) } else { in_list(None) };
        [verdict, line.before, line.after, list_line, wanted]
    }

    /// Whether each of them is a line under the token or of another task, which holds what was given.
    fn has_lines(&self) -> bool {
        self.record.frozen || matches!(self.record.targeted, TargetedPeople::Ledger { .. })
    }
}

impl Actions<'_> {
    /// The tables of the people asked for as `p`, the condition that it is one of them, and that they can be named to the actor.
    async fn parts(self, question: &PreviewQuestion<'_>) -> Result<(Expr, Expr, Expr)> {
        let PreviewQuestion { actor, token, record, which } = question;
        let condition: Condition =
            if question.is_of_few() { targeted_people::condition } else { targeted_people::walk_condition };
        let Judged { from, mut is_targeted, verdict } = judged_by(condition, actor, *token, record);
        if let Some(wanted) = which.verdict() {
            is_targeted = is_targeted.and(sql("COALESCE($1, '') = $2", [verdict, wanted.into()]));
        }
        if matches!(which, WhichPeople::Pending) {
            is_targeted = is_targeted.and(pending_changes::treated_elsewhere(self.0, actor, *token, record).await?);
        }
        Ok((from, is_targeted, P.col(Column::Id).is_not_null().and(access::visible(actor))))
    }

    /// The people behind a number of a preview: `which` is `CHANGE`, `PENDING`, a [`SkipReason`], or nothing for all of them.
    pub async fn preview_people(
        self,
        actor: &Actor,
        token: PreviewToken,
        which: Option<&str>,
        after: Option<&Cursor>,
    ) -> Result<PreviewPeople> {
        let record = preview::load_preview(self.0, actor, token).await?;
        let question = PreviewQuestion { actor, token, record: &record, which: WhichPeople::read(which)? };
        let place: Option<PageStart> = after.map(cursor::read).transpose()?;
        let (items, next, total) = match record.action {
            Action::ReassignByList(_) => self.list_page(&question, place).await?,
            _ => self.named_page(&question, place).await?,
        };
        let page = Page { items, next: next.map(|place| cursor::cursor(&place)), total: Total::exactly(total) };
        Ok(PreviewPeople { title: question.which.title(&record), action: record.action, page })
    }

    /// A page of those who have a name, and after the last of them of those who have none.
    async fn named_page(self, question: &PreviewQuestion<'_>, place: Option<PageStart>) -> Result<LinesFound> {
        let (mut items, mut next, mut total) = (Vec::new(), None, self.count_named(question).await?);
        if !matches!(place, Some(PageStart::Given(_))) {
            (items, next) = self.people_page(question, place.as_ref()).await?;
        }
        let room = if next.is_some() { 0 } else { PAGE - items.len() };
        let begin = if let Some(PageStart::Given(begin)) = place { begin } else { 0 };
        let (given, more, count) = self.given_page(question, begin, room).await?;
        total += count;
        items.extend(given);
        Ok((items, next.or(more), total))
    }

    /// A page of the lines of a list, in the order of its file.
    async fn list_page(self, question: &PreviewQuestion<'_>, place: Option<PageStart>) -> Result<LinesFound> {
        let begin = if let Some(PageStart::Given(begin)) = place { begin } else { 0 };
        let (from, is_targeted, known) = self.parts(question).await?;
        let counting = composed(self.0.db(), COUNTING, [from.clone(), is_targeted.clone()]);
        let total = count(self.0.db().reader(), counting).await?;
        let page = "SELECT $1, tp.position, tp.given, ($2) AS is_named, $7 AS verdict, $8 AS before_value,
                $9 AS after_value, $10 AS list_line, $11 AS wanted
            FROM $3 LEFT JOIN person c ON c.id = p.coach_id WHERE $4 AND tp.position > $5
            ORDER BY tp.position LIMIT $6";
        let (columns, most) = (rows::columns(question.actor), at_most(PAGE as i64 + 1));
        let parts = [columns, known, from, is_targeted, begin.into(), most].into_iter().chain(question.said());
        let mut rows = self.0.db().reader().query_all_raw(composed(self.0.db(), page, parts)).await?;
        let more = rows.len() > PAGE;
        rows.truncate(PAGE);
        let (mut lines, mut last) = (Vec::new(), begin);
        for row in &rows {
            let said = LineSaid::from_query_result(row, "")?;
            let (who, said) = if row.try_get("", "is_named")? {
                (Counted::Person(Box::new(ListedPerson::from_query_result(row, "")?.row())), said)
            } else {
                (Counted::Given(row.try_get("", "given")?), LineSaid { before_value: None, after_value: None, ..said })
            };
            lines.push(said.about(who, &question.record.action));
            last = row.try_get("", "position")?;
        }
        self.add_names(question, &mut lines).await?;
        Ok((lines, more.then_some(PageStart::Given(last)), total))
    }

    async fn count_named(self, question: &PreviewQuestion<'_>) -> Result<u64> {
        let (from, is_targeted, known) = self.parts(question).await?;
        count(self.0.db().reader(), composed(self.0.db(), COUNTING, [from, is_targeted.and(known)])).await
    }

    /// A page of those who have a name, in its order.
    async fn people_page(
        self,
        question: &PreviewQuestion<'_>,
        after: Option<&PageStart>,
    ) -> Result<(Vec<CountedLine>, Option<PageStart>)> {
        let (from, is_targeted, known) = self.parts(question).await?;
        let mut shown = is_targeted.and(known);
        if let Some(PageStart::Named(key, id)) = after {
            shown = shown.and(sql("(p.sort_key, p.id) > ($1, $2)", [key.as_str().into(), (*id).into()]));
        }
        let sort_key = Expr::cust("p.sort_key");
        let by = if question.is_of_few() { not_by(sort_key) } else { sort_key };
        let page = "SELECT $1, $6 AS verdict, $7 AS before_value, $8 AS after_value, $9 AS list_line, $10 AS wanted
             FROM $2 LEFT JOIN person c ON c.id = p.coach_id WHERE $3 ORDER BY $4, p.id LIMIT $5";
        let (columns, most) = (rows::columns(question.actor), at_most(PAGE as i64 + 1));
        let parts = [columns, from, shown, by, most].into_iter().chain(question.said());
        let page = composed(self.0.db(), page, parts);
        let rows = self.0.db().reader().query_all_raw(page).await?;
        let found = rows
            .iter()
            .map(|row| Ok((ListedPerson::from_query_result(row, "")?, LineSaid::from_query_result(row, "")?)));
        let mut found = found.collect::<Result<Vec<_>>>()?;
        let more = found.len() > PAGE;
        found.truncate(PAGE);
        let next = found.last().filter(|_| more).map(|(last, _)| PageStart::Named(last.sort_key.clone(), last.id));
        let lines = found
            .into_iter()
            .map(|(person, said)| said.about(Counted::Person(Box::new(person.row())), &question.record.action));
        Ok((lines.collect(), next))
    }

    /// So many of those who have none, from a place on, where the next ones begin, and how many they are in all.
    async fn given_page(self, question: &PreviewQuestion<'_>, begin: i64, room: usize) -> Result<LinesFound> {
        if question.has_lines() {
            return self.given_lines(question, begin, room).await;
        }
        let missing = match &question.record.targeted {
            TargetedPeople::Listed { ids, school_ids } if question.which.has_missing() => {
                let (db, reader) = (self.0.db(), self.0.db().reader());
                freeze::look_up_listed(db, reader, question.actor, ids, school_ids).await?.unknown
            }
            _ => Vec::new(),
        };
        let (count, begin) = (missing.len(), usize::try_from(begin).unwrap_or_default());
        let unsaid =
            |given| CountedLine { who: Counted::Given(Some(given)), name: None, now: None, then: None, in_list: None };
        let given: Vec<_> = missing.into_iter().skip(begin).take(room).map(unsaid).collect();
        let end = begin + given.len();
        let next = (end < count).then(|| PageStart::Given(i64::try_from(end).unwrap_or(i64::MAX)));
        Ok((given, next, count as u64))
    }

    async fn given_lines(self, question: &PreviewQuestion<'_>, begin: i64, room: usize) -> Result<LinesFound> {
        let (from, is_targeted, known) = self.parts(question).await?;
        let given = is_targeted.and(known.not());
        let count = count(self.0.db().reader(), composed(self.0.db(), COUNTING, [from.clone(), given.clone()])).await?;
        let lines = "SELECT tp.position, tp.given, tp.person_id, $5 AS verdict, CAST(NULL AS text) AS before_value,
                CAST(NULL AS text) AS after_value, $8 AS list_line, $9 AS wanted
            FROM $1 WHERE $2 AND tp.position > $3
            ORDER BY tp.position LIMIT $4";
        let parts = [from, given, begin.into(), at_most(room as i64 + 1)].into_iter().chain(question.said());
        let lines = composed(self.0.db(), lines, parts);
        let mut rows = self.0.db().reader().query_all_raw(lines).await?;
        let more = rows.len() > room;
        rows.truncate(room);
        let (mut given, mut last) = (Vec::new(), begin);
        for row in &rows {
            // Whoever was picked from a list was given by the id that the list had.
            let (text, id): (Option<String>, Option<PersonId>) =
                (row.try_get("", "given")?, row.try_get("", "person_id")?);
            let who = Counted::Given(text.or(id.map(|id| id.to_string())));
            given.push(LineSaid::from_query_result(row, "")?.about(who, &question.record.action));
            last = row.try_get("", "position")?;
        }
        Ok((given, more.then_some(PageStart::Given(last)), count))
    }

    /// Says who those are that another line of the list names.
    async fn add_names(self, question: &PreviewQuestion<'_>, lines: &mut [CountedLine]) -> Result<()> {
        let given = |line: &CountedLine| match &line.who {
            Counted::Given(given) => given.clone(),
            Counted::Person(_) => None,
        };
        let all: Vec<String> = lines.iter().filter_map(given).collect();
        let named = named_in_list::find(self.0.db(), question.actor, question.token.task(), &all).await?;
        for line in lines {
            line.name = given(line).and_then(|given| named.get(&key(&given))).map(named_in_list::NamedInList::name);
        }
        Ok(())
    }
}
