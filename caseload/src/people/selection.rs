//! What somebody has picked, kept on the server under a token: it crosses pages, works without scripts, and needs no list of
//! ids in a URL.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use model::{
    Code, PeopleFilter, PersonId, Problem, SchoolId, Scope, Selection, SelectionRequest, SelectionToken, SelectionView,
    Total, length::within, parameters::MAX_LIMIT, selection::MAX_PICKED,
};
use queue::{Database, row_of};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryTrait,
    sea_query::{Expr, ExprTrait, OnConflict},
};

use crate::{
    Actor, Caseload, Error, Result, access,
    caseload::Selections,
    entity::people::selection,
    erase::erased::{Erased, naming},
    people::{filter, fold::key, list::rows::COUNTED},
    statement::{ValueList, at_most, composed, count},
};

/// From the last change, in seconds.
const KEPT: f64 = 1800.0;
/// Selections beyond an account's share that go with one new one.
const CLEARED_AT_ONCE: i64 = 20;
/// The ids of the longest page of the list with what stands between them, in bytes, and as much again.
const PAGE_OF_IDS: usize = 2 * 40 * MAX_LIMIT as usize;

impl Selections<'_> {
    /// A selection as it is now; of the people `shown`, it says which are in.
    pub async fn get(self, actor: &Actor, token: SelectionToken, shown: &[PersonId]) -> Result<SelectionView> {
        let selection = load_selection(self.0, actor, token).await?;
        view(self.0, actor, token, selection, shown).await
    }

    /// How many people are in a selection; of those who match, counted so far as a list counts.
    pub async fn size(self, actor: &Actor, token: SelectionToken) -> Result<Total> {
        Ok(match load_selection(self.0, actor, token).await? {
            Selection::Picked { ids } => Total::exactly(ids.len() as u64),
            Selection::Matching { filter, exclude } => {
                let so = filter::compile_without(&filter, &exclude, actor);
                Total::upto(COUNTED, count_people(self.0, so, COUNTED + 1).await?)
            }
        })
    }

    /// Takes over the ticks of one page of the list, leaving those of other pages as they are.
    pub async fn select_shown(self, actor: &Actor, request: &SelectionRequest) -> Result<SelectionView> {
        let (shown, ticked) = (ids("shown", &request.shown)?, ids("ticked", &request.ticked)?);
        let (on_page, ticked): (HashSet<PersonId>, HashSet<PersonId>) =
            (shown.iter().copied().collect(), ticked.into_iter().collect());
        let mut selection = match request.token {
            Some(token) => load_selection(self.0, actor, token).await?,
            None => Selection::Picked { ids: Vec::new() },
        };
        // Picked people are listed when they are in, excluded ones when they are out.
        let (list, listed_when_ticked) = match &mut selection {
            Selection::Picked { ids } => (ids, true),
            Selection::Matching { exclude, .. } => (exclude, false),
        };
        list.retain(|id| !on_page.contains(id));
        list.extend(shown.iter().filter(|id| ticked.contains(id) == listed_when_ticked));
        list.sort();
        list.dedup();
        if list.len() > MAX_PICKED {
            let message = format!(
                "Select at most {} people one by one. For more, use a filter.",
                model::grouped(MAX_PICKED as u64)
            );
            return Err(Problem::field("ticked", "too_many", message).into());
        }
        let token = save_selection(self.0, actor, request.token, &selection).await?;
        view(self.0, actor, token, selection, &shown).await
    }

    /// Selects everybody who matches.
    pub async fn select_matching(self, actor: &Actor, filter: PeopleFilter) -> Result<SelectionView> {
        let mut filter = filter.checked()?;
        filter.scope = Some(filter::scope_of(&filter, actor));
        let exclude = self.watched_beyond_reach(actor, &filter).await?;
        let selection = Selection::Matching { filter, exclude };
        let token = save_selection(self.0, actor, None, &selection).await?;
        view(self.0, actor, token, selection, &[]).await
    }

    /// Those who match on a watch list and are no longer the actor's: they are listed, and never selected.
    async fn watched_beyond_reach(self, actor: &Actor, filter: &PeopleFilter) -> Result<Vec<PersonId>> {
        if filter.scope != Some(Scope::Watchlist) || actor.role.reaches_everyone() {
            return Ok(Vec::new());
        }
        let beyond = filter::compile(filter, actor).and(access::reach(actor).not());
        let sql = "SELECT p.id FROM person p WHERE $1 ORDER BY p.id LIMIT $2";
        let found = composed(self.0.db(), sql, [beyond, at_most(MAX_PICKED as i64)]);
        let rows = self.0.db().reader().query_all_raw(found).await?;
        rows.iter().map(|row| Ok(row.try_get("", "id")?)).collect()
    }

    /// Selects people by their school ids; gives those that are unknown, or not to be known of, as well, in the order that they
    /// were given in.
    pub async fn select_school_ids(
        self,
        actor: &Actor,
        given: Vec<SchoolId>,
    ) -> Result<(SelectionView, Vec<SchoolId>)> {
        let school_ids = tidy("schoolIds", given.clone())?;
        if school_ids.is_empty() {
            return Err(Problem::field("schoolIds", "required", "Enter at least one school ID.").into());
        }
        let keys: Vec<String> = school_ids.iter().map(|id| key(id.as_str())).collect();
        let sql =
            "SELECT p.id, p.school_id, p.school_key FROM person p WHERE p.student AND p.school_key IN ($1) AND ($2)";
        let known = composed(self.0.db(), sql, [ValueList::Texts(&keys).query(), access::by_school_id(actor)]);
        let rows = self.0.db().reader().query_all_raw(known).await?;
        let mut found = BTreeMap::<String, Vec<(SchoolId, PersonId)>>::new();
        for row in rows {
            let person = (row.try_get("", "school_id")?, row.try_get("", "id")?);
            found.entry(row.try_get("", "school_key")?).or_default().push(person);
        }
        let (mut ids, mut unknown, mut seen) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
        for given in given.into_iter().filter(|given| seen.insert(given.clone())) {
            // As people type it; where that could be several, as it is written.
            let alike = found.get(&key(given.as_str())).map(Vec::as_slice).unwrap_or_default();
            match (alike.iter().find(|(school_id, _)| *school_id == given), alike) {
                (Some((_, id)), _) | (None, [(_, id)]) => drop(ids.insert(*id)),
                _ => unknown.push(given),
            }
        }
        let ids = ids.into_iter().collect();
        Ok((keep_selection(self.0, actor, Selection::Picked { ids }).await?, unknown))
    }

    /// Keeps a selection for as long as if it had just been made, while somebody works with it.
    pub async fn hold_on_to(self, actor: &Actor, token: SelectionToken) -> Result<()> {
        let db = self.0.db();
        let kept = selection::Entity::update_many()
            .col_expr(selection::Column::ExpiryDate, db.instant_after(KEPT))
            .filter(selection::Column::Id.eq(token))
            .filter(selection::Column::OwnerId.eq(actor.person_id))
            .filter(Expr::col(selection::Column::ExpiryDate).gt(db.instant()));
        db.write_query(&kept.into_query()).await?;
        Ok(())
    }

    /// Forgets a selection.
    pub async fn discard(self, actor: &Actor, token: SelectionToken) -> Result<()> {
        let txn = self.0.db().begin_write().await?;
        let owned = selection::Entity::delete_by_id(token).filter(selection::Column::OwnerId.eq(actor.person_id));
        owned.exec(&txn).await?;
        Ok(self.0.db().commit(txn).await?)
    }
}

/// Keeps a selection that was made elsewhere.
pub(crate) async fn keep_selection(
    caseload: &Caseload,
    actor: &Actor,
    mut selection: Selection,
) -> Result<SelectionView> {
    match &mut selection {
        Selection::Picked { ids: list } | Selection::Matching { exclude: list, .. } => list.sort(),
    }
    let token = save_selection(caseload, actor, None, &selection).await?;
    view(caseload, actor, token, selection, &[]).await
}

pub(crate) async fn load_selection(caseload: &Caseload, actor: &Actor, token: SelectionToken) -> Result<Selection> {
    let found = selection::Entity::find_by_id(token)
        .filter(selection::Column::OwnerId.eq(actor.person_id))
        .filter(selection::Column::ExpiryDate.gt(caseload.db().now().await?))
        .one(caseload.db().reader())
        .await?;
    let Some(found) = found else {
        let detail = "A selection is kept for 30 minutes. Select the people again.";
        return Err(Problem::new(404, Code::SELECTION_GONE, "The selection is gone", detail).into());
    };
    serde_json::from_str(&found.content).map_err(|error| Error::Internal(error.to_string()))
}

async fn save_selection(
    caseload: &Caseload,
    actor: &Actor,
    token: Option<SelectionToken>,
    selection: &Selection,
) -> Result<SelectionToken> {
    let db = caseload.db();
    let content = serde_json::to_string(selection).map_err(|error| Error::Internal(error.to_string()))?;
    let token = token.unwrap_or_else(queue::secret_id);
    let txn = db.begin_write().await?;
    forget_expired(db, &txn).await?;
    use selection::Column;
    let row = [
        (Column::Id, token.into()),
        (Column::OwnerId, actor.person_id.into()),
        (Column::Content, content.into()),
        (Column::CreatedDate, db.instant()),
        (Column::ExpiryDate, db.instant_after(KEPT)),
    ];
    let again = OnConflict::column(Column::Id).update_columns([Column::Content, Column::ExpiryDate]).to_owned();
    txn.execute_raw(db.build(row_of(selection::Entity, row).on_conflict(again))).await?;
    // Those that were worked with latest stay.
    let surplus = "DELETE FROM selection WHERE id IN (
        SELECT id FROM selection WHERE owner_id = $1 ORDER BY expiry_date DESC, id DESC LIMIT $2 OFFSET $3)";
    let most = i64::from(caseload.limits().selections);
    txn.execute_raw(db.statement(surplus, [actor.person_id.into(), CLEARED_AT_ONCE.into(), most.into()])).await?;
    caseload.db().commit(txn).await?;
    Ok(token)
}

async fn view(
    caseload: &Caseload,
    actor: &Actor,
    token: SelectionToken,
    selection: Selection,
    shown: &[PersonId],
) -> Result<SelectionView> {
    let shown = shown.iter().copied();
    Ok(match selection {
        Selection::Picked { ids } => SelectionView {
            token,
            count: ids.len() as u64,
            matching: false,
            // Both lists are kept in the order of ids.
            ticked: shown.filter(|id| ids.binary_search(id).is_ok()).collect(),
            filter_query: None,
            everyone: false,
        },
        Selection::Matching { filter, exclude } => {
            let matching = filter::compile_without(&filter, &exclude, actor);
            let counting = "SELECT COUNT(*) AS count FROM person p WHERE $1";
            SelectionView {
                token,
                count: count(caseload.db().reader(), composed(caseload.db(), counting, [matching])).await?,
                matching: true,
                ticked: shown.filter(|id| exclude.binary_search(id).is_err()).collect(),
                filter_query: Some(filter.to_query()),
                everyone: filter.is_everyone() && exclude.is_empty(),
            }
        }
    })
}

/// How many people `p` there are of whom this is so, counted up to `most`.
pub(crate) async fn count_people(caseload: &Caseload, so: Expr, most: u64) -> Result<u64> {
    let counting = "SELECT COUNT(*) AS count FROM (SELECT 1 AS one FROM person p WHERE $1 LIMIT $2) AS counted";
    count(caseload.db().reader(), composed(caseload.db(), counting, [so, at_most(most.cast_signed())])).await
}

async fn forget_expired(db: &Database, txn: &impl ConnectionTrait) -> Result<()> {
    let expired = selection::Entity::delete_many().filter(Expr::col(selection::Column::ExpiryDate).lt(db.instant()));
    txn.execute_raw(db.build(&expired.into_query())).await?;
    Ok(())
}

/// The ids of one page of the list.
fn ids(field: &str, text: &str) -> Result<Vec<PersonId>> {
    let text = within::<PAGE_OF_IDS>(text).map_err(|too_long| too_long.of(field))?;
    let parsed = text.split(',').map(str::trim).filter(|id| !id.is_empty()).map(str::parse).collect::<Result<_, _>>();
    parsed.map_err(|_| Problem::field(field, "invalid", "These are not IDs of people.").into())
}

/// Drops the selections that name somebody who is erased.
pub async fn forget(db: &Database, txn: &impl ConnectionTrait, erased: &Erased) -> Result<()> {
    let found = naming::<SelectionToken>(db, txn, erased, "SELECT id, content FROM selection", vec![]).await?;
    for (id, _) in found {
        selection::Entity::delete_by_id(id).exec(txn).await?;
    }
    Ok(())
}

/// Sorted and without repetitions: no more than [`MAX_PICKED`], told by their number alone.
pub fn tidy<T: Ord>(field: &str, mut values: Vec<T>) -> Result<Vec<T>> {
    if values.len() > MAX_PICKED {
        let message =
            format!("List at most {} people, or select them with a filter.", model::grouped(MAX_PICKED as u64));
        return Err(Problem::field(field, "too_many", message).into());
    }
    values.sort();
    values.dedup();
    Ok(values)
}
