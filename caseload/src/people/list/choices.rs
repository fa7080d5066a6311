//! What the filters of the people list can be set to: every value that is in use. A few stand in the menu; the others are
//! found by what somebody types of them.

use std::collections::HashSet;

use futures::{StreamExt, TryStreamExt};
use model::{
    PersonId,
    filter::FilterField,
    length::within,
    person::{Choice, Choices, CoachChoice},
};
use queue::Database;
use sea_orm::{
    ConnectionTrait, DbErr, QueryResult, Statement, StreamTrait,
    sea_query::{Expr, ExprTrait},
};

use crate::{
    Result,
    caseload::People,
    entity::people::person::{Column, PersonAlias},
    people::{fold::fold, list::rows::list_name},
    statement::{composed, sql},
};

/// The most values that are offered at once.
pub const OFFERED: usize = 50;
/// The most extra fields that are offered.
const EXTRA_FIELDS: i64 = 20;
/// The longest words that are looked for, in bytes.
const WORDS: usize = 400;

impl People<'_> {
    /// The first values of a field in which these words are found; the first of all where there are none.
    pub async fn filter_choices(self, field: FilterField, words: &str) -> Result<Choices> {
        let wanted = fold(within::<WORDS>(words).map_err(|too_long| too_long.of("words"))?);
        let statement = match field {
            FilterField::Coach => coaches(self.0.db()),
            FilterField::HomeCampus => values(self.0.db(), Column::HomeCampus),
            FilterField::Major => values(self.0.db(), Column::DeclaredMajor),
            FilterField::StartTerm => values(self.0.db(), Column::StartTerm),
            FilterField::StudentType => values(self.0.db(), Column::StudentType),
        };
        let read: fn(&QueryResult) -> Result<Choice, DbErr> = match field {
            FilterField::Coach => coach,
            FilterField::HomeCampus | FilterField::Major | FilterField::StartTerm | FilterField::StudentType => value,
        };
        let mut rows = self.0.db().reader().stream_raw(statement).await?;
        let mut choices = Choices::default();
        while let Some(row) = rows.try_next().await? {
            let choice = read(&row)?;
            if choice.value.is_empty() || !fold(&choice.label).contains(&wanted) {
                continue;
            }
            // One more than is offered says that there are others.
            if choices.found.len() == OFFERED {
                choices.more = true;
                break;
            }
            choices.found.push(choice);
        }
        Ok(choices)
    }

    /// The names of extra fields that somebody has, the first of them.
    pub async fn extra_fields(self) -> Result<Vec<String>> {
        let sql = "WITH RECURSIVE found (name) AS (
                SELECT * FROM (SELECT name FROM person_extra ORDER BY name LIMIT 1) AS least
                UNION ALL
                SELECT (SELECT x.name FROM person_extra x WHERE x.name > found.name ORDER BY x.name LIMIT 1)
                FROM found WHERE found.name IS NOT NULL)
            SELECT name FROM found WHERE name IS NOT NULL LIMIT $1";
        let rows = self.0.db().reader().query_all_raw(self.0.db().statement(sql, [EXTRA_FIELDS.into()])).await?;
        Ok(rows.iter().map(|row| row.try_get("", "name")).collect::<Result<_, _>>()?)
    }

    /// What the coaches among these are called, for filters that are set to them.
    pub async fn coaches_named(self, ids: &[PersonId]) -> Result<Vec<CoachChoice>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let these = PersonAlias("c").col(Column::Id).is_in(ids.iter().copied());
        let sql = "SELECT c.id, c.first_name, c.last_name FROM person c WHERE NOT c.student AND $1";
        let rows = self.0.db().reader().query_all_raw(composed(self.0.db(), sql, [these])).await?;
        let named = rows.iter().map(|row| Ok(CoachChoice { id: row.try_get("", "id")?, name: name(row)? }));
        named.collect()
    }
}

fn value(row: &QueryResult) -> Result<Choice, DbErr> {
    let value: String = row.try_get("", "value")?;
    Ok(Choice { label: value.clone(), value })
}

fn coach(row: &QueryResult) -> Result<Choice, DbErr> {
    let id: PersonId = row.try_get("", "id")?;
    Ok(Choice { value: id.to_string(), label: name(row)? })
}

fn name(row: &QueryResult) -> Result<String, DbErr> {
    let (last, first): (String, String) = (row.try_get("", "last_name")?, row.try_get("", "first_name")?);
    Ok(list_name(&last, &first, None))
}

/// The values that are in use in a column of the list's filters, up to so many.
pub async fn in_use(db: &Database, column: Column, most: usize) -> Result<HashSet<String>, DbErr> {
    let rows = db.reader().stream_raw(values(db, column)).await?;
    rows.take(most).and_then(|row| async move { row.try_get("", "value") }).try_collect().await
}

/// The values of a column.
fn values(db: &Database, column: Column) -> Statement {
    let sql = "WITH RECURSIVE found (value) AS ($1) SELECT value FROM found WHERE value IS NOT NULL";
    composed(db, sql, [distinct(column)])
}

/// Crossed, so that the few coaches are gone through and not everybody there is.
fn coaches(db: &Database) -> Statement {
    let sql =
        "WITH RECURSIVE found (value) AS ($1) SELECT c.id, c.first_name, c.last_name FROM found CROSS JOIN person c
         WHERE c.id = found.value ORDER BY c.sort_key, c.id";
    composed(db, sql, [distinct(Column::CoachId)])
}

/// The distinct values of an indexed column, hopping from one to the next instead of reading every row.
fn distinct(column: Column) -> Expr {
    sql(
        "SELECT * FROM (SELECT $1 FROM person WHERE $1 IS NOT NULL ORDER BY $1 LIMIT 1) AS least
         UNION ALL
         SELECT (SELECT $1 FROM person WHERE $1 > found.value ORDER BY $1 LIMIT 1) FROM found WHERE found.value IS NOT NULL",
        [Expr::col(column)],
    )
}
