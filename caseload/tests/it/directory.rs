//! Staff whom the directory of the institution provisions: whose account a user gets, who is let in, and what groups make of them.

use std::time::Duration;

use caseload::{
    Caseload, Exports, Limits, NewToken, PasswordRule,
    directory::{
        DirectoryBounds, DirectoryCaller, DirectoryGroupName, DirectoryPerson, DirectoryRule, DirectoryUser, GroupEdit,
        GroupTerm, Slice, UserTerm,
    },
    files::Files,
    mail::Mail,
    tokens::days,
};
use model::{
    AccountId, Problem, ProgramStatus, Role, Submission, Target, TaskState,
    account::{LinkBy, TokenScope},
};
use queue::{Queue, Settings};
use testkit::On;

use crate::college::{College, PASSWORD, program, set};

testkit::on_both!(
    a_token_opens_the_door_until_it_is_revoked_or_over,
    whom_the_directory_adds_has_an_account_without_a_password,
    an_account_that_is_there_becomes_a_users_as_the_settings_say,
    whoever_is_deactivated_is_out_at_once_and_in_again_when_the_directory_says_so,
    whom_an_administrator_has_disabled_stays_so_whatever_the_directory_says,
    who_is_deleted_keeps_the_account_and_comes_back_to_it,
    what_has_changed_since_is_not_overwritten,
    a_name_that_changes_is_theirs_everywhere,
    groups_make_the_highest_role_and_without_one_nobody_comes_in,
    a_group_has_a_name_of_its_own_and_users_alone,
    users_and_groups_are_found_by_each_of_their_names,
    no_directory_takes_the_account_for_emergencies,
    the_directory_has_no_more_than_it_may,
    what_runs_stops_at_its_next_chunk_and_what_waits_stands_still,
    the_first_account_of_all_is_no_directorys,
);

const ALL: Slice = Slice { skip: 0, most: 100 };

/// The directory, by a token.
async fn known(caseload: &Caseload) -> DirectoryCaller {
    let token = caseload.directory().issue_token("Entra ID", days(30)).await.unwrap();
    caseload.directory().caller(&token, None).await.unwrap().unwrap()
}

fn ana() -> DirectoryPerson {
    DirectoryPerson {
        user_name: "Ana@north.example".to_owned(),
        external_id: Some("e-1".to_owned()),
        given_name: Some("Ana".to_owned()),
        family_name: Some("van Dyke".to_owned()),
        display_name: Some("Ana van Dyke".to_owned()),
        email: Some("ana@north.example".to_owned()),
        active: true,
    }
}

pub fn called(user_name: &str) -> DirectoryPerson {
    DirectoryPerson { user_name: user_name.to_owned(), active: true, ..DirectoryPerson::default() }
}

/// Where groups make roles.
fn by_groups() -> DirectoryRule {
    let of = |role: Role, groups: &[&str]| (role, groups.iter().map(|group| (*group).to_owned()).collect());
    let roles = vec![of(Role::Administrator, &["IT"]), of(Role::Manager, &["Deans", "Success"]), of(Role::Coach, &[])];
    DirectoryRule { roles, ..DirectoryRule::default() }
}

/// The test's own directory.
pub struct Provisioned {
    pub c: College,
    pub caller: DirectoryCaller,
    pub rule: DirectoryRule,
}

impl Provisioned {
    pub async fn of(on: On, people: u64, rule: DirectoryRule) -> Provisioned {
        let c = College::of(on, people).await;
        let caller = known(&c.caseload).await;
        Provisioned { c, caller, rule }
    }

    pub async fn add(&self, person: DirectoryPerson) -> Result<DirectoryUser, Problem> {
        self.c.caseload.directory().add_user(&self.caller, &self.rule, person).await.map_err(Problem::from)
    }

    pub async fn change(
        &self,
        id: AccountId,
        change: impl FnOnce(&mut DirectoryPerson) + Send,
    ) -> Result<DirectoryUser, Problem> {
        let changed = self.c.caseload.directory().change_user(&self.caller, &self.rule, (id, None), |mut person| {
            change(&mut person);
            Ok(person)
        });
        changed.await.map_err(Problem::from)
    }

    async fn set_active(&self, id: AccountId, active: bool) {
        self.change(id, |person| person.active = active).await.unwrap();
    }

    pub async fn group(&self, name: &str, members: &[AccountId]) -> Result<model::DirectoryGroupId, Problem> {
        let name = DirectoryGroupName { display_name: name.to_owned(), external_id: None };
        let added = self.c.caseload.directory().add_group(&self.caller, &self.rule, name, members.to_vec()).await;
        added.map(|group| group.id).map_err(Problem::from)
    }

    pub async fn edit(&self, id: model::DirectoryGroupId, edit: GroupEdit) -> Result<(), Problem> {
        let edited = self.c.caseload.directory().change_group(&self.caller, &self.rule, (id, None), vec![edit]).await;
        edited.map_err(Problem::from)
    }

    /// The role of an account, and whether it is disabled.
    async fn stands(&self, id: AccountId) -> (Role, bool) {
        let user = self.c.caseload.users().get(&self.c.administrator, id).await.unwrap();
        (user.role, user.disabled)
    }

    async fn of_action(&self, action: &str) -> i64 {
        self.c.count("SELECT COUNT(*) FROM audit WHERE action = $1", [action.into()]).await
    }
}

async fn a_token_opens_the_door_until_it_is_revoked_or_over(on: On) {
    let c = College::of(on, 0).await;
    let directory = c.caseload.directory();
    let token = directory.issue_token(" Entra ID ", days(30)).await.unwrap();
    let opens = async |token: &str| directory.caller(token, None).await.unwrap().is_some();
    assert!(opens(&token).await);
    assert!(!opens(&token[..token.len() - 1]).await && !opens("").await && !opens(&"x".repeat(9_999)).await);
    let of_coach = NewToken::new("x", TokenScope::Administer);
    assert!(!opens(&c.caseload.by_command().issue_for("admin", of_coach).await.unwrap()).await, "an account’s own");
    let tokens = directory.tokens().await.unwrap();
    assert_eq!((tokens[0].name.as_str(), tokens[0].used_date.is_some(), tokens.len()), ("Entra ID", true, 1));
    let kept = "SELECT COUNT(*) FROM directory_token WHERE token_hash = $1";
    assert_eq!(c.count(kept, [token.as_str().into()]).await, 0, "only the hash is kept");
    c.test.clock.advance(Duration::from_secs(31 * 86_400));
    assert!(!opens(&token).await);
    let next = directory.issue_token("Okta", days(30)).await.unwrap();
    assert_eq!(directory.revoke_tokens("Okta").await.unwrap(), 1);
    assert_eq!(directory.revoke_tokens("Okta").await.unwrap(), 0);
    assert!(!opens(&next).await);
    assert!(directory.issue_token("", days(30)).await.is_err());
    assert!(directory.issue_token("x", days(366)).await.is_err());
    let noted = "SELECT COUNT(*) FROM audit WHERE action LIKE 'directory.token%' AND credential = 'command'";
    assert_eq!(c.count(noted, []).await, 3);
}

async fn whom_the_directory_adds_has_an_account_without_a_password(on: On) {
    let p = Provisioned::of(on, 0, DirectoryRule::default()).await;
    let user = p.add(ana()).await.unwrap();
    assert_eq!((user.version, user.person.user_name.as_str()), (1, "Ana@north.example"));
    let account = p.c.caseload.users().get(&p.c.administrator, user.id).await.unwrap();
    assert_eq!((account.username.as_str(), account.name.as_str()), ("ana@north.example", "Ana van Dyke"));
    assert_eq!(p.stands(user.id).await, (Role::Coach, false));
    assert!(p.c.caseload.accounts().sign_in("ana@north.example", PASSWORD, None).await.is_err());
    let person = "SELECT COUNT(*) FROM person WHERE first_name = 'Ana' AND last_name = 'van Dyke' AND NOT student";
    assert_eq!(p.c.count(person, []).await, 1);
    let by_token = "SELECT COUNT(*) FROM audit WHERE action = 'account.add' AND credential LIKE 'directory:%'";
    assert_eq!(p.c.count(by_token, []).await, 1);
    // Another time it is there already, whatever the capitals.
    let again = p.add(called("ANA@north.example")).await.unwrap_err();
    assert_eq!((again.status, again.code.as_str()), (409, "taken"));
    let wrong = p.add(called("ana reyes")).await.unwrap_err();
    assert_eq!((wrong.status, wrong.errors[0].field.as_str()), (400, "userName"));
    assert!(p.add(DirectoryPerson { active: false, ..called("bo") }).await.is_ok());
    assert_eq!(p.c.count("SELECT COUNT(*) FROM account WHERE username = 'bo' AND disabled", []).await, 1);
}

async fn an_account_that_is_there_becomes_a_users_as_the_settings_say(on: On) {
    let by = |link_by| DirectoryRule { link_by, ..DirectoryRule::default() };
    let mut p = Provisioned::of(on, 0, by(LinkBy::Nothing)).await;
    assert_eq!(p.add(called("coach")).await.unwrap_err().code, "taken");
    p.rule = by(LinkBy::Username);
    // Whom a search takes for the same is somebody else.
    assert_eq!(p.add(called("c\u{f6}ach")).await.unwrap_err().code, "taken");
    assert_eq!(p.add(called("Coach")).await.unwrap().id, p.c.coach.person_id);
    let still = p.c.caseload.accounts().sign_in("coach", PASSWORD, None).await.unwrap();
    assert_eq!(still.role, Role::Coach, "the password stays");
    let sql = "UPDATE person SET primary_email = 'mia@north.example', email_key = 'mia@north.example' WHERE id = $1";
    p.c.write(sql, [p.c.other_coach.person_id.into()]).await;
    let mia = DirectoryPerson { email: Some("Mia@north.example".to_owned()), ..called("mia") };
    p.rule = by(LinkBy::Email);
    assert_eq!(p.add(mia).await.unwrap().id, p.c.other_coach.person_id);
    assert_eq!(p.of_action("directory.join").await, 2);
}

async fn whoever_is_deactivated_is_out_at_once_and_in_again_when_the_directory_says_so(on: On) {
    let p = Provisioned::of(on, 0, DirectoryRule::default()).await;
    let coach = p.add(called("coach")).await.unwrap().id;
    let token = NewToken::new("x", TokenScope::Read);
    let token = p.c.caseload.by_command().issue_for("coach", token).await.unwrap();
    p.set_active(coach, false).await;
    assert_eq!(p.stands(coach).await, (Role::Coach, true));
    assert!(p.c.at_next_request(coach, 0).await.is_none());
    assert!(p.c.caseload.tokens().actor_of(&token, TokenScope::Read, None).await.unwrap().is_none());
    assert!(p.c.caseload.accounts().sign_in("coach", PASSWORD, None).await.is_err());
    p.set_active(coach, false).await;
    assert_eq!(p.of_action("account.disable").await, 1, "once");
    p.set_active(coach, true).await;
    assert_eq!(p.stands(coach).await, (Role::Coach, false));
    assert!(p.c.at_next_request(coach, 0).await.is_none(), "a session of before is over");
    let by_token = "SELECT COUNT(*) FROM audit WHERE action = 'account.enable' AND credential LIKE 'directory:%'";
    assert_eq!(p.c.count(by_token, []).await, 1);
}

async fn whom_an_administrator_has_disabled_stays_so_whatever_the_directory_says(on: On) {
    let p = Provisioned::of(on, 0, DirectoryRule::default()).await;
    let coach = p.add(called("coach")).await.unwrap().id;
    p.c.caseload.users().disable(&p.c.administrator, coach, "left").await.unwrap();
    p.set_active(coach, false).await;
    p.set_active(coach, true).await;
    assert_eq!(p.stands(coach).await, (Role::Coach, true));
    // Also where the directory had done so before.
    let other = p.add(called("other")).await.unwrap().id;
    p.set_active(other, false).await;
    p.c.caseload.by_command().disable("other").await.unwrap();
    p.set_active(other, true).await;
    assert_eq!(p.stands(other).await, (Role::Coach, true));
}

async fn who_is_deleted_keeps_the_account_and_comes_back_to_it(on: On) {
    let mut p = Provisioned::of(on, 0, DirectoryRule::default()).await;
    let user = p.add(ana()).await.unwrap().id;
    p.c.caseload.directory().remove_user(&p.caller, &p.rule, (user, None)).await.unwrap();
    assert_eq!(p.stands(user).await, (Role::Coach, true));
    let gone = p.c.caseload.directory().user(&p.caller, user).await.map_err(Problem::from).unwrap_err();
    assert_eq!(gone.status, 404);
    assert_eq!(p.change(user, |_| {}).await.unwrap_err().status, 404);
    assert_eq!(p.c.caseload.directory().users(&p.caller, &[], ALL).await.unwrap().total, 0);
    p.rule.link_by = LinkBy::Nothing;
    let back = p.add(ana()).await.unwrap();
    assert_eq!((back.id, p.stands(user).await), (user, (Role::Coach, false)));
}

async fn what_has_changed_since_is_not_overwritten(on: On) {
    let p = Provisioned::of(on, 0, DirectoryRule::default()).await;
    let user = p.add(ana()).await.unwrap();
    let named = async |version: Option<i64>, name: &str| {
        let change = |person| Ok(DirectoryPerson { display_name: Some(name.to_owned()), ..person });
        let changed = p.c.caseload.directory().change_user(&p.caller, &p.rule, (user.id, version), change).await;
        changed.map(|user| user.version).map_err(|error| Problem::from(error).status)
    };
    assert_eq!(named(Some(1), "A").await, Ok(2));
    assert_eq!(named(Some(1), "B").await, Err(412));
    assert_eq!(named(None, "A").await, Ok(2), "nothing has changed");
    let gone = p.c.caseload.directory().remove_user(&p.caller, &p.rule, (user.id, Some(1))).await;
    assert_eq!(Problem::from(gone.unwrap_err()).status, 412);
}

async fn a_name_that_changes_is_theirs_everywhere(on: On) {
    let p = Provisioned::of(on, 0, DirectoryRule::default()).await;
    let user = p.add(ana()).await.unwrap().id;
    p.change(user, |person| {
        person.user_name = "ana.lund@north.example".to_owned();
        person.family_name = Some("Lund".to_owned());
    })
    .await
    .unwrap();
    let account = p.c.caseload.users().get(&p.c.administrator, user).await.unwrap();
    assert_eq!((account.username.as_str(), account.name.as_str()), ("ana.lund@north.example", "Ana Lund"));
    let taken = p.change(user, |person| person.user_name = "coach".to_owned()).await.unwrap_err();
    assert_eq!((taken.status, taken.code.as_str()), (409, "taken"));
    let noted = "SELECT COUNT(*) FROM audit WHERE action = 'directory.change' AND detail LIKE '%familyName%'
                 AND detail NOT LIKE '%Lund%'";
    assert_eq!(p.c.count(noted, []).await, 1, "which fields, and not what they hold");
}

async fn groups_make_the_highest_role_and_without_one_nobody_comes_in(on: On) {
    let p = Provisioned::of(on, 0, by_groups()).await;
    let coach = p.add(called("coach")).await.unwrap().id;
    assert_eq!(p.stands(coach).await, (Role::Coach, true), "a group is needed");
    let deans = p.group("Deans", &[coach]).await.unwrap();
    assert_eq!(p.stands(coach).await, (Role::Manager, false));
    let it = p.group("IT", &[]).await.unwrap();
    p.edit(it, GroupEdit::Add(vec![coach])).await.unwrap();
    assert_eq!(p.stands(coach).await, (Role::Administrator, false));
    p.edit(it, GroupEdit::Remove(vec![coach])).await.unwrap();
    assert_eq!(p.stands(coach).await, (Role::Manager, false));
    p.edit(deans, GroupEdit::Name("Former deans".to_owned())).await.unwrap();
    assert_eq!(p.stands(coach).await, (Role::Manager, true));
    p.edit(deans, GroupEdit::Name("Success".to_owned())).await.unwrap();
    assert_eq!(p.stands(coach).await, (Role::Manager, false));
    p.edit(deans, GroupEdit::Members(Vec::new())).await.unwrap();
    assert_eq!(p.stands(coach).await, (Role::Manager, true));
    p.edit(deans, GroupEdit::Members(vec![coach])).await.unwrap();
    p.set_active(coach, false).await;
    assert_eq!(p.stands(coach).await, (Role::Manager, true), "a group opens nothing for whoever is not active");
    p.set_active(coach, true).await;
    p.c.caseload.directory().remove_group(&p.caller, &p.rule, (deans, None)).await.unwrap();
    assert_eq!(p.stands(coach).await, (Role::Manager, true));
}

async fn a_group_has_a_name_of_its_own_and_users_alone(on: On) {
    let p = Provisioned::of(on, 0, DirectoryRule::default()).await;
    let user = p.add(ana()).await.unwrap().id;
    let deans = p.group("Deans", &[user]).await.unwrap();
    assert_eq!(p.group("DEANS", &[]).await.unwrap_err().code, "taken");
    assert_eq!(p.group(" ", &[]).await.unwrap_err().errors[0].field, "displayName");
    // Who has an account and is no user of the directory is nobody to it.
    let stranger = p.edit(deans, GroupEdit::Add(vec![p.c.manager.person_id])).await.unwrap_err();
    assert_eq!((stranger.status, stranger.errors[0].field.as_str()), (400, "members"));
    p.edit(deans, GroupEdit::Remove(vec![p.c.manager.person_id])).await.unwrap();
    let group = p.c.caseload.directory().group(&p.caller, deans, true).await.unwrap();
    assert_eq!((group.version, group.members), (2, vec![(user, "Ana@north.example".to_owned())]));
    assert_eq!(p.stands(user).await, (Role::Coach, false), "no group makes a role here");
    let theirs = p.c.caseload.directory().user(&p.caller, user).await.unwrap();
    assert_eq!(theirs.groups, [(deans, "Deans".to_owned())]);
}

async fn users_and_groups_are_found_by_each_of_their_names(on: On) {
    let p = Provisioned::of(on, 0, DirectoryRule::default()).await;
    let user = p.add(ana()).await.unwrap().id;
    for name in ["bo", "cy"] {
        p.add(called(name)).await.unwrap();
    }
    let directory = p.c.caseload.directory();
    let users = async |terms: &[UserTerm]| directory.users(&p.caller, terms, ALL).await.unwrap().total;
    let name = |name: &str| UserTerm::UserName(name.to_owned());
    assert_eq!(users(&[]).await, 3, "no account that is no user of the directory is among them");
    assert_eq!([users(&[name("aNA@north.example")]).await, users(&[name("coach")]).await], [1, 0]);
    assert_eq!(users(&[UserTerm::ExternalId("e-1".to_owned()), name("ana@north.example")]).await, 1);
    assert_eq!(users(&[UserTerm::ExternalId("E-1".to_owned())]).await, 0);
    assert_eq!(users(&[UserTerm::Id(user), name("bo")]).await, 0);
    assert_eq!(users(&[UserTerm::DisplayName("Ana van Dyke".to_owned())]).await, 1);
    assert_eq!(users(&[UserTerm::Nobody]).await, 0);
    let second = directory.users(&p.caller, &[], Slice { skip: 2, most: 2 }).await.unwrap();
    assert_eq!((second.total, second.items.len()), (3, 1));
    let none = directory.users(&p.caller, &[], Slice { skip: 0, most: 0 }).await.unwrap();
    assert_eq!((none.total, none.items.len()), (3, 0));
    let deans = p.group("Deans", &[user]).await.unwrap();
    p.group("IT", &[]).await.unwrap();
    let groups = async |term: GroupTerm| directory.groups(&p.caller, &[term], ALL, false).await.unwrap().items;
    let found = groups(GroupTerm::DisplayName("deans".to_owned())).await;
    assert_eq!((found.len(), found[0].id, found[0].members.len()), (1, deans, 0));
    assert_eq!(groups(GroupTerm::Member(user)).await[0].id, deans);
    assert_eq!([groups(GroupTerm::Id(deans)).await.len(), groups(GroupTerm::NoGroup).await.len()], [1, 0]);
}

async fn no_directory_takes_the_account_for_emergencies(on: On) {
    let c = College::of(on, 0).await;
    let (exports, mail) = (Exports::with_defaults(Files::in_memory()), Mail::none());
    let queue = Queue::new(c.test.db.clone(), Caseload::registry(&exports, &mail), Settings::default());
    let only = PasswordRule::Only("admin".to_owned());
    let reserved = Caseload::with_passwords(queue, exports, mail, false, Limits::default(), only);
    let (caller, rule) = (known(&c.caseload).await, DirectoryRule::default());
    let of = async |caseload: &Caseload, person| {
        caseload.directory().add_user(&caller, &rule, person).await.map(|user| user.id).map_err(Problem::from)
    };
    assert_eq!(of(&reserved, called("Admin")).await.unwrap_err().status, 409);
    // One that was taken over before it was for emergencies.
    let admin = of(&c.caseload, called("admin")).await.unwrap();
    let out = |person| Ok(DirectoryPerson { active: false, ..person });
    let shut = reserved.directory().change_user(&caller, &rule, (admin, None), out).await;
    assert_eq!(Problem::from(shut.unwrap_err()).status, 409);
    let gone = reserved.directory().remove_user(&caller, &rule, (admin, None)).await;
    assert_eq!(Problem::from(gone.unwrap_err()).status, 409);
    let bo = of(&c.caseload, called("bo")).await.unwrap();
    c.write("UPDATE account SET username = 'root' WHERE username = 'admin'", []).await;
    let takes = |person| Ok(DirectoryPerson { user_name: "admin".to_owned(), ..person });
    let taken = reserved.directory().change_user(&caller, &rule, (bo, None), takes).await;
    assert_eq!(Problem::from(taken.unwrap_err()).status, 409);
}

async fn the_directory_has_no_more_than_it_may(on: On) {
    let bounds = DirectoryBounds { users: 2, groups: 1, members: 1, ..DirectoryBounds::default() };
    let p = Provisioned::of(on, 0, DirectoryRule { bounds, ..DirectoryRule::default() }).await;
    let (a, b) = (p.add(called("a")).await.unwrap().id, p.add(called("b")).await.unwrap().id);
    let full = p.add(called("c")).await.unwrap_err();
    assert_eq!((full.code.as_str(), full.more["limit"].as_str()), ("limit_reached", Some("scim.users")));
    assert_eq!(p.c.count("SELECT COUNT(*) FROM account WHERE username = 'c'", []).await, 0, "nothing is left of it");
    let group = p.group("Deans", &[a]).await.unwrap();
    assert_eq!(p.group("IT", &[]).await.unwrap_err().more["limit"], "scim.groups");
    assert_eq!(p.edit(group, GroupEdit::Add(vec![b])).await.unwrap_err().more["limit"], "scim.members");
    p.edit(group, GroupEdit::Members(vec![b])).await.unwrap();
}

async fn what_runs_stops_at_its_next_chunk_and_what_waits_stands_still(on: On) {
    let p = Provisioned::of(on, 2_000, DirectoryRule::default()).await;
    let manager = p.add(called("manager")).await.unwrap().id;
    let row = async |id| p.c.caseload.tasks().get(&p.c.administrator, id).await.unwrap().row;
    let tomorrow = p.c.test.db.now().await.unwrap() + Duration::from_secs(86_400);
    let later = program(set(ProgramStatus::NoShow), Target::Everyone);
    let later = Submission { confirm_total: Some(2_000), trigger_date: Some(tomorrow), ..later };
    let later = p.c.caseload.actions().submit(&p.c.manager, later).await.unwrap().id;
    let runs = p.c.submit(&p.c.manager, set(ProgramStatus::Inactive), Target::Everyone, 2_000).await.unwrap().id;
    p.c.runtime.tick().await.unwrap();
    while row(runs).await.succeeded == 0 {
        tokio::task::yield_now().await;
    }
    p.set_active(manager, false).await;
    p.c.runtime.idle().await;
    let stopped = row(runs).await;
    assert_eq!(stopped.state, TaskState::Failed);
    assert_eq!(stopped.trouble.as_deref(), Some("The person who submitted it no longer has permission."));
    assert!((1..2_000).contains(&stopped.succeeded), "{} people", stopped.succeeded);
    p.c.test.clock.advance(Duration::from_secs(2 * 86_400));
    p.c.run().await;
    let waits = row(later).await;
    assert_eq!(waits.state, TaskState::Waiting);
    assert_eq!(
        waits.line.as_deref(),
        Some("Its owner’s account is disabled. An administrator decides what becomes of it.")
    );
    p.set_active(manager, true).await;
    p.c.run().await;
    assert_eq!(row(later).await.state, TaskState::Done);
}

async fn the_first_account_of_all_is_no_directorys(on: On) {
    let c = College::of(on, 0).await;
    let caller = known(&c.caseload).await;
    c.write("DELETE FROM account", []).await;
    let refused = c.caseload.directory().add_user(&caller, &DirectoryRule::default(), ana()).await;
    assert_eq!(Problem::from(refused.unwrap_err()).status, 403);
}
