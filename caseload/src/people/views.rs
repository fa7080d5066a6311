//! Saved views: searches of the people page that somebody keeps under a name.

use model::{FieldError, PeopleQuery, Problem, ViewId, person::SavedView};
use queue::Database;
use sea_orm::{ConnectionTrait, FromQueryResult};

use crate::{Actor, Caseload, Result, erase::erased::Erased, limits::Limited, people::owned::Owned};

/// The longest name, in characters.
const LONGEST: usize = 60;

#[derive(FromQueryResult)]
struct ViewRow {
    id: ViewId,
    name: String,
    query: String,
}

impl Caseload {
    /// The actor's views, by name.
    pub async fn views(&self, actor: &Actor) -> Result<Vec<SavedView>> {
        let sql = "SELECT id, name, query FROM saved_view WHERE owner_id = $1 ORDER BY name";
        let rows = ViewRow::find_by_statement(self.db().statement(sql, [actor.person_id.into()]));
        let rows = rows.all(self.db().reader()).await?;
        Ok(rows.into_iter().map(|row| SavedView { id: row.id, name: row.name, query: row.query }).collect())
    }

    /// Keeps a search under a name; the name's former search is forgotten. Where somebody was on the page is not kept.
    pub async fn save_view(&self, actor: &Actor, name: &str, query: PeopleQuery) -> Result<()> {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let wrong = |code: &str, message: String| Problem::fields(vec![FieldError::new("name", code, message)]);
        if name.is_empty() {
            return Err(wrong("required", "Give the view a name.".to_owned()).into());
        }
        if !model::text::is_name(&name, LONGEST) {
            return Err(wrong("invalid", format!("Use a name of at most {LONGEST} letters, digits and signs.")).into());
        }
        let query = PeopleQuery { after: None, ..query }.to_query();
        let (db, txn) = (self.db(), self.db().begin_write().await?);
        txn.execute_raw(db.statement(
            "INSERT INTO saved_view (id, owner_id, name, query, created_date) VALUES ($1, $2, $3, $4, {now})
             ON CONFLICT (owner_id, name) DO UPDATE SET query = excluded.query",
            [queue::new_id::<ViewId>().into(), actor.person_id.into(), name.into(), query.into()],
        ))
        .await?;
        let count =
            db.statement("SELECT COUNT(*) AS count FROM saved_view WHERE owner_id = $1", [actor.person_id.into()]);
        let count: i64 = txn.query_one_raw(count).await?.map_or(Ok(0), |row| row.try_get("", "count"))?;
        if count > self.limits().views.into() {
            return Err(self.limits().refusal(Limited::Views, None).into());
        }
        Ok(db.commit(txn).await?)
    }

    /// Forgets a view.
    pub async fn forget_view(&self, actor: &Actor, id: ViewId) -> Result<()> {
        let sql = "DELETE FROM saved_view WHERE id = $1 AND owner_id = $2";
        match self.db().write(sql, [id.into(), actor.person_id.into()]).await? {
            0 => Err(self.not_ones_own(actor, Owned::View(id), Problem::not_found("view")).await),
            _ => Ok(()),
        }
    }
}

/// Drops the views that search for somebody who is erased.
pub async fn forget(db: &Database, txn: &impl ConnectionTrait, erased: &Erased) -> Result<()> {
    let rows = ViewRow::find_by_statement(db.statement("SELECT id, name, query FROM saved_view", [])).all(txn).await?;
    let searched = |query: &str| PeopleQuery::from_query(query).map(|query| query.filter.q).unwrap_or_default();
    for row in rows.iter().filter(|row| erased.is_named_in(&row.name) || erased.is_named_in(&searched(&row.query))) {
        txn.execute_raw(db.statement("DELETE FROM saved_view WHERE id = $1", [row.id.into()])).await?;
    }
    Ok(())
}
