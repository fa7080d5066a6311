//! Accounts: who may have one, and under what name.

use super::*;

testkit::on_both!(
    accounts_are_kept_by_administrators,
    saving_rights_that_are_as_they_were_changes_nothing_and_is_no_entry,
    an_account_without_a_name_is_refused,
    an_account_whose_name_could_not_be_chosen_today_still_signs_in,
    a_school_id_that_nobody_has_is_taken_once_somebody_says_that_it_is_new,
);

async fn accounts_are_kept_by_administrators(on: On) {
    let c = College::of(on, 1).await;
    let admin = &c.administrator;
    let sure = proven(&c).await;
    let new = NewUser {
        username: "Eve".to_owned(),
        name: "Eve Adams".to_owned(),
        role: Role::Coach,
        school_id: None,
        is_school_id_new: false,
        address: None,
    };
    let added = c.caseload.users().add(&sure, new.clone(), "a new colleague").await.unwrap();
    let Added::ByPassword(issued) = added else { panic!("a link, without an address") };
    assert_eq!(issued.username, "eve");
    let eve = c.caseload.accounts().sign_in("eve", &issued.password, None).await.unwrap();
    let student = c.students(&c.manager).await[0];
    let student = c.caseload.people().get(&c.manager, student).await.unwrap().row.school_id;
    let wrong = NewUser { school_id: student, address: Some("no address".to_owned()), ..new };
    let all = Problem::from(c.caseload.users().add(&sure, wrong, " ").await.unwrap_err()).errors;
    let fields: Vec<&str> = all.iter().map(|error| error.field.as_str()).collect();
    assert_eq!(fields, ["username", "schoolId", "address", "reason"], "all that is wrong is said at once");
    let again = c.caseload.users().reset_password(&sure, eve.person_id, "she lost it").await.unwrap();
    assert!(c.caseload.accounts().sign_in("eve", &issued.password, None).await.is_err());
    c.caseload.accounts().sign_in("eve", &again.password, None).await.unwrap();
    let of_passwords = AuditQuery { action: Some("account.password".to_owned()), ..AuditQuery::default() };
    let entry = c.caseload.audit().list(admin, &of_passwords).await.unwrap().items.remove(0);
    assert_eq!(entry.label, "Gave a one-time password to an account", "she has not changed hers");
    let robot = NewToken::new("robot", TokenScope::Read);
    let token = c.caseload.by_command().issue_for("eve", robot).await.unwrap();
    let user = c.caseload.users().get(admin, eve.person_id).await.unwrap();
    assert_eq!((user.tokens.len(), user.last_sign_in.is_some()), (1, true));
    c.caseload.users().revoke_token_of(admin, eve.person_id, user.tokens[0].id, "it leaked").await.unwrap();
    assert!(c.caseload.tokens().actor_of(&token, TokenScope::Read, None).await.unwrap().is_none());
    c.caseload.users().disable(admin, eve.person_id, "she left").await.unwrap();
    assert!(c.caseload.accounts().sign_in("eve", &again.password, None).await.is_err());
    let refused = async |role| {
        let change = c.caseload.users().change(&sure, admin.person_id, role, &[], "x").await;
        change.err().map(|error| Problem::from(error).code)
    };
    assert_eq!(refused(Role::Coach).await.as_deref(), Some("last_administrator"));
    assert_eq!(refused(Role::Administrator).await, None);
    let yourself = c.caseload.users().disable(admin, admin.person_id, "x").await.unwrap_err();
    assert_eq!(Problem::from(yourself).code, "yourself");
}

/// It was said to be saved, and stood in the audit trail.
async fn saving_rights_that_are_as_they_were_changes_nothing_and_is_no_entry(on: On) {
    let c = College::of(on, 0).await;
    let sure = proven(&c).await;
    let was = c.caseload.users().get(&c.administrator, c.coach.person_id).await.unwrap();
    let change = async |role, permissions: &[Permission]| {
        c.caseload.users().change(&sure, c.coach.person_id, role, permissions, "why").await.unwrap()
    };
    let mut turned = was.permissions.clone();
    turned.reverse();
    assert!(!change(was.role, &was.permissions).await);
    assert!(!change(was.role, &turned).await, "in another order they are the same");
    assert_eq!(traces(&c, "account.change").await, 0);
    assert!(change(was.role, &was.permissions[1..]).await);
    assert!(change(Role::Manager, &was.permissions[1..]).await);
    assert_eq!(traces(&c, "account.change").await, 2);
}

async fn an_account_without_a_name_is_refused(on: On) {
    let c = College::of(on, 0).await;
    let sure = proven(&c).await;
    let refused = async |name: &str, username: &str| {
        let new = NewUser {
            username: username.to_owned(),
            name: name.to_owned(),
            role: Role::Coach,
            school_id: None,
            is_school_id_new: false,
            address: None,
        };
        let added = c.caseload.users().add(&sure, new, "a new colleague").await;
        let wrong = added.err().map(|error| Problem::from(error).errors).unwrap_or_default();
        wrong.into_iter().map(|error| (error.field, error.message)).collect::<Vec<_>>()
    };
    let said = |field: &str, message: &str| vec![(field.to_owned(), message.to_owned())];
    assert_eq!(refused("", "ida").await, said("name", "Enter the name of this person."));
    assert_eq!(refused("   ", "ida").await, said("name", "Enter the name of this person."));
    for (username, message) in [
        ("", "Enter a username."),
        ("two words", "Leave out the spaces."),
        ("a,b", "Leave out “,”."),
        ("i da!", "Leave out the spaces and “!”."),
        ("ida!", "Leave out “!”."),
        ("-_-", "Use at least one letter or digit."),
    ] {
        assert_eq!(refused("Ida Roth", username).await, said("username", message), "{username}");
    }
    assert_eq!(refused("Ida Roth", " Ída.r_2+x@b-c ").await, []);
    assert!(
        c.caseload.users().list(&c.administrator).await.unwrap().iter().any(|user| user.username == "ida.r_2+x@b-c")
    );
}

async fn an_account_whose_name_could_not_be_chosen_today_still_signs_in(on: On) {
    let c = College::of(on, 0).await;
    let by_hand = "UPDATE account SET username = 'mary jane' WHERE username = 'coach'";
    c.write(by_hand, []).await;
    assert!(c.caseload.accounts().sign_in("Mary  Jane!", PASSWORD, None).await.is_ok());
}

async fn a_school_id_that_nobody_has_is_taken_once_somebody_says_that_it_is_new(on: On) {
    let c = College::of(on, 0).await;
    let sure = proven(&c).await;
    let new = NewUser {
        username: "ida".to_owned(),
        name: "Ida Roth".to_owned(),
        role: Role::Coach,
        school_id: Some("T-7".to_owned()),
        is_school_id_new: false,
        address: None,
    };
    let refused = c.caseload.users().add(&sure, new.clone(), "a new colleague").await.unwrap_err();
    let wrong = &Problem::from(refused).errors[0];
    assert_eq!((wrong.field.as_str(), wrong.code.as_str()), ("schoolId", "unknown"));
    assert_eq!(c.count("SELECT COUNT(*) FROM person WHERE school_id = 'T-7'", []).await, 0);
    let new = NewUser { is_school_id_new: true, ..new };
    c.caseload.users().add(&sure, new, "a new colleague").await.unwrap();
    assert_eq!(c.count("SELECT COUNT(*) FROM person WHERE school_id = 'T-7' AND NOT student", []).await, 1);
}
