//! A code beside the password: which one opens an account, how often, and what ends a sign-in that waits for it.

use std::{net::IpAddr, sync::Arc, time::Duration};

use caseload::{
    Actor, FirstStep, NewPassword, Reauthenticated,
    mail::{Mail, MailSettings},
    second_factor::{AppKey, CameIn, HalfSignIn, RECOVERY_CODES, Sealing, SecondFactorRule, SecondFactors},
    throttle::Browser,
};
use model::{AccountId, Problem};
use sea_orm::ConnectionTrait;
use testkit::{On, SmtpSink};
use totp_rs::{Builder, Secret};

use crate::college::{College, PASSWORD};

testkit::on_both!(
    an_app_counts_once_a_code_of_it_was_right,
    a_password_alone_opens_nothing_any_more,
    a_code_opens_an_account_once,
    of_two_who_show_the_same_code_at_once_one_comes_in,
    a_phone_may_be_half_a_minute_off,
    wrong_codes_are_slowed_down_and_keep_nobody_from_their_password,
    codes_that_are_guessed_elsewhere_do_not_keep_the_owner_out_of_their_browser,
    a_recovery_code_opens_an_account_once,
    new_recovery_codes_take_the_place_of_all_former_ones,
    a_browser_that_is_remembered_is_asked_for_no_code_for_thirty_days,
    what_a_browser_carried_before_it_was_remembered_is_no_way_past_the_code,
    a_browser_is_forgotten_with_the_password_the_app_and_all_sessions,
    a_code_that_comes_beside_another_password_opens_nothing_and_is_remembered_nowhere,
    of_two_who_set_up_an_app_in_one_session_at_once_one_does,
    a_sign_in_that_waits_ends_with_the_account_the_password_and_its_five_minutes,
    a_password_made_for_somebody_is_not_used_up_by_a_wrong_code,
    another_app_takes_the_place_of_the_former_one_once_it_is_confirmed,
    whoever_must_have_a_second_factor_cannot_remove_it,
    who_must_set_one_up_goes_by_the_rule_and_the_role,
    what_is_lost_is_reset_by_an_administrator_or_a_command_and_the_owner_hears_of_it,
    the_key_of_an_app_is_sealed_and_a_code_is_kept_as_a_password_is,
);

const OTHER: &str = "violet kettle seven moons";
const HALF_A_MINUTE: Duration = Duration::from_secs(30);

/// Whatever is sealed can be told from what is not.
struct Backwards;

impl Sealing for Backwards {
    fn seal(&self, text: &str) -> Option<String> {
        Some(format!("sealed:{}", text.chars().rev().collect::<String>()))
    }

    fn open(&self, sealed: &str) -> Option<String> {
        Some(sealed.strip_prefix("sealed:")?.chars().rev().collect())
    }
}

async fn college(on: On) -> College {
    under(on, SecondFactorRule::Off, Mail::none()).await
}

async fn under(on: On, rule: SecondFactorRule, mail: Mail) -> College {
    let c = College::with_mail(on, 0, mail).await;
    c.caseload.with_second_factors(SecondFactors { rule, sealing: Arc::new(Backwards) });
    c
}

fn at(network: u8, host: u8) -> Option<IpAddr> {
    Some(IpAddr::from([192, 0, network, host]))
}

/// What an app with this key shows, so many steps from now.
async fn shown(c: &College, key: &AppKey, steps: i64) -> String {
    let now = c.test.db.now().await.unwrap().timestamp() + steps * 30;
    let secret = Secret::try_from_base32(key.base32()).unwrap();
    Builder::new().with_secret(secret).build().unwrap().generate(now.unsigned_abs()).to_string()
}

/// A code that is none of those that count now.
async fn wrong(c: &College, key: &AppKey) -> String {
    let mut right = Vec::new();
    for steps in -2..=2 {
        right.push(shown(c, key, steps).await);
    }
    (0..).map(|n| format!("{n:06}")).find(|code| !right.contains(code)).unwrap()
}

async fn proven(c: &College, actor: &Actor) -> Reauthenticated {
    c.caseload.accounts().prove(actor, None, Some(PASSWORD)).await.unwrap()
}

/// The actor as they are now.
async fn now(c: &College, actor: &Actor) -> Actor {
    let account = c.caseload.accounts();
    for version in 0..20 {
        let found = account.actor_of_session(actor.person_id, version, caseload::Via::command()).await.unwrap();
        if let Some(found) = found {
            return found;
        }
    }
    panic!("the account is disabled");
}

/// Sets an app up, half a minute before whatever comes next, and gives its recovery codes.
async fn set_up(c: &College, actor: &Actor, key: &AppKey) -> Vec<String> {
    let actor = proven(c, &now(c, actor).await).await;
    let code = shown(c, key, 0).await;
    let codes = c.caseload.factors().confirm_app(&actor, key, &code).await.unwrap().codes;
    c.test.clock.advance(HALF_A_MINUTE);
    codes
}

async fn half_as(c: &College, username: &str, password: &str, source: Option<IpAddr>) -> HalfSignIn {
    match c.caseload.factors().first_step(username, password, source, None, None).await.unwrap() {
        FirstStep::Asked(half) => half,
        FirstStep::CameIn(_) => panic!("{username} came in by a password alone"),
    }
}

async fn half(c: &College) -> HalfSignIn {
    half_as(c, "coach", PASSWORD, None).await
}

/// Whether the code opens it, or why not.
async fn opens(c: &College, half: &HalfSignIn, code: &str) -> Result<CameIn, Problem> {
    opens_at(c, half, code, None).await
}

async fn opens_at(c: &College, half: &HalfSignIn, code: &str, source: Option<IpAddr>) -> Result<CameIn, Problem> {
    c.caseload.factors().second_step(half, code, source, None, Some("s-1"), None).await.map_err(Problem::from)
}

/// The code of a refusal, or `in`.
async fn outcome(c: &College, half: &HalfSignIn, code: &str) -> String {
    match opens(c, half, code).await {
        Ok(_) => "in".to_owned(),
        Err(problem) => problem.code.to_string(),
    }
}

async fn of_action(c: &College, action: &str) -> i64 {
    c.count("SELECT COUNT(*) FROM audit WHERE action = $1", [action.into()]).await
}

async fn an_app_counts_once_a_code_of_it_was_right(on: On) {
    let c = college(on).await;
    let (key, coach) = (AppKey::draw(), proven(&c, &c.coach).await);
    for code in ["", "12345", "k7dm-2vqx", &wrong(&c, &key).await, &shown(&c, &key, -2).await] {
        let refused = Problem::from(c.caseload.factors().confirm_app(&coach, &key, code).await.unwrap_err());
        assert!(refused.message_for("code").is_some(), "{code}: {refused:?}");
    }
    assert_eq!(c.caseload.factors().second_factor(&coach).await.unwrap(), None);
    let set_up = c.caseload.factors().confirm_app(&coach, &key, &shown(&c, &key, 0).await).await.unwrap();
    assert_eq!(set_up.codes.len(), RECOVERY_CODES);
    // Whoever sat at another browser is out, and this session goes on.
    assert!(c.at_next_request(c.coach.person_id, c.coach.session_version).await.is_none());
    let coach = c.at_next_request(c.coach.person_id, set_up.session_version).await.unwrap();
    assert_eq!(c.caseload.factors().second_factor(&coach).await.unwrap().unwrap().codes_left, RECOVERY_CODES as u64);
    assert_eq!(of_action(&c, "account.factor").await, 1);
    // The code by which it was confirmed has been used.
    assert_eq!(outcome(&c, &half(&c).await, &shown(&c, &key, 0).await).await, "code_used");
}

async fn a_password_alone_opens_nothing_any_more(on: On) {
    let c = college(on).await;
    set_up(&c, &c.coach, &AppKey::draw()).await;
    let begun = of_action(&c, "session.begin").await;
    let refused = c.caseload.accounts().sign_in("coach", PASSWORD, at(2, 1)).await.unwrap_err();
    assert_eq!(Problem::from(refused).code.as_str(), "second_factor_required");
    assert_eq!((of_action(&c, "session.begin").await, of_action(&c, "session.half").await), (begun, 1));
    // Nobody learns from a wrong password that there is more.
    let refused = c.caseload.accounts().sign_in("coach", "wrong", at(2, 1)).await.unwrap_err();
    assert_eq!(Problem::from(refused).code.as_str(), "sign_in_failed");
    // Nor is a place known where somebody had the password alone.
    let place = "SELECT COUNT(*) FROM known_place WHERE place = '192.0.2.1'";
    assert_eq!(c.count(place, []).await, 0);
    assert!(c.caseload.accounts().sign_in("manager", PASSWORD, None).await.is_ok());
}

async fn a_code_opens_an_account_once(on: On) {
    let c = college(on).await;
    let key = AppKey::draw();
    set_up(&c, &c.coach, &key).await;
    let (one, other) = (half(&c).await, half(&c).await);
    let code = shown(&c, &key, 0).await;
    assert_eq!(outcome(&c, &one, &wrong(&c, &key).await).await, "code_wrong");
    let spaced = format!("{} {}", &code[..3], &code[3..]);
    let came_in = opens_at(&c, &one, &spaced, at(2, 1)).await.unwrap();
    assert_eq!((came_in.actor.person_id, of_action(&c, "session.begin").await), (c.coach.person_id, 1));
    assert_eq!(outcome(&c, &other, &code).await, "code_used");
    // Nor does one of before, which would still count by the clock.
    assert_eq!(outcome(&c, &other, &shown(&c, &key, -1).await).await, "code_used");
    c.test.clock.advance(HALF_A_MINUTE);
    assert_eq!(outcome(&c, &other, &code).await, "code_used");
    assert_eq!(outcome(&c, &other, &shown(&c, &key, 0).await).await, "in");
    let place = "SELECT COUNT(*) FROM known_place WHERE place = '192.0.2.1'";
    assert_eq!(c.count(place, []).await, 1);
}

async fn of_two_who_show_the_same_code_at_once_one_comes_in(on: On) {
    let c = college(on).await;
    let key = AppKey::draw();
    let codes = set_up(&c, &c.coach, &key).await;
    for code in [shown(&c, &key, 0).await, codes[0].clone()] {
        let halves = [half(&c).await, half(&c).await, half(&c).await];
        let [a, b, d] = &halves;
        let all = tokio::join!(opens(&c, a, &code), opens(&c, b, &code), opens(&c, d, &code));
        let came_in = [all.0.is_ok(), all.1.is_ok(), all.2.is_ok()];
        assert_eq!(came_in.iter().filter(|is_in| **is_in).count(), 1, "{code}: {came_in:?}");
    }
}

async fn a_phone_may_be_half_a_minute_off(on: On) {
    let c = college(on).await;
    let key = AppKey::draw();
    set_up(&c, &c.coach, &key).await;
    c.test.clock.advance(HALF_A_MINUTE * 4);
    let half = half(&c).await;
    let mut came = Vec::new();
    for steps in [-2, 2, -1, 0, 1] {
        came.push(outcome(&c, &half, &shown(&c, &key, steps).await).await);
    }
    assert_eq!(came, ["code_wrong", "code_wrong", "in", "in", "in"]);
}

async fn wrong_codes_are_slowed_down_and_keep_nobody_from_their_password(on: On) {
    let c = college(on).await;
    let key = AppKey::draw();
    set_up(&c, &c.coach, &key).await;
    let stranger = half_as(&c, "coach", PASSWORD, at(0, 1)).await;
    let mut tried = 0;
    while opens_at(&c, &stranger, &wrong(&c, &key).await, at(0, 1)).await.unwrap_err().status == 401 {
        tried += 1;
        assert!(tried <= 10, "more than ten guesses");
    }
    assert_eq!(tried, 10);
    let refused = opens_at(&c, &stranger, &shown(&c, &key, 0).await, at(0, 1)).await.unwrap_err();
    assert_eq!((refused.status, refused.code.as_str()), (429, "throttled"));
    // Whoever begins anew there has no guesses more, and their password is typed as ever.
    let anew = half_as(&c, "coach", PASSWORD, at(0, 1)).await;
    assert_eq!(opens_at(&c, &anew, &shown(&c, &key, 0).await, at(0, 1)).await.unwrap_err().status, 429);
    // Elsewhere a code is, too.
    let elsewhere = half_as(&c, "coach", PASSWORD, at(2, 1)).await;
    assert!(opens_at(&c, &elsewhere, &shown(&c, &key, 0).await, at(2, 1)).await.is_ok());
    // From wherever they come, they are forty a day.
    for host in 2..=60 {
        let stranger = half_as(&c, "coach", PASSWORD, at(host, 9)).await;
        tried += u32::from(opens_at(&c, &stranger, "000000", at(host, 9)).await.is_err_and(|no| no.status == 401));
    }
    assert_eq!(tried, 40);
    c.test.clock.advance(Duration::from_secs(86_400));
    let stranger = half_as(&c, "coach", PASSWORD, at(0, 1)).await;
    assert!(opens_at(&c, &stranger, &shown(&c, &key, 0).await, at(0, 1)).await.is_ok());
}

async fn codes_that_are_guessed_elsewhere_do_not_keep_the_owner_out_of_their_browser(on: On) {
    let c = college(on).await;
    let key = AppKey::draw();
    set_up(&c, &c.coach, &key).await;
    let browser = Browser::after(None, c.coach.person_id);
    for host in 1..=60 {
        let stranger = half_as(&c, "coach", PASSWORD, at(host, 9)).await;
        let _ = opens_at(&c, &stranger, "000000", at(host, 9)).await;
    }
    let half = half(&c).await;
    assert_eq!(opens_at(&c, &half, &shown(&c, &key, 0).await, at(99, 9)).await.unwrap_err().status, 429);
    let code = shown(&c, &key, 0).await;
    let came_in = c.caseload.factors().second_step(&half, &code, at(99, 9), Some(&browser), None, None).await;
    assert!(came_in.is_ok());
}

async fn a_recovery_code_opens_an_account_once(on: On) {
    let c = college(on).await;
    let codes = set_up(&c, &c.coach, &AppKey::draw()).await;
    let half = half(&c).await;
    let typed = format!(" {} ", codes[3].to_uppercase().replace('-', " "));
    assert_eq!(outcome(&c, &half, &typed).await, "in");
    assert_eq!(outcome(&c, &half, &codes[3]).await, "code_wrong");
    assert_eq!(outcome(&c, &half, &codes[7]).await, "in");
    let left = c.caseload.factors().second_factor(&c.coach).await.unwrap().unwrap().codes_left;
    assert_eq!((left, of_action(&c, "account.recovery_use").await), (6, 2));
    // Nobody else's.
    let others = set_up(&c, &c.manager, &AppKey::draw()).await;
    assert_eq!(outcome(&c, &half, &others[0]).await, "code_wrong");
}

async fn new_recovery_codes_take_the_place_of_all_former_ones(on: On) {
    let c = college(on).await;
    let coach = proven(&c, &c.coach).await;
    let none = Problem::from(c.caseload.factors().new_recovery_codes(&coach).await.unwrap_err());
    assert_eq!(none.code.as_str(), "no_second_factor");
    let former = set_up(&c, &c.coach, &AppKey::draw()).await;
    // The session from before the app has ended.
    let ended = Problem::from(c.caseload.factors().new_recovery_codes(&coach).await.unwrap_err());
    assert_eq!(ended.status, 401);
    let coach = proven(&c, &now(&c, &c.coach).await).await;
    let codes = c.caseload.factors().new_recovery_codes(&coach).await.unwrap();
    assert!(codes.len() == RECOVERY_CODES && codes.iter().all(|code| !former.contains(code)));
    let half = half(&c).await;
    assert_eq!([outcome(&c, &half, &former[0]).await, outcome(&c, &half, &codes[0]).await], ["code_wrong", "in"]);
    assert_eq!(of_action(&c, "account.recovery_codes").await, 1);
}

/// A browser of the coach's, as it is once they have said that no code is to be asked there.
fn trusted(c: &College) -> Browser {
    Browser::after(None, c.coach.person_id).trusted_by(c.coach.person_id)
}

/// Whether somebody is asked for a code in this browser.
async fn is_asked(c: &College, username: &str, password: &str, browser: &Browser) -> bool {
    let step = c.caseload.factors().first_step(username, password, None, Some(browser), None).await.unwrap();
    matches!(step, FirstStep::Asked(_))
}

/// Comes in by a code, in a browser that is remembered from then on.
async fn come_in_at(c: &College, key: &AppKey, password: &str, browser: &Browser) {
    let half = half_as(c, "coach", password, None).await;
    let code = shown(c, key, 0).await;
    c.caseload.factors().second_step(&half, &code, None, None, None, Some(browser)).await.unwrap();
    c.test.clock.advance(HALF_A_MINUTE);
    assert!(!is_asked(c, "coach", password, browser).await);
}

async fn a_browser_that_is_remembered_is_asked_for_no_code_for_thirty_days(on: On) {
    let c = college(on).await;
    let key = AppKey::draw();
    set_up(&c, &c.coach, &key).await;
    set_up(&c, &c.manager, &AppKey::draw()).await;
    let browser = trusted(&c);
    assert!(is_asked(&c, "coach", PASSWORD, &browser).await, "nobody has said so");
    // Nor does a wrong code make it so.
    let half = half(&c).await;
    c.caseload.factors().second_step(&half, "000000", None, None, None, Some(&browser)).await.unwrap_err();
    assert!(is_asked(&c, "coach", PASSWORD, &browser).await);
    come_in_at(&c, &key, PASSWORD, &browser).await;
    // It is the same browser with others in it, another one is not, and others are asked there.
    assert!(!is_asked(&c, "coach", PASSWORD, &Browser::after(Some(&browser), c.manager.person_id)).await);
    assert!(is_asked(&c, "coach", PASSWORD, &trusted(&c)).await);
    assert!(is_asked(&c, "manager", PASSWORD, &browser).await);
    assert!(c.caseload.factors().first_step("coach", "wrong", None, Some(&browser), None).await.is_err());
    c.test.clock.advance(Duration::from_secs(29 * 86_400));
    assert!(!is_asked(&c, "coach", PASSWORD, &browser).await);
    c.test.clock.advance(Duration::from_secs(86_400));
    assert!(is_asked(&c, "coach", PASSWORD, &browser).await);
    // What is over is cleared away with the next one.
    come_in_at(&c, &key, PASSWORD, &trusted(&c)).await;
    assert_eq!(c.count("SELECT COUNT(*) FROM remembered_browser", []).await, 1);
}

/// Whoever used that browser before has perhaps kept its cookie.
async fn what_a_browser_carried_before_it_was_remembered_is_no_way_past_the_code(on: On) {
    let c = college(on).await;
    let key = AppKey::draw();
    set_up(&c, &c.coach, &key).await;
    let before = Browser::after(None, c.manager.person_id);
    let browser = Browser::after(Some(&before), c.coach.person_id).trusted_by(c.coach.person_id);
    come_in_at(&c, &key, PASSWORD, &browser).await;
    assert!(is_asked(&c, "coach", PASSWORD, &before).await);
    assert!(is_asked(&c, "coach", PASSWORD, &Browser::after(Some(&before), c.coach.person_id)).await);
    // Nor is what it carried for somebody who has not been there for long.
    let crowded = (0..20).fold(browser.clone(), |browser, n| Browser::after(Some(&browser), AccountId::from_u128(n)));
    assert!(is_asked(&c, "coach", PASSWORD, &crowded).await);
    assert!(!is_asked(&c, "coach", PASSWORD, &browser).await);
}

async fn a_browser_is_forgotten_with_the_password_the_app_and_all_sessions(on: On) {
    let c = college(on).await;
    let (key, browser) = (AppKey::draw(), trusted(&c));
    set_up(&c, &c.coach, &key).await;
    come_in_at(&c, &key, PASSWORD, &browser).await;
    c.caseload.accounts().end_sessions(&now(&c, &c.coach).await, false).await.unwrap();
    assert!(is_asked(&c, "coach", PASSWORD, &browser).await, "all sessions have ended");
    come_in_at(&c, &key, PASSWORD, &browser).await;
    set_up(&c, &c.coach, &key).await;
    assert!(is_asked(&c, "coach", PASSWORD, &browser).await, "the app was replaced");
    come_in_at(&c, &key, PASSWORD, &browser).await;
    c.caseload.by_command().set_password("coach", NewPassword::Chosen(OTHER.to_owned())).await.unwrap();
    assert!(is_asked(&c, "coach", OTHER, &browser).await, "the password is another one");

    come_in_at(&c, &key, OTHER, &browser).await;
    c.caseload.accounts().change_password(&now(&c, &c.coach).await, OTHER, PASSWORD).await.unwrap();
    assert!(is_asked(&c, "coach", PASSWORD, &browser).await, "its owner has changed the password");

    let (users, admin) = (c.caseload.users(), proven(&c, &c.administrator).await);
    come_in_at(&c, &key, PASSWORD, &browser).await;
    users.disable(&admin, c.coach.person_id, "away").await.unwrap();
    users.enable(&admin, c.coach.person_id, "back").await.unwrap();
    assert!(is_asked(&c, "coach", PASSWORD, &browser).await, "the account was disabled");

    come_in_at(&c, &key, PASSWORD, &browser).await;
    users.reset_second_factor(&admin, c.coach.person_id, "lost").await.unwrap();
    set_up(&c, &c.coach, &key).await;
    assert!(is_asked(&c, "coach", PASSWORD, &browser).await, "the second factor was reset");

    come_in_at(&c, &key, PASSWORD, &browser).await;
    let given = users.reset_password(&admin, c.coach.person_id, "forgotten").await.unwrap().password;
    assert!(is_asked(&c, "coach", &given, &browser).await, "an administrator gave another password");
}

/// Waits until a statement waits for the account, where there is such a thing.
async fn until_waiting(c: &College, on: On) {
    let waiting = "SELECT COUNT(*) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%account%FOR UPDATE%'";
    while on == On::Postgres && c.count(waiting, []).await == 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Whoever has got hold of the password and a code is out with the password, however close together it is.
async fn a_code_that_comes_beside_another_password_opens_nothing_and_is_remembered_nowhere(on: On) {
    let c = college(on).await;
    let (key, browser) = (AppKey::draw(), trusted(&c));
    set_up(&c, &c.coach, &key).await;
    let (half, code) = (half(&c).await, shown(&c, &key, 0).await);
    let txn = c.test.db.begin_write().await.unwrap();
    let ends = "UPDATE account SET session_version = session_version + 1 WHERE person_id = $1";
    txn.execute_raw(c.test.db.statement(ends, [c.coach.person_id.into()])).await.unwrap();
    let factors = c.caseload.factors();
    let (came_in, ()) = tokio::join!(factors.second_step(&half, &code, None, None, None, Some(&browser)), async {
        until_waiting(&c, on).await;
        c.test.db.commit(txn).await.unwrap();
    });
    assert_eq!(Problem::from(came_in.unwrap_err()).code.as_str(), "sign_in_over");
    assert_eq!(c.count("SELECT COUNT(*) FROM remembered_browser", []).await, 0);
    assert_eq!(outcome(&c, &self::half(&c).await, &code).await, "in", "the code has not been used up");
}

async fn of_two_who_set_up_an_app_in_one_session_at_once_one_does(on: On) {
    let c = college(on).await;
    let (key, coach) = (AppKey::draw(), proven(&c, &c.coach).await);
    let (code, factors) = (shown(&c, &key, 0).await, c.caseload.factors());
    let all = tokio::join!(
        factors.confirm_app(&coach, &key, &code),
        factors.confirm_app(&coach, &key, &code),
        factors.confirm_app(&coach, &key, &code)
    );
    let set_up: Vec<_> = [all.0, all.1, all.2].into_iter().filter_map(Result::ok).collect();
    assert_eq!(set_up.len(), 1, "and the recovery codes that one has seen are those that count");
    c.test.clock.advance(HALF_A_MINUTE);
    assert_eq!(outcome(&c, &half(&c).await, &set_up[0].codes[0]).await, "in");
    assert_eq!(c.count("SELECT COUNT(*) FROM recovery_code", []).await, RECOVERY_CODES as i64);
}

async fn a_sign_in_that_waits_ends_with_the_account_the_password_and_its_five_minutes(on: On) {
    let c = college(on).await;
    let key = AppKey::draw();
    let codes = set_up(&c, &c.coach, &key).await;
    let over = async |half: &HalfSignIn, what: &str| {
        for code in [shown(&c, &key, 0).await, codes[0].clone(), "000000".to_owned()] {
            assert_eq!(outcome(&c, half, &code).await, "sign_in_over", "{what}");
        }
    };
    let waiting = half(&c).await;
    c.caseload.by_command().disable("coach").await.unwrap();
    over(&waiting, "disabled").await;
    let admin = proven(&c, &c.administrator).await;
    c.caseload.users().enable(&admin, c.coach.person_id, "back").await.unwrap();
    over(&waiting, "disabled and enabled again").await;

    let waiting = half(&c).await;
    c.caseload.by_command().set_password("coach", NewPassword::Chosen(OTHER.to_owned())).await.unwrap();
    over(&waiting, "another password").await;

    let waiting = half_as(&c, "coach", OTHER, None).await;
    c.test.clock.advance(Duration::from_secs(300));
    over(&waiting, "five minutes").await;

    let waiting = half_as(&c, "coach", OTHER, None).await;
    assert!(c.caseload.by_command().reset_second_factor("coach").await.unwrap());
    over(&waiting, "without a second factor").await;
    assert!(c.caseload.accounts().sign_in("coach", OTHER, None).await.is_ok());
}

async fn a_password_made_for_somebody_is_not_used_up_by_a_wrong_code(on: On) {
    let c = college(on).await;
    let key = AppKey::draw();
    set_up(&c, &c.coach, &key).await;
    c.caseload.by_command().set_password("coach", NewPassword::ForOnce(OTHER.to_owned())).await.unwrap();
    let first = half_as(&c, "coach", OTHER, None).await;
    assert_eq!(outcome(&c, &first, "000000").await, "code_wrong");
    let second = half_as(&c, "coach", OTHER, None).await;
    let came_in = opens(&c, &second, &shown(&c, &key, 0).await).await.unwrap();
    assert!(came_in.actor.must_change, "it is to be changed");
    c.test.clock.advance(HALF_A_MINUTE);
    assert_eq!(outcome(&c, &first, &shown(&c, &key, 0).await).await, "password_spent", "it opens one session");
}

async fn another_app_takes_the_place_of_the_former_one_once_it_is_confirmed(on: On) {
    let c = college(on).await;
    let (old, new) = (AppKey::draw(), AppKey::draw());
    let codes = set_up(&c, &c.coach, &old).await;
    let coach = proven(&c, &now(&c, &c.coach).await).await;
    c.caseload.factors().confirm_app(&coach, &new, &shown(&c, &old, 0).await).await.unwrap_err();
    assert_eq!(outcome(&c, &half(&c).await, &shown(&c, &old, 0).await).await, "in", "the old one counts still");
    let replaced = c.caseload.factors().confirm_app(&coach, &new, &shown(&c, &new, 0).await).await.unwrap();
    assert_eq!(replaced.codes, Vec::<String>::new());
    assert!(c.at_next_request(coach.person_id, coach.session_version).await.is_none());
    c.test.clock.advance(HALF_A_MINUTE);
    let half = half(&c).await;
    assert_eq!(outcome(&c, &half, &shown(&c, &old, 0).await).await, "code_wrong");
    assert_eq!(outcome(&c, &half, &shown(&c, &new, 0).await).await, "in");
    assert_eq!(outcome(&c, &half, &codes[0]).await, "in", "recovery codes stay");
    assert_eq!(of_action(&c, "account.factor_replace").await, 1);
}

async fn whoever_must_have_a_second_factor_cannot_remove_it(on: On) {
    let c = under(on, SecondFactorRule::Administrators, Mail::none()).await;
    for actor in [&c.coach, &c.administrator] {
        set_up(&c, actor, &AppKey::draw()).await;
    }
    let accounts = c.caseload.accounts();
    let admin = proven(&c, &now(&c, &c.administrator).await).await;
    assert_eq!(Problem::from(c.caseload.factors().remove_app(&admin).await.unwrap_err()).status, 403);
    let coach = proven(&c, &now(&c, &c.coach).await).await;
    let version = c.caseload.factors().remove_app(&coach).await.unwrap();
    assert!(c.at_next_request(coach.person_id, coach.session_version).await.is_none());
    assert!(c.at_next_request(coach.person_id, version).await.is_some());
    assert_eq!(c.count("SELECT COUNT(*) FROM recovery_code", []).await, RECOVERY_CODES as i64, "those of the other");
    assert!(accounts.sign_in("coach", PASSWORD, None).await.is_ok());
    let coach = proven(&c, &now(&c, &c.coach).await).await;
    assert_eq!(
        Problem::from(c.caseload.factors().remove_app(&coach).await.unwrap_err()).code.as_str(),
        "no_second_factor"
    );
    assert_eq!(of_action(&c, "account.factor_remove").await, 1);
}

async fn who_must_set_one_up_goes_by_the_rule_and_the_role(on: On) {
    for (rule, coach, admin) in [
        (SecondFactorRule::Off, false, false),
        (SecondFactorRule::Administrators, false, true),
        (SecondFactorRule::Everybody, true, true),
    ] {
        let c = under(on, rule, Mail::none()).await;
        let must = [
            c.caseload.factors().must_set_up(&c.coach).await.unwrap(),
            c.caseload.factors().must_set_up(&c.administrator).await.unwrap(),
        ];
        assert_eq!(must, [coach, admin], "{rule:?}");
        set_up(&c, &c.administrator, &AppKey::draw()).await;
        assert!(!c.caseload.factors().must_set_up(&c.administrator).await.unwrap(), "{rule:?}");
    }
}

async fn what_is_lost_is_reset_by_an_administrator_or_a_command_and_the_owner_hears_of_it(on: On) {
    let sink = SmtpSink::start().unwrap();
    let mail = Mail::new(MailSettings { smtp_url: Some(sink.url()), ..MailSettings::default() }).unwrap();
    let c = under(on, SecondFactorRule::Off, mail).await;
    let gets = async |account: AccountId, address: &str| {
        let sql = "UPDATE person SET primary_email = $1, email_key = $1 WHERE id = $2";
        c.write(sql, [address.into(), account.into()]).await;
    };
    gets(c.coach.person_id, "p.nwachukwu@college.example").await;
    let (users, admin) = (c.caseload.users(), proven(&c, &c.administrator).await);
    let reset = async |id: AccountId, reason: &str| {
        users.reset_second_factor(&admin, id, reason).await.map_err(|error| Problem::from(error).code.to_string())
    };
    assert_eq!(reset(c.coach.person_id, "lost").await, Err("no_second_factor".to_owned()));
    let codes = set_up(&c, &c.coach, &AppKey::draw()).await;
    assert_eq!(outcome(&c, &half(&c).await, &codes[0]).await, "in");
    assert_eq!(users.second_factor(&admin, c.coach.person_id).await.unwrap().unwrap().codes_left, 7);
    assert_eq!(reset(c.coach.person_id, "").await, Err("invalid".to_owned()));
    set_up(&c, &c.administrator, &AppKey::draw()).await;
    assert_eq!(reset(c.administrator.person_id, "mine").await, Err("yourself".to_owned()));
    let before = now(&c, &c.coach).await.session_version;
    assert_eq!(reset(c.coach.person_id, "a new phone").await, Ok(()));
    assert!(c.at_next_request(c.coach.person_id, before).await.is_none(), "their sessions have ended");
    assert!(c.caseload.accounts().sign_in("coach", PASSWORD, None).await.is_ok());
    let coach = proven(&c, &c.coach).await;
    assert_eq!(Problem::from(users.second_factor(&coach, c.coach.person_id).await.unwrap_err()).status, 403);

    set_up(&c, &c.coach, &AppKey::draw()).await;
    assert!(c.caseload.by_command().reset_second_factor("coach").await.unwrap());
    assert!(!c.caseload.by_command().reset_second_factor("coach").await.unwrap());
    assert_eq!(of_action(&c, "account.factor_reset").await, 2);
    let said = c.count("SELECT COUNT(*) FROM audit WHERE detail LIKE '%a new phone%'", []).await;
    assert_eq!(said, 1);

    c.send_notices(true).await;
    let mut subjects: Vec<String> = Vec::new();
    for letter in sink.taken().unwrap() {
        assert_eq!(letter.to, ["p.nwachukwu@college.example"]);
        subjects
            .extend(letter.data.lines().filter_map(|line| line.strip_prefix("Subject: Docket: ")).map(str::to_owned));
    }
    subjects.sort();
    let set_up = "an authenticator app was set up";
    let was_reset = "your second factor was reset";
    assert_eq!(subjects, ["a recovery code was used", set_up, set_up, was_reset, was_reset]);
}

async fn the_key_of_an_app_is_sealed_and_a_code_is_kept_as_a_password_is(on: On) {
    let c = college(on).await;
    let key = AppKey::draw();
    let codes = set_up(&c, &c.coach, &key).await;
    let sealed = "SELECT COUNT(*) FROM authenticator_app WHERE sealed_key LIKE 'sealed:%' AND sealed_key NOT LIKE $1";
    assert_eq!(c.count(sealed, [format!("%{}%", key.base32()).into()]).await, 1);
    let hashed = "SELECT COUNT(DISTINCT code_hash) FROM recovery_code WHERE code_hash LIKE $1";
    assert_eq!(c.count(hashed, ["$argon2id$%".into()]).await, codes.len() as i64);
    // A process that has no key of the server reads nobody's, and lets nobody in for that.
    let other =
        crate::college::opened(&c.test, Mail::none(), caseload::Limits::default(), caseload::files::Files::in_memory());
    let half = half(&c).await;
    let code = shown(&c, &key, 0).await;
    assert!(matches!(
        other.factors().second_step(&half, &code, None, None, None, None).await,
        Err(caseload::Error::Internal(_))
    ));
}
