//! The directory as it asks for several things at once, and for much.

use caseload::directory::{DirectoryRule, GroupEdit, Slice};
use model::{AccountId, Problem, Role};
use testkit::On;

use crate::directory::{Provisioned, called};

testkit::on_both!(
    two_groups_that_change_at_once_do_not_wait_for_each_other,
    of_two_groups_of_one_name_at_once_one_is_there,
    of_two_users_who_are_renamed_alike_at_once_one_is,
    users_who_are_in_very_many_groups_are_listed,
    groups_with_very_many_members_are_listed_a_few_at_a_time,
);

/// So many users.
async fn users(p: &Provisioned, count: usize) -> Vec<AccountId> {
    let mut users = Vec::with_capacity(count);
    for n in 0..count {
        users.push(p.add(called(&format!("user{n}"))).await.unwrap().id);
    }
    users
}

/// Each of whom is in each of so many groups.
async fn in_groups(p: &Provisioned, count: usize) {
    for n in 0..count {
        p.group(&format!("Group {n}"), &[]).await.unwrap();
    }
    let all = "INSERT INTO directory_member (group_id, person_id)
        SELECT g.id, u.person_id FROM directory_group g CROSS JOIN directory_user u";
    p.c.write(all, []).await;
}

/// The codes of what was refused.
fn refused<T>(answers: [Result<T, Problem>; 2]) -> Vec<String> {
    answers.into_iter().filter_map(Result::err).map(|problem| problem.code).collect()
}

/// Each held the rows of the users that the other one needed, and one of them was told that the database is away.
async fn two_groups_that_change_at_once_do_not_wait_for_each_other(on: On) {
    let roles = vec![(Role::Manager, vec!["Deans".to_owned()]), (Role::Coach, vec!["Coaches".to_owned()])];
    let p = Provisioned::of(on, 0, DirectoryRule { roles, ..DirectoryRule::default() }).await;
    let people = users(&p, 10).await;
    let (deans, coaches) = (p.group("Deans", &[]).await.unwrap(), p.group("Coaches", &[]).await.unwrap());
    for _ in 0..10 {
        for edit in [GroupEdit::Add(people.clone()), GroupEdit::Members(Vec::new())] {
            let (one, other) = tokio::join!(p.edit(deans, edit.clone()), p.edit(coaches, edit));
            assert_eq!((one, other), (Ok(()), Ok(())));
        }
    }
}

async fn of_two_groups_of_one_name_at_once_one_is_there(on: On) {
    let p = Provisioned::of(on, 0, DirectoryRule::default()).await;
    for n in 0..10 {
        let name = format!("Deans {n}");
        let (one, other) = tokio::join!(p.group(&name, &[]), p.group(&name, &[]));
        assert_eq!(refused([one, other]), ["taken"]);
        let one = p.group(&format!("a{n}"), &[]).await.unwrap();
        let other = p.group(&format!("b{n}"), &[]).await.unwrap();
        let name = GroupEdit::Name(format!("Success {n}"));
        let (one, other) = tokio::join!(p.edit(one, name.clone()), p.edit(other, name));
        assert_eq!(refused([one, other]), ["taken"]);
    }
}

async fn of_two_users_who_are_renamed_alike_at_once_one_is(on: On) {
    let p = Provisioned::of(on, 0, DirectoryRule::default()).await;
    let both = users(&p, 2).await;
    for n in 0..10 {
        let rename = |id| p.change(id, move |person| person.user_name = format!("ana{n}"));
        let (one, other) = tokio::join!(rename(both[0]), rename(both[1]));
        assert_eq!(refused([one, other]), ["taken"]);
    }
}

/// Each membership was named in one statement, which has no room for so many.
async fn users_who_are_in_very_many_groups_are_listed(on: On) {
    let p = Provisioned::of(on, 0, DirectoryRule::default()).await;
    users(&p, 200).await;
    in_groups(&p, 330).await;
    let page = p.c.caseload.directory().users(&p.caller, &[], Slice { skip: 0, most: 200 }).await.unwrap();
    assert_eq!(page.items.len(), 200);
    assert!(page.items.iter().all(|user| user.groups.len() == 330 && user.groups.is_sorted_by_key(|group| &group.1)));
}

/// An answer had all members of all its groups, which may be millions.
async fn groups_with_very_many_members_are_listed_a_few_at_a_time(on: On) {
    let p = Provisioned::of(on, 0, DirectoryRule::default()).await;
    users(&p, 200).await;
    in_groups(&p, 110).await;
    let listed = async |skip, with_members| {
        let found =
            p.c.caseload.directory().groups(&p.caller, &[], Slice { skip, most: 200 }, with_members).await.unwrap();
        (found.total, found.items.len())
    };
    assert_eq!(listed(0, true).await, (110, 100));
    assert_eq!(listed(100, true).await, (110, 10));
    assert_eq!(listed(0, false).await, (110, 110));
}
