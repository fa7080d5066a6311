//! Guessing passwords: how far anybody gets, and whom it keeps out.

use std::{net::IpAddr, time::Duration};

use caseload::{Caseload, Error, Exports, files::Files, mail::Mail, throttle::Browser};
use queue::{
    Queue, Settings,
    lock::LockRequest,
    schedule::Work,
    test_faults::{Commit, FaultPlan, Faults},
};
use testkit::On;

use crate::college::{College, PASSWORD};

testkit::on_both!(
    guesses_from_elsewhere_never_keep_the_owner_out_where_they_have_signed_in,
    all_guesses_at_one_account_in_a_day_are_a_hundred_at_most,
    another_process_and_a_restart_count_on,
    a_name_that_nobody_has_is_slowed_down_like_one_that_somebody_has,
    whoever_gets_in_is_not_slowed_down,
    yesterdays_typos_do_not_slow_today,
    whoever_gets_in_has_their_typos_there_forgotten,
    an_account_of_ones_own_buys_no_guesses_at_others,
    a_colleague_at_the_same_address_cannot_keep_the_owner_out,
    as_many_guesses_as_there_may_be_cannot_keep_the_owner_out,
    whoever_has_the_owners_browser_guesses_twenty_times_a_day,
    a_browser_is_known_only_for_those_who_have_signed_in_there,
    guesses_at_the_door_do_not_keep_the_owner_from_proving_who_they_are,
    a_sign_in_that_the_database_broke_is_no_wrong_password,
    guesses_of_all_strangers_have_an_end_that_tells_nobody_which_names_there_are,
);

fn at(network: u8, host: u8) -> Option<IpAddr> {
    Some(IpAddr::from([192, 0, network, host]))
}

/// The status of an attempt; 200 for one that worked.
async fn try_as(caseload: &Caseload, username: &str, password: &str, source: Option<IpAddr>) -> u16 {
    try_in(caseload, username, password, source, None).await
}

/// The same in a browser that may be known.
async fn try_in(
    caseload: &Caseload,
    username: &str,
    password: &str,
    source: Option<IpAddr>,
    browser: Option<&Browser>,
) -> u16 {
    match caseload.factors().first_step(username, password, source, browser, None).await {
        Ok(_) => 200,
        Err(Error::Refused(problem)) => problem.status,
        Err(error) => panic!("{error}"),
    }
}

async fn guesses_from_elsewhere_never_keep_the_owner_out_where_they_have_signed_in(on: On) {
    let c = College::of(on, 0).await;
    assert_eq!(try_as(&c.caseload, "coach", PASSWORD, at(2, 1)).await, 200);
    let mut tried = 0;
    for host in 1..=60 {
        tried += u32::from(try_as(&c.caseload, "coach", "wrong", at(0, host)).await == 401);
    }
    assert_eq!(tried, 40, "guesses from sixty places");
    // At a new place even the right password has to wait by now, and at the known one it has not.
    assert_eq!(try_as(&c.caseload, "coach", PASSWORD, at(0, 99)).await, 429);
    assert_eq!(try_as(&c.caseload, "coach", PASSWORD, at(2, 1)).await, 200);
    // Nor does it matter there what a neighbour tries at other accounts.
    for n in 0..12 {
        try_as(&c.caseload, &format!("guess{n}"), "wrong", at(2, 1)).await;
    }
    assert_eq!(try_as(&c.caseload, "somebody", "wrong", at(2, 1)).await, 429);
    assert_eq!(try_as(&c.caseload, "coach", PASSWORD, at(2, 1)).await, 200);
    c.test.clock.advance(Duration::from_secs(86_400));
    assert_eq!(try_as(&c.caseload, "coach", PASSWORD, at(0, 99)).await, 200);
}

async fn all_guesses_at_one_account_in_a_day_are_a_hundred_at_most(on: On) {
    let c = College::of(on, 0).await;
    for host in 1..=4 {
        assert_eq!(try_as(&c.caseload, "coach", PASSWORD, at(2, host)).await, 200);
    }
    let browsers = [of(&c.coach), of(&c.coach)];
    let mut guesses = 0;
    // From four places that are known and twenty that are not, and in two browsers of the owner's, whenever they are let, for a day.
    for _ in 0..12 {
        for browser in &browsers {
            while try_in(&c.caseload, "coach", "wrong", at(0, 1), Some(browser)).await == 401 {
                guesses += 1;
            }
        }
        for source in (1..=4).map(|host| at(2, host)).chain((1..=20).map(|host| at(0, host))) {
            while try_as(&c.caseload, "coach", "wrong", source).await == 401 {
                guesses += 1;
                assert!(guesses <= 100, "more than a hundred guesses in a day");
            }
        }
        c.test.clock.advance(Duration::from_secs(86_400 / 12 - 1));
    }
    assert_eq!(guesses, 100);
}

async fn another_process_and_a_restart_count_on(on: On) {
    let c = College::of(on, 0).await;
    let (exports, mail) = (Exports::with_defaults(Files::in_memory()), Mail::none());
    let queue = Queue::new(c.test.db.clone(), Caseload::registry(&exports, &mail), Settings::default());
    let other = Caseload::new(queue, exports, mail, false, caseload::Limits::default());
    for n in 0..10 {
        let process = if n % 2 == 0 { &c.caseload } else { &other };
        assert_eq!(try_as(process, "coach", "wrong", at(0, 1)).await, 401);
    }
    assert_eq!(try_as(&c.caseload, "coach", PASSWORD, at(0, 1)).await, 429);
    assert_eq!(try_as(&other, "coach", PASSWORD, at(0, 1)).await, 429);
    c.test.clock.advance(Duration::from_secs(61));
    assert_eq!(try_as(&other, "coach", PASSWORD, at(0, 1)).await, 200);
}

async fn a_name_that_nobody_has_is_slowed_down_like_one_that_somebody_has(on: On) {
    let c = College::of(on, 0).await;
    for username in ["coach", "nobody"] {
        let mut answers = Vec::new();
        for host in 1..=52 {
            answers.push(try_as(&c.caseload, username, "wrong", at(host, 1)).await);
        }
        assert_eq!(answers.iter().filter(|status| **status == 401).count(), 40, "{username}");
    }
    // What is remembered of it is forgotten by the calendar.
    let locks = c.caseload.queue().locks("test");
    let lock = locks.try_lock(LockRequest::new("prune-sign-ins")).await.unwrap().unwrap();
    let prune = caseload::throttle::PruneFailures(c.test.db.clone());
    assert_eq!(prune.fire(&lock).await.unwrap(), "0 sign-in failures");
    c.test.clock.advance(Duration::from_secs(86_401));
    prune.fire(&lock).await.unwrap();
    assert_eq!(c.count("SELECT COUNT(*) FROM sign_in_failure", []).await, 0);
}

async fn whoever_gets_in_is_not_slowed_down(on: On) {
    let c = College::of(on, 0).await;
    for _ in 0..30 {
        assert_eq!(try_as(&c.caseload, "coach", PASSWORD, at(0, 1)).await, 200);
    }
}

async fn yesterdays_typos_do_not_slow_today(on: On) {
    let c = College::of(on, 0).await;
    for _ in 0..14 {
        for source in [at(2, 1), at(2, 2)] {
            // A typo of theirs and one of a neighbour's, who never gets in, and then they are in.
            assert_eq!(try_as(&c.caseload, "coach", "wrong", source).await, 401);
            assert_eq!(try_as(&c.caseload, "visitor", "wrong", source).await, 401);
            assert_eq!(try_as(&c.caseload, "coach", PASSWORD, source).await, 200);
            assert_eq!(try_as(&c.caseload, "manager", PASSWORD, source).await, 200);
        }
        c.test.clock.advance(Duration::from_secs(20 * 3_600));
    }
    // Nobody is there whose failures of days ago are held against them.
    for n in 0..8 {
        assert_eq!(try_as(&c.caseload, &format!("new{n}"), "wrong", at(2, 1)).await, 401);
    }
}

async fn whoever_gets_in_has_their_typos_there_forgotten(on: On) {
    let c = College::of(on, 0).await;
    for _ in 0..4 {
        for _ in 0..9 {
            assert_eq!(try_as(&c.caseload, "coach", "wrong", at(2, 1)).await, 401);
        }
        assert_eq!(try_as(&c.caseload, "coach", PASSWORD, at(2, 1)).await, 200);
    }
}

async fn an_account_of_ones_own_buys_no_guesses_at_others(on: On) {
    let c = College::of(on, 0).await;
    for n in 0..9 {
        assert_eq!(try_as(&c.caseload, &format!("guess{n}"), "wrong", at(2, 1)).await, 401);
    }
    for _ in 0..2 {
        assert_eq!(try_as(&c.caseload, "coach", PASSWORD, at(2, 1)).await, 200);
    }
    assert_eq!(try_as(&c.caseload, "manager", "wrong", at(2, 1)).await, 401);
    assert_eq!(try_as(&c.caseload, "coach", PASSWORD, at(2, 1)).await, 200);
    assert_eq!(try_as(&c.caseload, "manager", "wrong", at(2, 1)).await, 429);
}

/// The browser that the owner of an account has signed in with.
fn of(actor: &caseload::Actor) -> Browser {
    Browser::after(None, actor.person_id)
}

async fn a_colleague_at_the_same_address_cannot_keep_the_owner_out(on: On) {
    let c = College::of(on, 0).await;
    let browser = of(&c.coach);
    assert_eq!(try_as(&c.caseload, "coach", PASSWORD, at(2, 1)).await, 200);
    for _ in 0..10 {
        assert_eq!(try_as(&c.caseload, "coach", "wrong", at(2, 1)).await, 401);
    }
    let told = c.caseload.accounts().sign_in("coach", PASSWORD, at(2, 1)).await.unwrap_err().to_string();
    assert!(told.contains("by you or by somebody else") && told.contains("Wait "), "{told}");
    assert_eq!(try_in(&c.caseload, "coach", PASSWORD, at(2, 1), Some(&browser)).await, 200);
    // What the owner mistypes in the meantime is theirs alone, too.
    for _ in 0..9 {
        assert_eq!(try_in(&c.caseload, "coach", "wrong", at(2, 1), Some(&browser)).await, 401);
    }
    assert_eq!(try_in(&c.caseload, "coach", PASSWORD, at(2, 1), Some(&browser)).await, 200);
}

async fn as_many_guesses_as_there_may_be_cannot_keep_the_owner_out(on: On) {
    let c = College::of(on, 0).await;
    let browser = of(&c.coach);
    for host in 1..=10 {
        assert_eq!(try_as(&c.caseload, "coach", PASSWORD, at(2, host)).await, 200);
    }
    let mut guesses = 0;
    for source in (1..=10).map(|host| at(2, host)).chain((1..=20).map(|host| at(0, host))) {
        while try_as(&c.caseload, "coach", "wrong", source).await == 401 {
            guesses += 1;
        }
    }
    assert_eq!(guesses, 40 + 30);
    assert_eq!(try_as(&c.caseload, "coach", PASSWORD, at(9, 9)).await, 429);
    assert_eq!(try_in(&c.caseload, "coach", PASSWORD, at(9, 9), Some(&browser)).await, 200);
    assert_eq!(try_in(&c.caseload, "coach", PASSWORD, at(2, 1), Some(&browser)).await, 200);
}

async fn whoever_has_the_owners_browser_guesses_twenty_times_a_day(on: On) {
    let c = College::of(on, 0).await;
    let browser = of(&c.coach);
    let mut guesses = 0;
    for hour in 0..23 {
        // From wherever they come with it.
        while try_in(&c.caseload, "coach", "wrong", at(hour, 1), Some(&browser)).await == 401 {
            guesses += 1;
        }
        c.test.clock.advance(Duration::from_secs(3_600));
    }
    assert_eq!(guesses, 20);
    // The owner is in with another browser of theirs, and the next day with this one.
    assert_eq!(try_in(&c.caseload, "coach", PASSWORD, at(0, 1), Some(&of(&c.coach))).await, 200);
    c.test.clock.advance(Duration::from_secs(3_601));
    assert_eq!(try_in(&c.caseload, "coach", PASSWORD, at(0, 1), Some(&browser)).await, 200);
}

async fn a_browser_is_known_only_for_those_who_have_signed_in_there(on: On) {
    let c = College::of(on, 0).await;
    let mine = of(&c.coach);
    for _ in 0..10 {
        assert_eq!(try_in(&c.caseload, "manager", "wrong", at(0, 1), Some(&mine)).await, 401);
    }
    assert_eq!(try_in(&c.caseload, "manager", PASSWORD, at(0, 1), Some(&mine)).await, 429);
    let ours = Browser::after(Some(&mine), c.manager.person_id);
    for username in ["manager", "coach"] {
        assert_eq!(try_in(&c.caseload, username, PASSWORD, at(0, 1), Some(&ours)).await, 200, "{username}");
    }
}

async fn guesses_at_the_door_do_not_keep_the_owner_from_proving_who_they_are(on: On) {
    let c = College::of(on, 0).await;
    let prove = async |password| match c.caseload.accounts().prove(&c.coach, None, Some(password)).await {
        Ok(_) => 200,
        Err(Error::Refused(problem)) => problem.status,
        Err(error) => panic!("{error}"),
    };
    for _ in 0..11 {
        try_as(&c.caseload, "coach", "wrong", c.coach.via.source).await;
    }
    assert_eq!(try_as(&c.caseload, "coach", PASSWORD, c.coach.via.source).await, 429);
    assert_eq!(prove(PASSWORD).await, 200);
    // Whoever guesses at a session that was left open has to wait all the same.
    for _ in 0..10 {
        assert_eq!(prove("wrong").await, 400);
    }
    assert_eq!(prove(PASSWORD).await, 429);
}

async fn a_sign_in_that_the_database_broke_is_no_wrong_password(on: On) {
    let c = College::of(on, 0).await;
    for n in 0..9 {
        assert_eq!(try_as(&c.caseload, "coach", "wrong", at(0, 1)).await, 401, "{n}");
    }
    // The first commit counts the attempt, and the second is that of the sign-in.
    c.test.db.disturb(Faults::new(FaultPlan { commit: 2, how: Some(Commit::Refused), ..FaultPlan::default() }));
    let broken = c.caseload.accounts().sign_in("coach", PASSWORD, at(0, 1)).await;
    assert!(matches!(broken, Err(Error::Database(_))), "{broken:?}");
    assert_eq!(try_as(&c.caseload, "coach", PASSWORD, at(0, 1)).await, 200);
}

async fn guesses_of_all_strangers_have_an_end_that_tells_nobody_which_names_there_are(on: On) {
    let c = College::of(on, 0).await;
    let browser = of(&c.coach);
    assert_eq!(try_as(&c.caseload, "manager", PASSWORD, at(2, 1)).await, 200);
    assert_eq!(try_as(&c.caseload, "nobody", "wrong", at(0, 1)).await, 401);
    let many = "UPDATE sign_in_failure SET failures = 99999 WHERE id = 'all strangers'";
    assert_eq!(c.test.db.write(many, []).await.unwrap(), 1);
    assert_eq!(try_as(&c.caseload, "somebody", "wrong", at(0, 2)).await, 401);
    for username in ["coach", "nobody", "a new name"] {
        assert_eq!(try_as(&c.caseload, username, PASSWORD, at(0, 3)).await, 429, "{username}");
    }
    assert_eq!(try_as(&c.caseload, "manager", PASSWORD, at(2, 1)).await, 200);
    assert_eq!(try_in(&c.caseload, "coach", PASSWORD, at(0, 3), Some(&browser)).await, 200);
    c.test.clock.advance(Duration::from_secs(86_401));
    assert_eq!(try_as(&c.caseload, "coach", PASSWORD, at(0, 3)).await, 200);
}
