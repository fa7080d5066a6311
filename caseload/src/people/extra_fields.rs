//! What an import keeps of people beyond the columns, as rows that lists can be narrowed by. `person.extra` is what is shown, and
//! these follow it: whoever writes people calls [`follow`]. They go with the person.

use std::collections::{BTreeMap, HashMap, HashSet};

use model::{PersonId, extra_fields::can_be_asked_for};
use queue::{Database, Transaction};
use sea_orm::{ConnectionTrait, DbErr, Set, sea_query::OnConflict};
use serde_json::{Map, Value};

use crate::{
    entity::{
        people::person_extra::{ActiveModel, Column},
        upsert_all,
    },
    statement::{ValueList, composed},
};

/// Makes the rows of these people what their extra fields are. What stays as it is costs no write.
pub async fn follow<'a>(
    db: &Database,
    txn: &Transaction,
    people: impl IntoIterator<Item = (PersonId, &'a Map<String, Value>)>,
) -> Result<(), DbErr> {
    let (mut ids, mut wanted) = (Vec::new(), HashMap::new());
    for (id, extra) in people {
        ids.push(id);
        wanted.extend(rows(extra).map(|(name, value)| ((id, name.to_owned()), value)));
    }
    let sql =
        "SELECT p.id, x.name, x.value FROM person p LEFT JOIN person_extra x ON x.person_id = p.id WHERE p.id IN ($1)";
    let (mut there, mut gone) = (HashSet::new(), BTreeMap::<String, Vec<PersonId>>::new());
    for row in txn.query_all_raw(composed(db, sql, [ValueList::People(&ids).query()])).await? {
        let id: PersonId = row.try_get("", "id")?;
        there.insert(id);
        let (Some(name), Some(value)) = (row.try_get("", "name")?, row.try_get::<Option<String>>("", "value")?) else {
            continue;
        };
        let key = (id, name);
        match wanted.get(&key) {
            Some(same) if *same == value => drop(wanted.remove(&key)),
            Some(_) => {}
            None => gone.entry(key.1).or_default().push(id),
        }
    }
    for (name, whose) in gone {
        let sql = "DELETE FROM person_extra WHERE name = $1 AND person_id IN ($2)";
        txn.execute_raw(composed(db, sql, [name.into(), ValueList::People(&whose).query()])).await?;
    }
    // In the order of the key, so that neighbours are written together. Whoever is not there has been made by another import under
    // another id, which is said when their status begins.
    let wanted: BTreeMap<_, _> = wanted.into_iter().filter(|((id, _), _)| there.contains(id)).collect();
    let rows = wanted.into_iter().map(|((id, name), value)| ActiveModel {
        person_id: Set(id),
        name: Set(name),
        value: Set(value.to_owned()),
    });
    let again = OnConflict::columns([Column::PersonId, Column::Name]).update_column(Column::Value).to_owned();
    upsert_all(db, txn, rows.collect(), again).await
}

/// The fields that a filter can ask for: texts of a file. What Docket notes itself is none.
fn rows(extra: &Map<String, Value>) -> impl Iterator<Item = (&str, &str)> {
    let texts = extra.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_str()?.trim())));
    texts.filter(|(name, value)| can_be_asked_for(name) && can_be_asked_for(value))
}
