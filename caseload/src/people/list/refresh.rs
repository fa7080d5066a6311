//! The people list while somebody looks at it: the rows that are shown, as they are by now and where they are. Whoever has
//! come since is counted and waits until they are asked for.

use std::collections::HashMap;

use model::{PeopleFilter, PeopleQuery, PersonId, PersonRow, person::ShownPeople};
use sea_orm::{ConnectionTrait, FromQueryResult, sea_query::ExprTrait};

use crate::{
    Actor, Result, access,
    caseload::People,
    entity::people::person::{Column, P},
    people::{
        filter,
        list::{
            page,
            rows::{self, ListedPerson},
        },
    },
    statement::composed,
};

impl People<'_> {
    /// The page that shows these people, as it is by now; where it shows nobody yet, the page.
    pub async fn list_again(self, actor: &Actor, query: &PeopleQuery, shown: &[PersonId]) -> Result<ShownPeople> {
        let now = self.list(actor, query).await?;
        if shown.is_empty() {
            let lines = now.items.into_iter().map(|row| (row.id, Some(row))).collect();
            return Ok(ShownPeople { lines, newer: 0, left: 0, total: now.total, next: now.next });
        }
        let ids: Vec<PersonId> = now.items.iter().map(|row| row.id).collect();
        let full = query.limit.unwrap_or(page::PAGE) as usize <= shown.len();
        let newer = newer(&ids, shown, full);
        let mut rows: HashMap<PersonId, PersonRow> = now.items.into_iter().map(|row| (row.id, row)).collect();
        let others: Vec<PersonId> = shown.iter().filter(|id| !rows.contains_key(id)).copied().collect();
        let mut left = others.len() as u64;
        for (row, matches) in self.people_shown(actor, &query.filter, others).await? {
            left -= u64::from(matches);
            rows.insert(row.id, row);
        }
        let lines = shown.iter().map(|id| (*id, rows.remove(id))).collect();
        Ok(ShownPeople { lines, newer, left, total: now.total, next: now.next })
    }

    /// Of these people those whom the actor may still know of, and whether they match.
    async fn people_shown(
        self,
        actor: &Actor,
        filter: &PeopleFilter,
        ids: Vec<PersonId>,
    ) -> Result<Vec<(PersonRow, bool)>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let sql = "SELECT $1, CASE WHEN $2 THEN 1 ELSE 0 END AS matches
             FROM person p LEFT JOIN person c ON c.id = p.coach_id WHERE p.student AND $3 AND ($4)";
        let (columns, matching) = (rows::columns(actor), filter::compile(filter, actor));
        let parts = [columns, matching, P.col(Column::Id).is_in(ids), access::visible(actor)];
        let found = self.0.db().reader().query_all_raw(composed(self.0.db(), sql, parts)).await?;
        let (mut rows, mut matching) = (Vec::new(), Vec::new());
        for row in &found {
            rows.push(ListedPerson::from_query_result(row, "")?.row());
            matching.push(row.try_get::<i32>("", "matches")? == 1);
        }
        page::add_pending(self.0, actor, &mut rows).await?;
        Ok(rows.into_iter().zip(matching).collect())
    }
}

/// How many of those on a page of now were not shown. On a full page whoever stands behind the last one shown has only moved
/// up from the next.
fn newer(now: &[PersonId], shown: &[PersonId], full: bool) -> u64 {
    let last = now.iter().rposition(|id| shown.contains(id)).filter(|_| full);
    let among = last.map_or(now, |last| &now[..last]);
    among.iter().filter(|id| !shown.contains(id)).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(now: &[u128], shown: &[u128], full: bool) -> u64 {
        let ids = |numbers: &[u128]| numbers.iter().copied().map(PersonId::from_u128).collect::<Vec<_>>();
        newer(&ids(now), &ids(shown), full)
    }

    #[test]
    fn whoever_only_moved_up_is_not_new() {
        assert_eq!(of(&[1, 2, 3], &[1, 2, 3], true), 0);
        assert_eq!(of(&[1, 9, 2], &[1, 2, 3], true), 1, "one has come between, and pushed another off the page");
        assert_eq!(of(&[1, 3, 4], &[1, 2, 3], true), 0, "one has left, and the next page begins later");
        assert_eq!(of(&[1, 2, 3], &[1, 2], false), 1, "the last page has room");
        assert_eq!(of(&[7, 8, 9], &[1, 2, 3], true), 3);
    }
}
