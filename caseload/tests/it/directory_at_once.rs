//! The directory as it asks for several things at once, and for much.

use caseload::directory::{DirectoryCaller, DirectoryGroupName, DirectoryPerson, DirectoryRule, GroupEdit, Slice};
use caseload::tokens::days;
use model::{AccountId, DirectoryGroupId, Problem, Role};
use testkit::On;

use crate::college::College;

testkit::on_both!(
    two_groups_that_change_at_once_do_not_wait_for_each_other,
    of_two_groups_of_one_name_at_once_one_is_there,
    of_two_users_who_are_renamed_alike_at_once_one_is,
    users_who_are_in_very_many_groups_are_listed,
    groups_with_very_many_members_are_listed_a_few_at_a_time,
);

struct Provisioned {
    c: College,
    caller: DirectoryCaller,
    rule: DirectoryRule,
}

impl Provisioned {
    async fn of(on: On, rule: DirectoryRule) -> Provisioned {
        let c = College::of(on, 0).await;
        let directory = c.caseload.directory();
        let token = directory.issue_token("Entra ID", days(30)).await.unwrap();
        let caller = directory.caller(&token, None).await.unwrap().unwrap();
        Provisioned { c, caller, rule }
    }

    async fn users(&self, count: usize) -> Vec<AccountId> {
        let mut users = Vec::with_capacity(count);
        for n in 0..count {
            let person = DirectoryPerson { user_name: format!("user{n}"), active: true, ..DirectoryPerson::default() };
            users.push(self.c.caseload.directory().add_user(&self.caller, &self.rule, person).await.unwrap().id);
        }
        users
    }

    async fn group(&self, name: &str) -> Result<DirectoryGroupId, Problem> {
        let name = DirectoryGroupName { display_name: name.to_owned(), external_id: None };
        let added = self.c.caseload.directory().add_group(&self.caller, &self.rule, name, Vec::new()).await;
        added.map(|group| group.id).map_err(Problem::from)
    }

    async fn edit(&self, id: DirectoryGroupId, edit: GroupEdit) -> Result<(), Problem> {
        let edited = self.c.caseload.directory().change_group(&self.caller, &self.rule, (id, None), vec![edit]).await;
        edited.map_err(Problem::from)
    }

    async fn rename(&self, id: AccountId, user_name: &str) -> Result<(), Problem> {
        let renamed = self.c.caseload.directory().change_user(&self.caller, &self.rule, (id, None), |person| {
            Ok(DirectoryPerson { user_name: user_name.to_owned(), ..person })
        });
        renamed.await.map(drop).map_err(Problem::from)
    }
}

/// Each held the rows of the users that the other one needed, and one of them was told that the database is away.
async fn two_groups_that_change_at_once_do_not_wait_for_each_other(on: On) {
    let roles = vec![(Role::Manager, vec!["Deans".to_owned()]), (Role::Coach, vec!["Coaches".to_owned()])];
    let p = Provisioned::of(on, DirectoryRule { roles, ..DirectoryRule::default() }).await;
    let users = p.users(10).await;
    let (deans, coaches) = (p.group("Deans").await.unwrap(), p.group("Coaches").await.unwrap());
    for _ in 0..10 {
        for edit in [GroupEdit::Add(users.clone()), GroupEdit::Members(Vec::new())] {
            let (one, other) = tokio::join!(p.edit(deans, edit.clone()), p.edit(coaches, edit));
            assert_eq!((one, other), (Ok(()), Ok(())));
        }
    }
}

async fn of_two_groups_of_one_name_at_once_one_is_there(on: On) {
    let p = Provisioned::of(on, DirectoryRule::default()).await;
    for n in 0..10 {
        let name = format!("Deans {n}");
        let (one, other) = tokio::join!(p.group(&name), p.group(&name));
        let refused: Vec<String> =
            [one, other].into_iter().filter_map(Result::err).map(|problem| problem.code).collect();
        assert_eq!(refused, ["taken"]);
        let (one, other) = (p.group(&format!("a{n}")).await.unwrap(), p.group(&format!("b{n}")).await.unwrap());
        let name = GroupEdit::Name(format!("Success {n}"));
        let (one, other) = tokio::join!(p.edit(one, name.clone()), p.edit(other, name));
        let refused: Vec<String> =
            [one, other].into_iter().filter_map(Result::err).map(|problem| problem.code).collect();
        assert_eq!(refused, ["taken"]);
    }
}

async fn of_two_users_who_are_renamed_alike_at_once_one_is(on: On) {
    let p = Provisioned::of(on, DirectoryRule::default()).await;
    let users = p.users(2).await;
    for n in 0..10 {
        let name = format!("ana{n}");
        let (one, other) = tokio::join!(p.rename(users[0], &name), p.rename(users[1], &name));
        let refused: Vec<String> =
            [one, other].into_iter().filter_map(Result::err).map(|problem| problem.code).collect();
        assert_eq!(refused, ["taken"]);
    }
}

/// Each membership was named in one statement, which has no room for so many.
async fn users_who_are_in_very_many_groups_are_listed(on: On) {
    let p = Provisioned::of(on, DirectoryRule::default()).await;
    p.users(200).await;
    for n in 0..330 {
        p.group(&format!("Group {n}")).await.unwrap();
    }
    let all = "INSERT INTO directory_member (group_id, person_id)
        SELECT g.id, u.person_id FROM directory_group g CROSS JOIN directory_user u";
    p.c.write(all, []).await;
    let page = p.c.caseload.directory().users(&p.caller, &[], Slice { skip: 0, most: 200 }).await.unwrap();
    assert_eq!(page.items.len(), 200);
    assert!(page.items.iter().all(|user| user.groups.len() == 330 && user.groups.is_sorted_by_key(|group| &group.1)));
}

/// An answer had all members of all its groups, which may be millions.
async fn groups_with_very_many_members_are_listed_a_few_at_a_time(on: On) {
    let p = Provisioned::of(on, DirectoryRule::default()).await;
    p.users(200).await;
    for n in 0..110 {
        p.group(&format!("Group {n}")).await.unwrap();
    }
    let all = "INSERT INTO directory_member (group_id, person_id)
        SELECT g.id, u.person_id FROM directory_group g CROSS JOIN directory_user u";
    p.c.write(all, []).await;
    let listed = async |skip, with_members| {
        let found =
            p.c.caseload.directory().groups(&p.caller, &[], Slice { skip, most: 200 }, with_members).await.unwrap();
        (found.total, found.items.len())
    };
    assert_eq!(listed(0, true).await, (110, 100));
    assert_eq!(listed(100, true).await, (110, 10));
    assert_eq!(listed(0, false).await, (110, 110));
}
