//! Accounts whose owners are let in by a provider: whose account somebody gets, which role, and what nobody can take.

use caseload::{
    Actor, Caseload, Exports, Limits, NewPassword, NewToken, PasswordRule,
    files::Files,
    mail::Mail,
    provided::{AccountRule, LinkBy, ProvidedPerson, ProvidedRole},
};
use model::{AccountId, Problem, Role, account::TokenScope};
use queue::{Queue, Settings};
use testkit::{On, TestDb};

use crate::college::{College, PASSWORD};

testkit::on_both!(
    who_comes_for_the_first_time_gets_the_one_account_that_is_theirs_from_then_on,
    without_a_rule_that_gives_one_nobody_gets_an_account,
    an_account_is_linked_by_its_username_to_the_letter,
    an_account_is_linked_by_an_address_that_is_verified_and_of_one_account_alone,
    an_account_is_of_one_subject_of_a_provider_and_of_no_other_issuers,
    who_is_named_too_long_or_not_at_all_does_not_come_in,
    a_name_that_is_taken_makes_no_account,
    a_role_follows_the_provider_at_each_sign_in,
    a_role_that_is_gone_shuts_the_account_until_it_is_back,
    an_account_that_an_administrator_has_shut_stays_so_whatever_a_provider_says,
    an_account_that_is_unlinked_is_anothers_to_come_into,
    a_word_that_is_asked_for_again_changes_the_role_and_ends_who_may_not_stay,
    no_provider_takes_the_account_for_emergencies_or_shuts_it,
    where_one_account_has_a_password_nobody_elses_opens_anything,
    a_password_on_paper_is_worth_nothing_once_its_owner_came_by_a_provider,
    who_has_no_password_is_sent_no_link_to_one,
    the_first_account_of_all_is_an_administrators,
);

const NORTH: &str = "https://north.example";

/// Links nothing and makes nothing.
const NOTHING: AccountRule = AccountRule { link_by: LinkBy::Nothing, create: false, new_role: Role::Coach };
const CREATING: AccountRule = AccountRule { create: true, ..NOTHING };
const BY_USERNAME: AccountRule = AccountRule { link_by: LinkBy::Username, ..NOTHING };
const BY_EMAIL: AccountRule = AccountRule { link_by: LinkBy::Email, ..NOTHING };

fn somebody(subject: &str, username: &str) -> ProvidedPerson {
    ProvidedPerson {
        provider: "north".to_owned(),
        issuer: NORTH.to_owned(),
        subject: subject.to_owned(),
        username: Some(username.to_owned()),
        name: Some("Ana Reyes".to_owned()),
        address: None,
        school_id: None,
        role: ProvidedRole::GivenHere,
    }
}

fn with_role(subject: &str, username: &str, role: Option<Role>) -> ProvidedPerson {
    ProvidedPerson { role: role.map_or(ProvidedRole::Missing, ProvidedRole::Given), ..somebody(subject, username) }
}

async fn come(caseload: &Caseload, person: &ProvidedPerson, rule: &AccountRule) -> Result<Actor, Problem> {
    caseload.accounts().sign_in_provided(person, rule, None, "s-1").await.map_err(Problem::from)
}

/// The code of the refusal.
async fn refused(caseload: &Caseload, person: &ProvidedPerson, rule: &AccountRule) -> String {
    let problem = come(caseload, person, rule).await.expect_err("nobody comes in");
    assert_eq!(problem.status, 403);
    problem.code.to_string()
}

async fn of_action(c: &College, action: &str) -> i64 {
    c.count("SELECT COUNT(*) FROM audit WHERE action = $1", [action.into()]).await
}

/// The product where passwords are for some only.
fn with_passwords(test: &TestDb, passwords: PasswordRule) -> Caseload {
    let (exports, mail) = (Exports::with_defaults(Files::in_memory()), Mail::none());
    let queue = Queue::new(test.db.clone(), Caseload::registry(&exports, &mail), Settings::default());
    Caseload::with_passwords(queue, exports, mail, false, Limits::default(), passwords)
}

async fn who_comes_for_the_first_time_gets_the_one_account_that_is_theirs_from_then_on(on: On) {
    let c = College::of(on, 0).await;
    let ana = come(&c.caseload, &with_role("1", "ana", Some(Role::Manager)), &CREATING).await.unwrap();
    assert_eq!((ana.username.as_str(), ana.name.as_str(), ana.role), ("ana", "Ana Reyes", Role::Manager));
    assert_eq!((of_action(&c, "account.add").await, of_action(&c, "session.begin").await), (5, 1));
    // A name can change hands, and who somebody is does not go by it.
    let renamed = come(&c.caseload, &with_role("1", "ana.lund", Some(Role::Manager)), &NOTHING).await.unwrap();
    assert_eq!((renamed.person_id, renamed.username.as_str()), (ana.person_id, "ana"));
    assert_eq!(refused(&c.caseload, &with_role("2", "ana", Some(Role::Manager)), &NOTHING).await, "no_account_here");
}

async fn without_a_rule_that_gives_one_nobody_gets_an_account(on: On) {
    let c = College::of(on, 0).await;
    let people = c.count("SELECT COUNT(*) FROM person", []).await;
    assert_eq!(refused(&c.caseload, &somebody("1", "ana"), &NOTHING).await, "no_account_here");
    assert_eq!(refused(&c.caseload, &with_role("1", "ana", None), &CREATING).await, "no_role_given");
    assert_eq!(refused(&c.caseload, &somebody("1", "coach"), &NOTHING).await, "no_account_here");
    assert_eq!(c.count("SELECT COUNT(*) FROM person", []).await, people);
    assert_eq!(c.count("SELECT COUNT(*) FROM account_identity", []).await, 0);
    assert_eq!(of_action(&c, "session.refused").await, 3);
}

async fn an_account_is_linked_by_its_username_to_the_letter(on: On) {
    let c = College::of(on, 0).await;
    // Whom a search takes for the same is somebody else.
    assert_eq!(refused(&c.caseload, &somebody("1", "cöach"), &BY_USERNAME).await, "no_account_here");
    let coach = come(&c.caseload, &somebody("2", "Coach"), &BY_USERNAME).await.unwrap();
    assert_eq!((coach.person_id, coach.role), (c.coach.person_id, Role::Coach));
    assert_eq!(of_action(&c, "account.join").await, 1);
}

async fn an_account_is_linked_by_an_address_that_is_verified_and_of_one_account_alone(on: On) {
    let c = College::of(on, 0).await;
    let gets = async |account: AccountId, address: &str, key: &str| {
        let sql = "UPDATE person SET primary_email = $1, email_key = $2 WHERE id = $3";
        c.write(sql, [address.into(), key.into(), account.into()]).await;
    };
    gets(c.coach.person_id, "Paul@north.example", "paul@north.example").await;
    let with = |address: Option<&str>| ProvidedPerson { address: address.map(str::to_owned), ..somebody("1", "x") };
    // The caller gives only what is verified.
    assert_eq!(refused(&c.caseload, &with(None), &BY_EMAIL).await, "no_account_here");
    assert_eq!(refused(&c.caseload, &with(Some("päul@north.example")), &BY_EMAIL).await, "no_account_here");
    assert_eq!(refused(&c.caseload, &with(Some("paul@north.example")), &BY_USERNAME).await, "no_account_here");
    gets(c.other_coach.person_id, "paul@north.example", "paul@north.example").await;
    assert_eq!(refused(&c.caseload, &with(Some("paul@north.example")), &BY_EMAIL).await, "no_account_here");
    gets(c.other_coach.person_id, "mia@north.example", "mia@north.example").await;
    let paul = come(&c.caseload, &with(Some("paul@North.example")), &BY_EMAIL).await.unwrap();
    assert_eq!(paul.person_id, c.coach.person_id);
    // And never by the address again.
    let eve = ProvidedPerson { subject: "2".to_owned(), ..with(Some("paul@north.example")) };
    assert_eq!(refused(&c.caseload, &eve, &BY_EMAIL).await, "no_account_here");
}

async fn an_account_is_of_one_subject_of_a_provider_and_of_no_other_issuers(on: On) {
    let c = College::of(on, 0).await;
    come(&c.caseload, &somebody("1", "coach"), &BY_USERNAME).await.unwrap();
    assert_eq!(refused(&c.caseload, &somebody("2", "coach"), &BY_USERNAME).await, "no_account_here");
    let elsewhere = ProvidedPerson { issuer: "https://south.example".to_owned(), ..somebody("1", "x") };
    assert_eq!(refused(&c.caseload, &elsewhere, &BY_USERNAME).await, "no_account_here");
}

async fn who_is_named_too_long_or_not_at_all_does_not_come_in(on: On) {
    let c = College::of(on, 0).await;
    for subject in ["", "x".repeat(256).as_str()] {
        assert_eq!(refused(&c.caseload, &somebody(subject, "ana"), &CREATING).await, "no_account_here");
    }
    come(&c.caseload, &somebody(&"x".repeat(255), "ana"), &CREATING).await.unwrap();
}

async fn a_name_that_is_taken_makes_no_account(on: On) {
    let c = College::of(on, 0).await;
    let taken = [
        somebody("1", "Coach"),
        ProvidedPerson { school_id: Some("STAFF-coach".to_owned()), ..somebody("1", "ana") },
        ProvidedPerson { username: Some("a b".to_owned()), ..somebody("1", "") },
        ProvidedPerson { username: None, ..somebody("1", "") },
    ];
    for person in &taken {
        assert_eq!(refused(&c.caseload, person, &CREATING).await, "no_account_here");
    }
    assert_eq!(c.count("SELECT COUNT(*) FROM account", []).await, 4);
    assert_eq!(c.count("SELECT COUNT(*) FROM account_identity", []).await, 0);
}

async fn a_role_follows_the_provider_at_each_sign_in(on: On) {
    let c = College::of(on, 0).await;
    let as_role =
        async |role: Role| come(&c.caseload, &with_role("1", "coach", Some(role)), &BY_USERNAME).await.unwrap();
    assert_eq!(as_role(Role::Administrator).await.role, Role::Administrator);
    let coach = as_role(Role::Coach).await;
    assert_eq!((coach.role, coach.permissions == c.coach.permissions), (Role::Coach, true));
    as_role(Role::Coach).await;
    assert_eq!(of_action(&c, "account.change").await, 2);
    // What an administrator gave beyond the role stays while the role does.
    c.write("UPDATE account SET permissions = '[]' WHERE username = 'coach'", []).await;
    assert!(as_role(Role::Coach).await.permissions.is_empty());
}

async fn a_role_that_is_gone_shuts_the_account_until_it_is_back(on: On) {
    let c = College::of(on, 0).await;
    let ana = come(&c.caseload, &with_role("1", "ana", Some(Role::Manager)), &CREATING).await.unwrap();
    let read = NewToken::new("x", TokenScope::Read);
    c.caseload.by_command().issue_for("ana", read).await.unwrap();
    assert_eq!(refused(&c.caseload, &with_role("1", "ana", None), &CREATING).await, "no_role_given");
    assert!(c.at_next_request(ana.person_id, ana.session_version).await.is_none());
    assert_eq!(c.count("SELECT COUNT(*) FROM access_token WHERE revoked_date IS NULL", []).await, 0);
    assert_eq!(refused(&c.caseload, &with_role("1", "ana", None), &CREATING).await, "no_role_given");
    assert_eq!(of_action(&c, "account.disable").await, 1);
    let back = come(&c.caseload, &with_role("1", "ana", Some(Role::Coach)), &CREATING).await.unwrap();
    assert_eq!((back.person_id, back.role), (ana.person_id, Role::Coach));
    // A session of before is over.
    assert!(c.at_next_request(ana.person_id, ana.session_version).await.is_none());
}

async fn an_account_that_an_administrator_has_shut_stays_so_whatever_a_provider_says(on: On) {
    let c = College::of(on, 0).await;
    let coach = |role| with_role("1", "coach", role);
    come(&c.caseload, &coach(Some(Role::Coach)), &BY_USERNAME).await.unwrap();
    c.caseload.users().disable(&c.administrator, c.coach.person_id, "left").await.unwrap();
    assert_eq!(refused(&c.caseload, &coach(Some(Role::Coach)), &BY_USERNAME).await, "account_disabled");
    assert_eq!(refused(&c.caseload, &coach(None), &BY_USERNAME).await, "no_role_given");
    assert_eq!(refused(&c.caseload, &coach(Some(Role::Administrator)), &BY_USERNAME).await, "account_disabled");
    assert!(!c.caseload.accounts().confirm_provided(c.coach.person_id, &coach(Some(Role::Coach))).await.unwrap());
    // Also one whose role had gone before.
    let ana = |role| with_role("2", "ana", role);
    come(&c.caseload, &ana(Some(Role::Coach)), &CREATING).await.unwrap();
    assert_eq!(refused(&c.caseload, &ana(None), &CREATING).await, "no_role_given");
    c.caseload.by_command().disable("ana").await.unwrap();
    assert_eq!(refused(&c.caseload, &ana(Some(Role::Coach)), &CREATING).await, "account_disabled");
}

async fn an_account_that_is_unlinked_is_anothers_to_come_into(on: On) {
    let c = College::of(on, 0).await;
    let wrong = come(&c.caseload, &somebody("1", "coach"), &BY_USERNAME).await.unwrap();
    assert_eq!(c.caseload.by_command().unlink("Coach").await.unwrap(), 1);
    assert_eq!(c.caseload.by_command().unlink("coach").await.unwrap(), 0);
    assert!(c.at_next_request(wrong.person_id, wrong.session_version).await.is_none());
    assert!(!c.caseload.accounts().confirm_provided(c.coach.person_id, &somebody("1", "coach")).await.unwrap());
    let right = come(&c.caseload, &somebody("2", "coach"), &BY_USERNAME).await.unwrap();
    assert_eq!(right.person_id, c.coach.person_id);
}

async fn a_word_that_is_asked_for_again_changes_the_role_and_ends_who_may_not_stay(on: On) {
    let c = College::of(on, 0).await;
    let ana = come(&c.caseload, &with_role("1", "ana", Some(Role::Manager)), &CREATING).await.unwrap();
    let confirmed = async |account: AccountId, person: &ProvidedPerson| {
        c.caseload.accounts().confirm_provided(account, person).await.unwrap()
    };
    assert!(confirmed(ana.person_id, &with_role("1", "ana", Some(Role::Coach))).await);
    let now = c.at_next_request(ana.person_id, ana.session_version).await.unwrap();
    assert_eq!(now.role, Role::Coach);
    // Of somebody else's account it says nothing.
    assert!(!confirmed(c.coach.person_id, &with_role("1", "ana", Some(Role::Administrator))).await);
    assert!(!confirmed(ana.person_id, &with_role("2", "ana", Some(Role::Administrator))).await);
    assert_eq!(c.at_next_request(ana.person_id, ana.session_version).await.unwrap().role, Role::Coach);
    assert!(!confirmed(ana.person_id, &with_role("1", "ana", None)).await);
    assert!(c.at_next_request(ana.person_id, ana.session_version).await.is_none());
}

async fn no_provider_takes_the_account_for_emergencies_or_shuts_it(on: On) {
    let c = College::of(on, 0).await;
    let admin = |role| with_role("1", "admin", role);
    come(&c.caseload, &admin(Some(Role::Administrator)), &BY_USERNAME).await.unwrap();
    let reserved = with_passwords(&c.test, PasswordRule::Only("admin".to_owned()));
    assert_eq!(refused(&reserved, &admin(Some(Role::Coach)), &BY_USERNAME).await, "no_account_here");
    assert_eq!(refused(&reserved, &admin(None), &BY_USERNAME).await, "no_account_here");
    assert!(!reserved.accounts().confirm_provided(c.administrator.person_id, &admin(None)).await.unwrap());
    let eve = with_role("2", "admin", Some(Role::Administrator));
    assert_eq!(refused(&reserved, &eve, &BY_USERNAME).await, "no_account_here");
    let still = reserved.accounts().sign_in("admin", PASSWORD, None).await.unwrap();
    assert_eq!(still.role, Role::Administrator);
}

async fn where_one_account_has_a_password_nobody_elses_opens_anything(on: On) {
    let c = College::of(on, 0).await;
    let reserved = with_passwords(&c.test, PasswordRule::Only("admin".to_owned()));
    assert!(reserved.accounts().sign_in("manager", PASSWORD, None).await.is_err());
    assert!(reserved.accounts().prove(&c.manager, None, Some(PASSWORD)).await.is_err());
    assert!(!reserved.accounts().has_password(&c.manager).await.unwrap());
    assert!(reserved.accounts().sign_in("Admin", PASSWORD, None).await.is_ok());
    assert!(c.caseload.accounts().sign_in("manager", PASSWORD, None).await.is_ok());
}

async fn a_password_on_paper_is_worth_nothing_once_its_owner_came_by_a_provider(on: On) {
    let c = College::of(on, 0).await;
    let once = || NewPassword::ForOnce("paper lies about".to_owned());
    c.caseload.by_command().set_password("coach", once()).await.unwrap();
    let coach = come(&c.caseload, &somebody("1", "coach"), &BY_USERNAME).await.unwrap();
    assert!(!coach.must_change);
    assert!(c.at_next_request(coach.person_id, coach.session_version).await.is_some_and(|coach| !coach.must_change));
    assert!(c.caseload.accounts().sign_in("coach", "paper lies about", None).await.is_err());
    assert!(c.caseload.accounts().sign_in("coach", "", None).await.is_err());
    assert!(!c.caseload.accounts().has_password(&coach).await.unwrap());
    // One of their own stays.
    come(&c.caseload, &somebody("2", "manager"), &BY_USERNAME).await.unwrap();
    assert!(c.caseload.accounts().sign_in("manager", PASSWORD, None).await.is_ok());
}

async fn who_has_no_password_is_sent_no_link_to_one(on: On) {
    let mail = caseload::mail::MailSettings { smtp_url: Some("smtp://127.0.0.1:1".to_owned()), ..Default::default() };
    let c = College::with_mail(on, 0, Mail::new(mail).unwrap()).await;
    let ana = come(&c.caseload, &somebody("1", "ana"), &CREATING).await.unwrap();
    let asks = async |username: &str, account: AccountId| {
        let sql = "UPDATE person SET primary_email = $1, email_key = $1 WHERE id = $2";
        c.write(sql, [format!("{username}@north.example").into(), account.into()]).await;
        c.caseload.accounts().request_password_link(username, None).await.unwrap();
        c.count("SELECT COUNT(*) FROM password_link", []).await
    };
    assert_eq!(asks("ana", ana.person_id).await, 0);
    assert_eq!(asks("coach", c.coach.person_id).await, 1);
}

async fn the_first_account_of_all_is_an_administrators(on: On) {
    let test = TestDb::new(on).await.unwrap();
    let caseload = with_passwords(&test, PasswordRule::Everybody);
    let link = caseload.accounts().setup_token().await.unwrap();
    assert!(link.is_some());
    assert_eq!(refused(&caseload, &somebody("1", "ana"), &CREATING).await, "no_account_here");
    assert!(!caseload.accounts().are_there().await.unwrap());
    come(&caseload, &with_role("2", "ada", Some(Role::Administrator)), &CREATING).await.unwrap();
    come(&caseload, &somebody("1", "ana"), &CREATING).await.unwrap();
}
