//! Signing in, and whom one reaches.

use caseload::{NewAccount, NewPassword, NewToken};
use model::{AccountId, PeopleQuery, Problem, ProgramStatus, Role, Target, account::TokenScope};
use testkit::On;

use crate::college::{College, PASSWORD, everyone, set};

testkit::on_both!(
    wrong_names_and_wrong_passwords_end_in_the_same_words,
    a_disabled_user_is_out_at_once,
    a_new_password_ends_every_session,
    a_token_acts_as_its_account,
    a_coach_reaches_their_caseload_only,
    the_tasks_of_others_do_not_exist_for_a_coach,
    a_bad_username_is_named,
);

async fn wrong_names_and_wrong_passwords_end_in_the_same_words(on: On) {
    let c = College::of(on, 0).await;
    assert_eq!(c.caseload.accounts().sign_in("Manager", PASSWORD, None).await.unwrap().person_id, c.manager.person_id);
    let wrong: Problem = c.caseload.accounts().sign_in("manager", "wrong", None).await.unwrap_err().into();
    let unknown: Problem = c.caseload.accounts().sign_in("nobody", PASSWORD, None).await.unwrap_err().into();
    assert_eq!(wrong, unknown);
    assert_eq!(c.count("SELECT COUNT(*) FROM audit WHERE action = 'session.refused'", []).await, 2);
}

async fn a_disabled_user_is_out_at_once(on: On) {
    let c = College::of(on, 0).await;
    let token =
        c.caseload.by_command().issue_for("coach", NewToken::new("test", TokenScope::Administer)).await.unwrap();
    c.caseload.by_command().disable("coach").await.unwrap();
    assert!(c.at_next_request(c.coach.person_id, 0).await.is_none());
    assert!(c.at_next_request(c.coach.person_id, 1).await.is_none());
    assert!(c.caseload.tokens().actor_of(&token, TokenScope::Read, None).await.unwrap().is_none());
    assert!(c.caseload.accounts().sign_in("coach", PASSWORD, None).await.is_err());
}

async fn a_new_password_ends_every_session(on: On) {
    let c = College::of(on, 0).await;
    c.caseload
        .by_command()
        .set_password("coach", NewPassword::Chosen("violet kettle seven moons".to_owned()))
        .await
        .unwrap();
    assert!(c.at_next_request(c.coach.person_id, 0).await.is_none());
    assert!(c.caseload.accounts().sign_in("coach", PASSWORD, None).await.is_err());
    assert_eq!(
        c.caseload.accounts().sign_in("coach", "violet kettle seven moons", None).await.unwrap().session_version,
        1
    );
}

async fn a_token_acts_as_its_account(on: On) {
    let c = College::of(on, 0).await;
    let token =
        c.caseload.by_command().issue_for("coach", NewToken::new("test", TokenScope::Administer)).await.unwrap();
    let actor = c.caseload.tokens().actor_of(&token, TokenScope::Read, None).await.unwrap().unwrap();
    assert_eq!((actor.person_id, actor.permissions), (c.coach.person_id, c.coach.permissions.clone()));
    assert_eq!(c.caseload.tokens().actor_of("docket_nonsense", TokenScope::Read, None).await.unwrap(), None);
    let stored = c.count("SELECT COUNT(*) FROM access_token WHERE token_hash = $1", [token.into()]).await;
    assert_eq!(stored, 0, "only the hash is kept");
}

async fn a_coach_reaches_their_caseload_only(on: On) {
    let c = College::of(on, 10).await;
    let (mine, theirs) = (c.students(&c.coach).await, c.students(&c.other_coach).await);
    assert_eq!((mine.len(), theirs.len(), c.students(&c.manager).await.len()), (5, 5, 10));
    assert!(mine.iter().all(|id| !theirs.contains(id)));
    // Somebody watched but out of reach is listed as no longer theirs.
    let watch = "INSERT INTO watch (watcher_id, person_id, watched_date) VALUES ($1, $2, {now})";
    c.write(watch, [c.coach.person_id.into(), theirs[0].into()]).await;
    let query = PeopleQuery {
        filter: model::PeopleFilter { scope: Some(model::Scope::Watchlist), ..everyone() },
        ..PeopleQuery::default()
    };
    let watched = c.caseload.people().list(&c.coach, &query).await.unwrap();
    assert_eq!((watched.items.len(), watched.items[0].id, watched.items[0].reached), (1, theirs[0], false));
}

async fn the_tasks_of_others_do_not_exist_for_a_coach(on: On) {
    let c = College::of(on, 4).await;
    let people = Target::People(c.students(&c.other_coach).await);
    let task = c.submit(&c.other_coach, set(ProgramStatus::Inactive), people, 2).await.unwrap().id;
    for refused in [
        c.caseload.tasks().get(&c.coach, task).await.map(drop),
        c.caseload.tasks().ledger(&c.coach, task, &Default::default()).await.map(drop),
        c.caseload.tasks().retry(&c.coach, task, None).await.map(drop),
        c.caseload.tasks().abandon(&c.coach, task, Some("mine")).await,
    ] {
        assert_eq!(Problem::from(refused.unwrap_err()).status, 404);
    }
    assert!(c.caseload.tasks().get(&c.manager, task).await.is_ok(), "managers may read all tasks");
    let meddling = c.caseload.tasks().abandon(&c.manager, task, Some("tidy")).await.unwrap_err();
    assert_eq!(Problem::from(meddling).status, 403, "but not act on them");
    let unexplained = Problem::from(c.caseload.tasks().abandon(&c.administrator, task, None).await.unwrap_err());
    assert_eq!(unexplained.errors[0].field, "reason");
    c.caseload.tasks().abandon(&c.administrator, task, Some("a mistake")).await.unwrap();
}

async fn a_bad_username_is_named(on: On) {
    let c = College::of(on, 0).await;
    let new = |username: &str, password: &str| NewAccount {
        username: username.to_owned(),
        role: Role::Coach,
        name: None,
        school_id: None,
        password: NewPassword::Chosen(password.to_owned()),
    };
    for (username, password, field) in [
        ("", PASSWORD, "username"),
        ("two words", PASSWORD, "username"),
        ("COACH", PASSWORD, "username"),
        ("a\u{202e}nn", PASSWORD, "username"),
        ("x", "short", "password"),
    ] {
        let problem = Problem::from(c.caseload.by_command().add(new(username, password)).await.unwrap_err());
        assert_eq!(problem.errors[0].field, field, "{username}");
    }
    let turned = NewAccount { name: Some("Ann\u{202e}dnuL".to_owned()), ..new("ann", PASSWORD) };
    assert_eq!(Problem::from(c.caseload.by_command().add(turned).await.unwrap_err()).errors[0].field, "name");
    assert_ne!(c.caseload.by_command().add(new("x", PASSWORD)).await.unwrap(), AccountId::from_u128(0));
}
