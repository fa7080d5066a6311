//! Groups of the directory: looked for, read, added, changed and deleted by it. Where groups make roles, whoever comes into one or leaves it
//! has the role that follows at once.

use std::collections::BTreeSet;

use model::{AccountId, DirectoryGroupId};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select,
};
use serde_json::json;

use super::{
    caller::DirectoryCaller,
    filter::{FoundPart, GroupTerm, Slice},
    group_name::DirectoryGroupName,
    group_rows::{self, DirectoryGroup, name_of},
    person, refusals,
    rule::DirectoryRule,
    standing::settle,
    user_rows,
};
use crate::{
    Result,
    audit::entry::{self, Entry},
    caseload::Directory,
    entity::directory::{
        group::{Column, Entity},
        member,
    },
};

/// The most members in one answer to a list, unless the first group has more by itself.
const MEMBERS: u64 = 20_000;

/// One change of a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GroupEdit {
    Name(String),
    ExternalId(Option<String>),
    Add(Vec<AccountId>),
    Remove(Vec<AccountId>),
    /// These and nobody else.
    Members(Vec<AccountId>),
}

impl Directory<'_> {
    /// The groups that are all of this, in a steady order; with their members if those are wanted, of whom one answer has so many: then it
    /// has fewer groups, and the directory asks on from there.
    pub async fn groups(
        self,
        _: &DirectoryCaller,
        terms: &[GroupTerm],
        slice: Slice,
        with_members: bool,
    ) -> Result<FoundPart<DirectoryGroup>> {
        let reader = self.0.db().reader();
        let found = terms.iter().fold(Entity::find(), narrowed);
        let total = found.clone().count(reader).await?;
        if slice.most == 0 || slice.skip >= total {
            return Ok(FoundPart { total, items: Vec::new() });
        }
        let mut rows = found.order_by_asc(Column::Id).offset(slice.skip).limit(slice.most).all(reader).await?;
        if with_members {
            let sizes = group_rows::sizes(reader, &rows).await?;
            rows.truncate(group_rows::fitting(&sizes, MEMBERS));
        }
        Ok(FoundPart { total, items: group_rows::read(reader, rows, with_members).await? })
    }

    /// One group.
    pub async fn group(self, _: &DirectoryCaller, id: DirectoryGroupId, with_members: bool) -> Result<DirectoryGroup> {
        let reader = self.0.db().reader();
        let found = Entity::find_by_id(id).one(reader).await?.ok_or_else(refusals::no_group)?;
        let read = group_rows::read(reader, vec![found], with_members).await?.pop();
        Ok(read.ok_or_else(refusals::no_group)?)
    }

    /// Adds a group, with those who are in it.
    pub async fn add_group(
        self,
        caller: &DirectoryCaller,
        rule: &DirectoryRule,
        name: DirectoryGroupName,
        members: Vec<AccountId>,
    ) -> Result<DirectoryGroup> {
        let name = name.checked()?;
        let (db, txn, id) = (self.0.db(), self.0.db().begin_write().await?, queue::new_id::<DirectoryGroupId>());
        if group_rows::of_name(&txn, &name.display_name).await?.is_some() {
            return Err(refusals::group_taken(&name.display_name).into());
        }
        let most = rule.bounds.groups;
        if Entity::find().count(&txn).await? >= u64::from(most) {
            return Err(refusals::too_many("groups", most, "scim.groups").into());
        }
        let insert = group_rows::insert(db, &txn, id, &name).await;
        insert.map_err(|error| refusals::named_meanwhile(error, &name.display_name))?;
        self.note(&txn, caller, "directory.group_add", id, json!({ "name": name.display_name })).await?;
        self.edit(&txn, caller, rule, id, vec![GroupEdit::Members(members)]).await?;
        let rows = Entity::find_by_id(id).all(&txn).await?;
        let read = group_rows::read(&txn, rows, true).await?.pop();
        db.commit(txn).await?;
        Ok(read.ok_or_else(refusals::no_group)?)
    }

    /// Changes a group, one thing after the other; `known` is the version that the directory has read, if it says so.
    pub async fn change_group(
        self,
        caller: &DirectoryCaller,
        rule: &DirectoryRule,
        (id, known): (DirectoryGroupId, Option<i64>),
        edits: Vec<GroupEdit>,
    ) -> Result<()> {
        let txn = self.0.db().begin_write().await?;
        self.unchanged_group(&txn, id, known).await?;
        self.edit(&txn, caller, rule, id, edits).await?;
        Ok(self.0.db().commit(txn).await?)
    }

    /// Deletes a group. Whoever was in it has the role that follows without it.
    pub async fn remove_group(
        self,
        caller: &DirectoryCaller,
        rule: &DirectoryRule,
        (id, known): (DirectoryGroupId, Option<i64>),
    ) -> Result<()> {
        let (db, txn) = (self.0.db(), self.0.db().begin_write().await?);
        let name = self.unchanged_group(&txn, id, known).await?;
        let members = group_rows::member_ids(&txn, id).await?;
        group_rows::remove_members(db, &txn, id, &members).await?;
        group_rows::remove(db, &txn, id).await?;
        self.note(&txn, caller, "directory.group_remove", id, json!({ "name": name.display_name })).await?;
        if rule.is_of_a_role(&name.display_name) {
            self.settle_all(&txn, caller, rule, members).await?;
        }
        Ok(db.commit(txn).await?)
    }

    async fn edit(
        self,
        txn: &impl ConnectionTrait,
        caller: &DirectoryCaller,
        rule: &DirectoryRule,
        id: DirectoryGroupId,
        edits: Vec<GroupEdit>,
    ) -> Result<()> {
        let db = self.0.db();
        let row = group_rows::locked(txn, id).await?.ok_or_else(refusals::no_group)?;
        let before = name_of(&row);
        let were: BTreeSet<AccountId> = group_rows::member_ids(txn, id).await?.into_iter().collect();
        let (mut name, mut are) = (before.clone(), were.clone());
        for edit in edits {
            match edit {
                GroupEdit::Name(display_name) => name.display_name = display_name,
                GroupEdit::ExternalId(external_id) => name.external_id = external_id,
                GroupEdit::Add(people) => are.extend(people),
                GroupEdit::Remove(people) => {
                    for person in &people {
                        are.remove(person);
                    }
                }
                GroupEdit::Members(people) => are = people.into_iter().collect(),
            }
            if are.len() > rule.bounds.members as usize {
                return Err(refusals::too_many("members", rule.bounds.members, "scim.members").into());
            }
        }
        let name = name.checked()?;
        let is_renamed = person::name_key(&name.display_name) != person::name_key(&before.display_name);
        if is_renamed && group_rows::of_name(txn, &name.display_name).await?.is_some() {
            return Err(refusals::group_taken(&name.display_name).into());
        }
        let (added, gone): (Vec<_>, Vec<_>) =
            (are.difference(&were).copied().collect(), were.difference(&are).copied().collect());
        let known = group_rows::user_names(txn, added.iter().copied()).await?;
        if let Some(unknown) = added.iter().find(|id| !known.contains_key(id)) {
            return Err(refusals::no_member(*unknown).into());
        }
        if name == before && added.is_empty() && gone.is_empty() {
            return Ok(());
        }
        let detail = json!({ "name": name.display_name, "added": added.len(), "removed": gone.len() });
        let makes_roles = rule.is_of_a_role(&before.display_name) || rule.is_of_a_role(&name.display_name);
        let touched: Vec<AccountId> = match (makes_roles, name.display_name == before.display_name) {
            (false, _) => Vec::new(),
            (true, true) => added.iter().chain(&gone).copied().collect(),
            (true, false) => were.union(&are).copied().collect(),
        };
        // A member that is written holds the row of its user, which another group's change may be about to lock: before that, all of them
        // are locked in their order.
        user_rows::lock_all(txn, touched.iter().copied()).await?;
        let update = group_rows::update(db, txn, id, &name).await;
        update.map_err(|error| refusals::named_meanwhile(error, &name.display_name))?;
        group_rows::add_members(db, txn, id, &added).await?;
        group_rows::remove_members(db, txn, id, &gone).await?;
        self.note(txn, caller, "directory.group_change", id, detail).await?;
        self.settle_all(txn, caller, rule, touched).await
    }

    /// In one order for all, so that two who do so do not wait for each other.
    async fn settle_all(
        self,
        txn: &impl ConnectionTrait,
        caller: &DirectoryCaller,
        rule: &DirectoryRule,
        mut people: Vec<AccountId>,
    ) -> Result<()> {
        people.sort_unstable();
        for person in people {
            settle(self.0.db(), txn, (rule, self.0.passwords()), caller, person).await?;
        }
        Ok(())
    }

    async fn unchanged_group(
        self,
        txn: &impl ConnectionTrait,
        id: DirectoryGroupId,
        known: Option<i64>,
    ) -> Result<DirectoryGroupName> {
        let row = group_rows::locked(txn, id).await?.ok_or_else(refusals::no_group)?;
        match known.is_some_and(|known| known != row.version) {
            true => Err(refusals::changed_since().into()),
            false => Ok(name_of(&row)),
        }
    }

    async fn note(
        self,
        txn: &impl ConnectionTrait,
        caller: &DirectoryCaller,
        action: &str,
        id: DirectoryGroupId,
        detail: serde_json::Value,
    ) -> Result<()> {
        let object_id = Some(id.to_string());
        let entry = Entry { by: caller.by(), action, object_kind: "directory", object_id, detail };
        Ok(entry::record(self.0.db(), txn, entry).await?)
    }
}

fn narrowed(found: Select<Entity>, term: &GroupTerm) -> Select<Entity> {
    match term {
        GroupTerm::Id(id) => found.filter(Column::Id.eq(*id)),
        GroupTerm::ExternalId(id) => found.filter(Column::ExternalId.eq(id.as_str())),
        GroupTerm::DisplayName(name) => found.filter(Column::NameKey.eq(person::name_key(name))),
        GroupTerm::Member(person) => {
            let groups = member::Entity::find().select_only().column(member::Column::GroupId);
            let groups = groups.filter(member::Column::PersonId.eq(*person)).into_query();
            found.filter(Column::Id.in_subquery(groups))
        }
        // There is none of no version.
        GroupTerm::NoGroup => found.filter(Column::Version.eq(0_i64)),
    }
}
