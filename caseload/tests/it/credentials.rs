//! What opens an account, how far, for how long, and what it ends with.

use std::time::Duration;

use caseload::{
    NewPassword, NewToken, Reauthenticated,
    mail::{Mail, MailSettings},
    tokens::days,
};
use model::{
    Permission, Problem, Role,
    account::{Token, TokenScope},
};
use testkit::On;

use crate::college::{College, PASSWORD};

testkit::on_both!(
    a_token_ends_with_whatever_says_that_its_owner_was_not_safe,
    signing_out_everywhere_ends_tokens_if_that_is_wished,
    a_token_goes_as_far_as_was_said_and_no_further,
    a_token_ends_by_itself,
    when_and_from_where_a_token_was_used_is_known_to_the_minute,
    the_owner_of_an_account_hears_of_a_new_token,
    a_token_needs_a_name_and_an_end,
    a_session_that_was_left_open_decides_nothing_about_accounts,
    a_password_made_for_somebody_opens_one_session,
    the_first_passwords_that_anybody_would_try_are_refused,
);

const OTHER: &str = "violet kettle seven moons";

async fn proven(c: &College) -> Reauthenticated {
    c.caseload.accounts().prove(&c.administrator, None, Some(PASSWORD)).await.unwrap()
}

async fn token(c: &College, username: &str, scope: TokenScope) -> String {
    c.caseload.by_command().issue_for(username, NewToken::new("test", scope)).await.unwrap()
}

async fn opens(c: &College, token: &str) -> bool {
    c.caseload.tokens().actor_of(token, TokenScope::Read, None).await.unwrap().is_some()
}

async fn listed(c: &College) -> Token {
    c.caseload.tokens().list(&c.coach).await.unwrap().pop().unwrap()
}

async fn a_token_ends_with_whatever_says_that_its_owner_was_not_safe(on: On) {
    let c = College::of(on, 0).await;
    let (coach, admin) = (c.coach.person_id, proven(&c).await);
    let others = token(&c, "manager", TokenScope::Submit).await;
    let mine = async || {
        let mine = token(&c, "coach", TokenScope::Submit).await;
        assert!(opens(&c, &mine).await);
        mine
    };

    let made = mine().await;
    c.caseload.accounts().change_password(&c.coach, PASSWORD, OTHER).await.unwrap();
    assert!(!opens(&c, &made).await, "their own password was changed");

    let made = mine().await;
    c.caseload.users().reset_password(&admin, coach, "lost").await.unwrap();
    assert!(!opens(&c, &made).await, "an administrator gave a new password");

    let made = mine().await;
    c.caseload.by_command().set_password("coach", NewPassword::Chosen(PASSWORD.to_owned())).await.unwrap();
    assert!(!opens(&c, &made).await, "a command gave a new password");

    let made = mine().await;
    c.caseload.users().disable(&c.administrator, coach, "x").await.unwrap();
    assert!(!opens(&c, &made).await, "the account was disabled");
    c.caseload.users().enable(&admin, coach, "x").await.unwrap();
    assert!(!opens(&c, &made).await, "it was enabled again, and stays locked for programs");

    let made = mine().await;
    c.caseload.by_command().disable("coach").await.unwrap();
    c.caseload.users().enable(&admin, coach, "x").await.unwrap();
    assert!(!opens(&c, &made).await, "a command disabled the account");
    assert!(opens(&c, &others).await, "those of others stay");
}

async fn signing_out_everywhere_ends_tokens_if_that_is_wished(on: On) {
    let c = College::of(on, 0).await;
    let made = token(&c, "coach", TokenScope::Submit).await;
    c.caseload.accounts().end_sessions(&c.coach, false).await.unwrap();
    assert!(opens(&c, &made).await);
    c.caseload.accounts().end_sessions(&c.coach, true).await.unwrap();
    assert!(!opens(&c, &made).await);
    let entries = "SELECT COUNT(*) FROM audit WHERE action = 'account.sessions_end' AND detail = '{\"tokens\":1}'";
    assert_eq!(c.count(entries, []).await, 1);
}

async fn a_token_goes_as_far_as_was_said_and_no_further(on: On) {
    let c = College::of(on, 0).await;
    let scopes = [TokenScope::Read, TokenScope::Submit, TokenScope::Administer];
    for (n, scope) in scopes.into_iter().enumerate() {
        let made = token(&c, "admin", scope).await;
        for (m, asks) in scopes.into_iter().enumerate() {
            match c.caseload.tokens().actor_of(&made, asks, None).await {
                Ok(actor) => {
                    assert!(m <= n, "{scope} is not enough for {asks}");
                    let role = if n == 2 { Role::Administrator } else { Role::Manager };
                    assert_eq!(actor.unwrap().role, role, "without administration nobody is an administrator");
                }
                Err(error) => {
                    let problem = Problem::from(error);
                    assert!(m > n, "{scope} is enough for {asks}");
                    assert_eq!((problem.status, problem.code.as_str()), (403, "scope"));
                }
            }
        }
    }
    let far = token(&c, "coach", TokenScope::Administer).await;
    let actor = c.caseload.tokens().actor_of(&far, TokenScope::Administer, None).await.unwrap().unwrap();
    let whole = caseload::Actor { via: actor.via.clone(), ..c.coach.clone() };
    assert_eq!(actor, whole, "no token goes further than its account");
}

async fn a_token_ends_by_itself(on: On) {
    let c = College::of(on, 0).await;
    let usual = token(&c, "coach", TokenScope::Read).await;
    c.test.clock.advance(days(89));
    assert!(opens(&c, &usual).await);
    c.test.clock.advance(days(2));
    assert!(!opens(&c, &usual).await);
    assert!(listed(&c).await.expired, "its owner sees why");
}

async fn when_and_from_where_a_token_was_used_is_known_to_the_minute(on: On) {
    let c = College::of(on, 0).await;
    let made = token(&c, "coach", TokenScope::Read).await;
    assert_eq!(listed(&c).await.used_date, None);
    let used = async |from: &str| {
        c.caseload.tokens().actor_of(&made, TokenScope::Read, Some(from.parse().unwrap())).await.unwrap().unwrap();
        let token = listed(&c).await;
        (token.used_date.unwrap(), token.used_from.unwrap())
    };
    let first = used("192.0.2.1").await;
    assert_eq!(first.1, "192.0.2.1");
    assert_eq!(used("192.0.2.2").await, first, "not written at every request");
    c.test.clock.advance(Duration::from_secs(61));
    let next = used("192.0.2.3").await;
    assert!(next.0 > first.0 && next.1 == "192.0.2.3");
}

async fn the_owner_of_an_account_hears_of_a_new_token(on: On) {
    let settings = MailSettings { smtp_url: Some("smtp://127.0.0.1:1".to_owned()), ..MailSettings::default() };
    let c = College::with_mail(on, 0, Mail::new(settings).unwrap()).await;
    let notices = "SELECT COUNT(*) FROM notice WHERE purpose = 'TOKEN' AND state = 'WAITING'
        AND address = 'k.lund@college.example' AND body LIKE '%Nightly report%' AND body LIKE '%Read and submit%'
        AND body LIKE '%192.0.2.7%' AND body NOT LIKE '%docket_%'";
    token(&c, "manager", TokenScope::Read).await;
    assert_eq!(c.count("SELECT COUNT(*) FROM notice", []).await, 0, "they have no address");
    let address = "UPDATE person SET primary_email = 'k.lund@college.example' WHERE id = $1";
    c.write(address, [c.manager.person_id.into()]).await;
    let manager = c.caseload.accounts().prove(&c.manager, None, Some(PASSWORD)).await.unwrap();
    let new = NewToken::new("Nightly report", TokenScope::Submit);
    c.caseload.tokens().issue_own(&manager, new, Some("192.0.2.7")).await.unwrap();
    assert_eq!(c.count(notices, []).await, 1);
}

async fn a_token_needs_a_name_and_an_end(on: On) {
    let c = College::of(on, 0).await;
    let coach = c.caseload.accounts().prove(&c.coach, None, Some(PASSWORD)).await.unwrap();
    let beyond = NewToken::new("for later", TokenScope::Administer);
    let refused = Problem::from(c.caseload.tokens().issue_own(&coach, beyond, None).await.unwrap_err());
    assert_eq!(refused.status, 403, "nobody makes one that goes further than they may");
    let refused = async |name: &str, lasts: Duration| {
        let new = NewToken { lasts, ..NewToken::new(name, TokenScope::Read) };
        let problem = Problem::from(c.caseload.by_command().issue_for("coach", new).await.unwrap_err());
        problem.errors[0].field.clone()
    };
    assert_eq!(refused(" ", days(1)).await, "name");
    assert_eq!(refused(&"x".repeat(61), days(1)).await, "name");
    assert_eq!(refused("report\u{202e}gpj.exe", days(1)).await, "name", "shown otherwise than it is written");
    assert_eq!(refused("x", days(366)).await, "days");
    assert_eq!(refused("x", Duration::ZERO).await, "days");
}

async fn a_session_that_was_left_open_decides_nothing_about_accounts(on: On) {
    let c = College::of(on, 0).await;
    let prove = async |typed, password: Option<&str>| match c
        .caseload
        .accounts()
        .prove(&c.administrator, typed, password)
        .await
    {
        Ok(proven) => Ok(proven),
        Err(error) => Err(Problem::from(error).errors[0].code.clone()),
    };
    let signed_in = c.test.db.now().await.unwrap();
    assert!(prove(Some(signed_in), None).await.is_ok());
    c.test.clock.advance(Duration::from_secs(301));
    assert_eq!(prove(Some(signed_in), None).await.unwrap_err(), "required");
    assert_eq!(prove(None, Some("")).await.unwrap_err(), "required");
    assert_eq!(prove(Some(signed_in), Some("not mine at all")).await.unwrap_err(), "wrong");
    let admin = prove(Some(signed_in), Some(PASSWORD)).await.unwrap();
    c.caseload.users().change(&admin, c.coach.person_id, Role::Manager, &[Permission::Watch], "why").await.unwrap();
}

async fn a_password_made_for_somebody_opens_one_session(on: On) {
    let c = College::of(on, 0).await;
    let issued = c.caseload.users().reset_password(&proven(&c).await, c.coach.person_id, "lost").await.unwrap();
    let actor = c.caseload.accounts().sign_in("coach", &issued.password, None).await.unwrap();
    assert!(actor.must_change);
    let again = Problem::from(c.caseload.accounts().sign_in("coach", &issued.password, None).await.unwrap_err());
    assert_eq!((again.status, again.code.as_str()), (401, "password_spent"));
    let unknown = Problem::from(c.caseload.accounts().sign_in("coach", "not this one", None).await.unwrap_err());
    assert_eq!(unknown.code, "sign_in_failed", "who does not know it learns nothing");
    assert!(c.caseload.users().get(&c.administrator, c.coach.person_id).await.unwrap().awaits_password);

    let same = Problem::from(
        c.caseload.accounts().change_password(&actor, &issued.password, &issued.password).await.unwrap_err(),
    );
    assert_eq!(same.errors[0].code, "same");
    let version = c.caseload.accounts().change_password(&actor, &issued.password, OTHER).await.unwrap();
    let actor = c.at_next_request(actor.person_id, version).await.unwrap();
    assert!(!actor.must_change);
    for _ in 0..2 {
        assert!(!c.caseload.accounts().sign_in("coach", OTHER, None).await.unwrap().must_change);
    }
}

async fn the_first_passwords_that_anybody_would_try_are_refused(on: On) {
    let c = College::of(on, 0).await;
    // The manager is Katrin Lund.
    for password in ["password123", "iloveyou2024", "katrinlund26", "Docket-2026"] {
        let refused =
            Problem::from(c.caseload.accounts().change_password(&c.manager, PASSWORD, password).await.unwrap_err());
        assert_eq!(refused.errors[0].code, "guessable", "{password}");
    }
    c.caseload.accounts().change_password(&c.manager, PASSWORD, OTHER).await.unwrap();
}
