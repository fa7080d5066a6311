//! Passkeys: what a device has to say to be taken, what is refused, and what ends with one.

use std::{net::IpAddr, time::Duration};

use caseload::{
    Actor, AskedForPasskey, FirstStep, Limits, NewPassword, PasskeyAdded, PasskeyAnswer, Reauthenticated,
    mail::{Mail, MailSettings},
    second_factor::{AskedFor, CameIn, HalfSignIn, RECOVERY_CODES, Sealing, SecondFactorRule, SecondFactors},
};
use model::{Problem, account::Passkey};
use serde_json::json;
use testkit::{On, PasskeyDevice, SmtpSink};

use crate::college::{College, PASSWORD};

testkit::on_both!(
    a_passkey_is_a_second_factor_from_the_day_on_which_it_is_added,
    a_passkey_that_made_sure_of_its_owner_is_the_whole_of_a_sign_in,
    an_answer_counts_once,
    an_answer_is_for_the_browser_that_was_asked_the_account_and_what_it_was_asked_for,
    an_answer_that_comes_too_late_counts_no_more,
    an_answer_of_another_page_another_host_or_another_key_is_refused,
    what_made_sure_of_nobody_is_a_second_factor_and_no_more,
    a_counter_that_goes_back_is_refused_and_told,
    whoever_may_not_come_in_does_not_by_a_passkey,
    a_passkey_of_nobody_is_refused_as_one_of_somebody_and_slowed_down,
    an_account_has_as_many_passkeys_as_the_settings_say_each_once,
    what_is_asked_and_not_answered_is_bounded,
    the_last_second_factor_takes_the_recovery_codes_with_it,
    whoever_must_have_a_second_factor_is_content_with_a_passkey_and_keeps_one,
    a_reset_takes_the_passkeys_too_and_the_owner_hears_of_all_of_it,
    without_a_name_in_the_address_there_are_none,
);

const ORIGIN: &str = "https://docket.example";
const HOST: &str = "docket.example";

/// Nothing is sealed here.
struct Plain;

impl Sealing for Plain {
    fn seal(&self, text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    fn open(&self, sealed: &str) -> Option<String> {
        Some(sealed.to_owned())
    }
}

fn mail(public_url: &str, smtp_url: Option<String>) -> Mail {
    Mail::new(MailSettings { public_url: public_url.to_owned(), smtp_url, ..MailSettings::default() }).unwrap()
}

async fn college(on: On) -> College {
    under(on, SecondFactorRule::Off, mail(ORIGIN, None), Limits::default()).await
}

async fn under(on: On, rule: SecondFactorRule, mail: Mail, limits: Limits) -> College {
    let c = College::within(on, 0, mail, limits).await;
    c.caseload.with_second_factors(SecondFactors { rule, sealing: std::sync::Arc::new(Plain) });
    c
}

fn device() -> PasskeyDevice {
    PasskeyDevice::new(ORIGIN, HOST)
}

/// What is wrong with a device.
type Bend = fn(&mut PasskeyDevice);

/// One that says to be this, and has another key.
fn forged(of: &PasskeyDevice) -> PasskeyDevice {
    let mut forged = device();
    (forged.key_id, forged.account) = (of.key_id.clone(), of.account.clone());
    forged
}

async fn now(c: &College, actor: &Actor) -> Actor {
    for version in 0..20 {
        let account = c.caseload.accounts();
        let found = account.actor_of_session(actor.person_id, version, caseload::Via::command()).await.unwrap();
        if let Some(found) = found {
            return found;
        }
    }
    panic!("the account is disabled");
}

async fn proven(c: &College, actor: &Actor) -> Reauthenticated {
    c.caseload.accounts().prove(&now(c, actor).await, None, Some(PASSWORD)).await.unwrap()
}

fn given<'a>(asked: &'a AskedForPasskey, answer: &'a str) -> PasskeyAnswer<'a> {
    PasskeyAnswer { secret: &asked.secret, answer }
}

/// Adds a passkey of this device, or says why not.
async fn added(c: &College, actor: &Actor, device: &mut PasskeyDevice, name: &str) -> Result<PasskeyAdded, Problem> {
    let actor = proven(c, actor).await;
    let asked = c.caseload.passkeys().ask_to_add(&actor).await?;
    let answer = device.create(&asked.options);
    Ok(c.caseload.passkeys().add(&actor, name, given(&asked, &answer)).await?)
}

async fn add(c: &College, actor: &Actor) -> PasskeyDevice {
    let mut device = device();
    added(c, actor, &mut device, "My phone").await.unwrap();
    device
}

async fn half(c: &College) -> HalfSignIn {
    match c.caseload.factors().first_step("coach", PASSWORD, None, None, None).await.unwrap() {
        FirstStep::Asked(half) => half,
        FirstStep::CameIn(_) => panic!("a password alone was enough"),
    }
}

async fn beside(c: &College, half: &HalfSignIn, given: PasskeyAnswer<'_>) -> Result<CameIn, Problem> {
    c.caseload.factors().second_step_by_passkey(half, given, None, None, Some("s-1"), None).await.map_err(Problem::from)
}

/// Comes in after the password; the code of a refusal, or `in`.
async fn second(c: &College, device: &mut PasskeyDevice) -> String {
    let half = half(c).await;
    let asked = c.caseload.passkeys().ask_beside_password(&half).await.unwrap();
    said(beside(c, &half, given(&asked, &device.sign(&asked.options))).await)
}

async fn whole_at(c: &College, given: PasskeyAnswer<'_>, source: Option<IpAddr>) -> Result<Actor, Problem> {
    c.caseload.passkeys().sign_in(given, source, None, Some("s-2")).await.map_err(Problem::from)
}

/// Comes in with nothing else.
async fn whole(c: &College, device: &mut PasskeyDevice) -> String {
    let asked = c.caseload.passkeys().ask_anybody().await.unwrap();
    said(whole_at(c, given(&asked, &device.sign(&asked.options)), None).await)
}

fn said<T>(outcome: Result<T, Problem>) -> String {
    outcome.map_or_else(|problem| problem.code.to_string(), |_| "in".to_owned())
}

async fn passkeys(c: &College, actor: &Actor) -> Vec<Passkey> {
    c.caseload.factors().second_factor(actor).await.unwrap().map(|factor| factor.passkeys).unwrap_or_default()
}

async fn of_action(c: &College, action: &str) -> i64 {
    c.count("SELECT COUNT(*) FROM audit WHERE action = $1", [action.into()]).await
}

const REFUSED: &str = "passkey_refused";

async fn a_passkey_is_a_second_factor_from_the_day_on_which_it_is_added(on: On) {
    let c = college(on).await;
    assert!(c.caseload.accounts().sign_in("coach", PASSWORD, None).await.is_ok());
    let mut phone = device();
    let before = now(&c, &c.coach).await.session_version;
    let asked = c.caseload.passkeys().ask_to_add(&c.coach).await.unwrap().options;
    let algorithms: Vec<_> =
        asked["pubKeyCredParams"].as_array().unwrap().iter().map(|one| one["alg"].clone()).collect();
    assert_eq!(algorithms, [-8, -7, -257]);
    assert_eq!((&asked["attestation"], &asked["rp"]["id"]), (&json!("none"), &json!(HOST)));
    assert_eq!((&asked["user"]["name"], &asked["user"]["displayName"]), (&json!("coach"), &json!("Paul Nwachukwu")));
    assert_eq!(asked["authenticatorSelection"]["userVerification"], "preferred");
    let codes = added(&c, &c.coach, &mut phone, " My phone ").await.unwrap().codes;
    assert_eq!(codes.len(), RECOVERY_CODES);
    assert!(c.at_next_request(c.coach.person_id, before).await.is_none(), "all other sessions end");
    let kept = passkeys(&c, &c.coach).await;
    assert_eq!((kept[0].name.as_str(), kept[0].used, kept[0].signs_in_alone), ("My phone", None, true));
    assert_eq!(c.caseload.factors().asked_for(&half(&c).await).await.unwrap(), AskedFor { app: false, passkey: true });
    let half = half(&c).await;
    let asked = c.caseload.passkeys().ask_beside_password(&half).await.unwrap();
    assert_eq!(asked.options["allowCredentials"][0]["id"], json!(phone.key_id));
    assert_eq!(asked.options["userVerification"], "preferred");
    let came_in = beside(&c, &half, given(&asked, &phone.sign(&asked.options))).await.unwrap();
    assert_eq!(came_in.actor.person_id, c.coach.person_id);
    assert!(passkeys(&c, &c.coach).await[0].used.is_some());
    // What is lost is made good by a recovery code, and no code of an app is one of theirs.
    let by_code = async |code: &str| {
        said(c.caseload.factors().second_step(&half, code, None, None, None, None).await.map_err(Problem::from))
    };
    assert_eq!([by_code("123456").await, by_code(&codes[0]).await], ["code_wrong", "in"]);
    // A second one comes without codes.
    assert_eq!(added(&c, &c.coach, &mut device(), "My key").await.unwrap().codes, Vec::<String>::new());
    assert_eq!(of_action(&c, "account.passkey_add").await, 2);
}

async fn a_passkey_that_made_sure_of_its_owner_is_the_whole_of_a_sign_in(on: On) {
    let c = college(on).await;
    let mut phone = add(&c, &c.coach).await;
    let asked = c.caseload.passkeys().ask_anybody().await.unwrap();
    assert_eq!(asked.options["userVerification"], "required");
    assert_eq!(asked.options["allowCredentials"].as_array().map_or(0, Vec::len), 0, "nobody is named");
    let actor = whole_at(&c, given(&asked, &phone.sign(&asked.options)), None).await.unwrap();
    assert_eq!(actor.person_id, c.coach.person_id);
    let entry = "SELECT COUNT(*) FROM audit WHERE action = 'session.begin' AND credential = 'passkey'
                 AND detail LIKE '%\"session\":\"s-2\"%'";
    assert_eq!(c.count(entry, []).await, 1);
    assert_eq!(whole(&c, &mut phone).await, "in");
}

async fn an_answer_counts_once(on: On) {
    let c = college(on).await;
    let mut phone = add(&c, &c.coach).await;
    let asked = c.caseload.passkeys().ask_anybody().await.unwrap();
    let answer = phone.sign(&asked.options);
    assert_eq!(said(whole_at(&c, given(&asked, &answer), None).await), "in");
    assert_eq!(said(whole_at(&c, given(&asked, &answer), None).await), REFUSED, "replayed");
    let half = half(&c).await;
    let asked = c.caseload.passkeys().ask_beside_password(&half).await.unwrap();
    let answer = phone.sign(&asked.options);
    assert_eq!(said(beside(&c, &half, given(&asked, &answer)).await), "in");
    assert_eq!(said(beside(&c, &half, given(&asked, &answer)).await), REFUSED, "replayed");
    // A question is closed by a wrong answer as well.
    let asked = c.caseload.passkeys().ask_anybody().await.unwrap();
    assert_eq!(said(whole_at(&c, given(&asked, "{}"), None).await), REFUSED);
    assert_eq!(said(whole_at(&c, given(&asked, &phone.sign(&asked.options)), None).await), REFUSED);
    let admin = proven(&c, &c.administrator).await;
    let asked = c.caseload.passkeys().ask_to_add(&admin).await.unwrap();
    let answer = device().create(&asked.options);
    c.caseload.passkeys().add(&admin, "First", given(&asked, &answer)).await.unwrap();
    let admin = proven(&c, &c.administrator).await;
    let again = c.caseload.passkeys().add(&admin, "Again", given(&asked, &answer)).await.unwrap_err();
    assert_eq!(Problem::from(again).errors[0].field, "passkey");
}

async fn an_answer_is_for_the_browser_that_was_asked_the_account_and_what_it_was_asked_for(on: On) {
    let c = college(on).await;
    let mut phone = add(&c, &c.coach).await;
    let keys = c.caseload.passkeys();
    let (mine, others) = (keys.ask_anybody().await.unwrap(), keys.ask_anybody().await.unwrap());
    let answer = phone.sign(&mine.options);
    assert_eq!(said(whole_at(&c, given(&others, &answer), None).await), REFUSED, "of another visitor");
    for secret in ["", "x", &"x".repeat(10_000)] {
        assert_eq!(said(whole_at(&c, PasskeyAnswer { secret, answer: &answer }, None).await), REFUSED);
    }
    assert_eq!(said(whole_at(&c, given(&mine, &answer), None).await), "in", "the browser that was asked");
    // What was asked after a password is no whole sign-in, nor the other way round.
    let half = half(&c).await;
    let asked = keys.ask_beside_password(&half).await.unwrap();
    assert_eq!(said(whole_at(&c, given(&asked, &phone.sign(&asked.options)), None).await), REFUSED);
    let asked = keys.ask_anybody().await.unwrap();
    assert_eq!(said(beside(&c, &half, given(&asked, &phone.sign(&asked.options))).await), REFUSED);
    // What somebody else was asked to add is not added here.
    let (coach, admin) = (proven(&c, &c.coach).await, proven(&c, &c.administrator).await);
    let asked = keys.ask_to_add(&admin).await.unwrap();
    let answer = device().create(&asked.options);
    let refused = keys.add(&coach, "Theirs", given(&asked, &answer)).await.unwrap_err();
    assert_eq!(Problem::from(refused).errors[0].field, "passkey");
    // The passkey of another account is none beside this one's password.
    let mut of_admin = add(&c, &c.administrator).await;
    let asked = keys.ask_beside_password(&half).await.unwrap();
    assert_eq!(said(beside(&c, &half, given(&asked, &of_admin.sign(&asked.options))).await), REFUSED);
}

async fn an_answer_that_comes_too_late_counts_no_more(on: On) {
    let c = college(on).await;
    let mut phone = add(&c, &c.coach).await;
    let keys = c.caseload.passkeys();
    for (later, expected) in [(299, "in"), (300, REFUSED)] {
        let asked = keys.ask_anybody().await.unwrap();
        c.test.clock.advance(Duration::from_secs(later));
        assert_eq!(said(whole_at(&c, given(&asked, &phone.sign(&asked.options)), None).await), expected, "{later}");
    }
    let waiting = half(&c).await;
    let asked = keys.ask_beside_password(&waiting).await.unwrap();
    c.test.clock.advance(Duration::from_secs(300));
    assert_eq!(said(beside(&c, &waiting, given(&asked, &phone.sign(&asked.options))).await), "sign_in_over");
    assert_eq!(said(keys.ask_beside_password(&waiting).await.map_err(Problem::from)), "sign_in_over");
    // Questions that are over are cleared away by whoever asks next.
    keys.ask_anybody().await.unwrap();
    assert_eq!(c.count("SELECT COUNT(*) FROM passkey_question", []).await, 1);
}

async fn an_answer_of_another_page_another_host_or_another_key_is_refused(on: On) {
    let c = college(on).await;
    let phone = add(&c, &c.coach).await;
    let bent: [(&str, Bend); 4] = [
        ("another page", |device| device.origin = "https://docket.example.evil.example".to_owned()),
        ("a page in clear", |device| device.origin = "http://docket.example".to_owned()),
        ("another host", |device| device.host = "evil.example".to_owned()),
        ("another account", |device| device.account = "AAAAAAAAAAAAAAAAAAAAAA".to_owned()),
    ];
    for (what, bend) in bent {
        let mut bent = phone.clone();
        bend(&mut bent);
        assert_eq!(whole(&c, &mut bent).await, REFUSED, "{what}");
        assert_eq!(second(&c, &mut bent).await, REFUSED, "{what}");
    }
    // Signed by another key that says to be this one.
    let mut forged = forged(&phone);
    assert_eq!([whole(&c, &mut forged).await, second(&c, &mut forged).await], [REFUSED, REFUSED]);
    // Nor is one added that was made elsewhere.
    for (what, bend) in &bent[..3] {
        let mut bent = device();
        bend(&mut bent);
        let refused = added(&c, &c.coach, &mut bent, "Bent").await.unwrap_err();
        assert_eq!(refused.errors[0].field, "passkey", "{what}");
    }
    let mut phone = phone;
    assert_eq!([whole(&c, &mut phone).await, second(&c, &mut phone).await], ["in", "in"]);
}

async fn what_made_sure_of_nobody_is_a_second_factor_and_no_more(on: On) {
    let c = college(on).await;
    let mut key = device();
    key.verifies = false;
    added(&c, &c.coach, &mut key, "My key").await.unwrap();
    assert!(!passkeys(&c, &c.coach).await[0].signs_in_alone);
    assert_eq!([second(&c, &mut key).await, whole(&c, &mut key).await], ["in", REFUSED]);
    // One that makes sure of its owner, and forgot to this once.
    let mut phone = add(&c, &c.coach).await;
    phone.verifies = false;
    assert_eq!([second(&c, &mut phone).await, whole(&c, &mut phone).await], ["in", REFUSED]);
    phone.verifies = true;
    assert_eq!(whole(&c, &mut phone).await, "in");
    let mut hidden = device();
    hidden.finds_by_itself = false;
    added(&c, &c.coach, &mut hidden, "Another").await.unwrap();
    assert!(!passkeys(&c, &c.coach).await[2].signs_in_alone);
}

async fn a_counter_that_goes_back_is_refused_and_told(on: On) {
    let sink = SmtpSink::start().unwrap();
    let c = under(on, SecondFactorRule::Off, mail(ORIGIN, Some(sink.url())), Limits::default()).await;
    c.write(
        "UPDATE person SET primary_email = 'p@college.example', email_key = 'p@college.example' WHERE id = $1",
        [c.coach.person_id.into()],
    )
    .await;
    let mut phone = add(&c, &c.coach).await;
    let mut copy = phone.clone();
    assert_eq!([whole(&c, &mut phone).await, whole(&c, &mut phone).await], ["in", "in"]);
    assert_eq!(whole(&c, &mut copy).await, REFUSED, "its counter is behind");
    assert_eq!(of_action(&c, "account.passkey_suspect").await, 1);
    copy.counter = phone.counter - 1;
    assert_eq!(second(&c, &mut copy).await, REFUSED, "the same count again");
    assert_eq!(of_action(&c, "account.passkey_suspect").await, 2);
    // Whoever has no such key tells nothing of the counter.
    let mut forged = forged(&phone);
    assert_eq!(whole(&c, &mut forged).await, REFUSED);
    assert_eq!(of_action(&c, "account.passkey_suspect").await, 2);
    assert_eq!(whole(&c, &mut phone).await, "in");
    c.send_notices(true).await;
    let told = sink.taken().unwrap().into_iter().filter(|letter| letter.data.contains("may have been copied")).count();
    assert_eq!(told, 2);
}

async fn whoever_may_not_come_in_does_not_by_a_passkey(on: On) {
    let c = college(on).await;
    let mut phone = add(&c, &c.coach).await;
    let waiting = half(&c).await;
    let asked = c.caseload.passkeys().ask_beside_password(&waiting).await.unwrap();
    c.caseload.by_command().disable("coach").await.unwrap();
    assert_eq!(whole(&c, &mut phone).await, REFUSED, "the account is disabled");
    assert_eq!(said(beside(&c, &waiting, given(&asked, &phone.sign(&asked.options))).await), "sign_in_over");
    let admin = proven(&c, &c.administrator).await;
    c.caseload.users().enable(&admin, c.coach.person_id, "back").await.unwrap();
    assert_eq!(whole(&c, &mut phone).await, "in");
    // A password that was made for them comes first.
    c.caseload.by_command().set_password("coach", NewPassword::ForOnce(PASSWORD.to_owned())).await.unwrap();
    assert_eq!(whole(&c, &mut phone).await, REFUSED, "a one-time password is there to be changed");
    assert_eq!(second(&c, &mut phone).await, "in");
}

async fn a_passkey_of_nobody_is_refused_as_one_of_somebody_and_slowed_down(on: On) {
    let c = college(on).await;
    let (mut phone, place) = (add(&c, &c.coach).await, Some(IpAddr::from([192, 0, 2, 7])));
    let attempt = async |device: &mut PasskeyDevice| {
        let asked = c.caseload.passkeys().ask_anybody().await.unwrap();
        whole_at(&c, given(&asked, &device.sign(&asked.options)), place).await
    };
    let mut unknown = device();
    unknown.account.clone_from(&phone.account);
    let mut forged = forged(&phone);
    let (of_nobody, of_somebody) = (attempt(&mut unknown).await.unwrap_err(), attempt(&mut forged).await.unwrap_err());
    assert_eq!((of_nobody.status, of_nobody.detail, of_nobody.code), (401, of_somebody.detail, of_somebody.code));
    for _ in 0..8 {
        attempt(&mut unknown).await.unwrap_err();
    }
    let slowed = attempt(&mut unknown).await.unwrap_err();
    assert_eq!((slowed.status, slowed.code.as_str()), (429, "throttled"));
    assert!(slowed.detail.contains("passkey"), "{}", slowed.detail);
    // Passwords are counted by themselves, and other places are not slowed down.
    assert!(c.caseload.factors().first_step("coach", PASSWORD, place, None, None).await.is_ok());
    assert_eq!(whole(&c, &mut phone).await, "in");
    // What no device says is refused before it is read, however long it is.
    let long = "x".repeat(1_000_000);
    let asked = c.caseload.passkeys().ask_anybody().await.unwrap();
    assert_eq!(said(whole_at(&c, given(&asked, &long), Some(IpAddr::from([198, 51, 100, 1]))).await), REFUSED);
}

async fn an_account_has_as_many_passkeys_as_the_settings_say_each_once(on: On) {
    let limits = Limits { passkeys: 2, ..Limits::default() };
    let c = under(on, SecondFactorRule::Off, mail(ORIGIN, None), limits).await;
    let mut phone = add(&c, &c.coach).await;
    let asked = c.caseload.passkeys().ask_to_add(&now(&c, &c.coach).await).await.unwrap();
    assert_eq!(asked.options["excludeCredentials"][0]["id"], json!(phone.key_id));
    // One that is there already is not added again, by its owner or anybody else.
    for actor in [&c.coach, &c.administrator] {
        let refused = added(&c, actor, &mut phone, "Again").await.unwrap_err();
        assert_eq!(refused.errors[0].field, "passkey");
    }
    for (name, code) in [("", "required"), (" ", "required"), (&*"x".repeat(61), "invalid"), ("a\u{202e}b", "invalid")]
    {
        let refused = added(&c, &c.coach, &mut device(), name).await.unwrap_err();
        assert_eq!((refused.errors[0].field.as_str(), refused.errors[0].code.as_str()), ("name", code));
    }
    let coach = proven(&c, &c.coach).await;
    let late = c.caseload.passkeys().ask_to_add(&coach).await.unwrap();
    add(&c, &c.coach).await;
    let refused = added(&c, &c.coach, &mut device(), "Third").await.unwrap_err();
    assert_eq!((refused.status, refused.code.as_str()), (429, "limit_reached"));
    // Nor by a question that was open before.
    let coach = proven(&c, &c.coach).await;
    let answer = device().create(&late.options);
    let refused = c.caseload.passkeys().add(&coach, "Third", given(&late, &answer)).await.unwrap_err();
    assert_eq!(Problem::from(refused).code.as_str(), "limit_reached");
    assert_eq!(passkeys(&c, &c.coach).await.len(), 2);
}

async fn what_is_asked_and_not_answered_is_bounded(on: On) {
    let c = college(on).await;
    let keys = c.caseload.passkeys();
    for _ in 0..20 {
        keys.ask_to_add(&c.coach).await.unwrap();
    }
    assert_eq!(Problem::from(keys.ask_to_add(&c.coach).await.unwrap_err()).status, 429);
    keys.ask_to_add(&c.administrator).await.unwrap();
    keys.ask_anybody().await.unwrap();
    c.test.clock.advance(Duration::from_secs(300));
    keys.ask_to_add(&c.coach).await.unwrap();
}

async fn the_last_second_factor_takes_the_recovery_codes_with_it(on: On) {
    let c = college(on).await;
    let (mut phone, mut key) = (add(&c, &c.coach).await, add(&c, &c.coach).await);
    let left = async || c.count("SELECT COUNT(*) FROM recovery_code", []).await;
    let kept = passkeys(&c, &c.coach).await;
    let remove = async |at: usize| {
        let coach = proven(&c, &c.coach).await;
        c.caseload.passkeys().remove(&coach, kept[at].id).await.map_err(Problem::from)
    };
    let admin = proven(&c, &c.administrator).await;
    let others = c.caseload.passkeys().remove(&admin, kept[0].id).await.unwrap_err();
    assert_eq!(Problem::from(others).status, 404);
    let version = remove(0).await.unwrap();
    assert!(c.at_next_request(c.coach.person_id, version).await.is_some());
    assert_eq!(remove(0).await.unwrap_err().status, 404);
    assert_eq!([whole(&c, &mut phone).await, whole(&c, &mut key).await], [REFUSED, "in"]);
    assert_eq!(left().await, RECOVERY_CODES as i64);
    remove(1).await.unwrap();
    assert_eq!(left().await, 0);
    assert!(c.caseload.accounts().sign_in("coach", PASSWORD, None).await.is_ok());
    assert_eq!(of_action(&c, "account.passkey_remove").await, 2);
}

async fn whoever_must_have_a_second_factor_is_content_with_a_passkey_and_keeps_one(on: On) {
    let c = under(on, SecondFactorRule::Everybody, mail(ORIGIN, None), Limits::default()).await;
    assert!(c.caseload.factors().must_set_up(&c.coach).await.unwrap());
    add(&c, &c.coach).await;
    assert!(!c.caseload.factors().must_set_up(&c.coach).await.unwrap());
    let only = passkeys(&c, &c.coach).await[0].id;
    let coach = proven(&c, &c.coach).await;
    let refused = c.caseload.passkeys().remove(&coach, only).await.unwrap_err();
    assert_eq!(Problem::from(refused).status, 403);
    assert_eq!(passkeys(&c, &c.coach).await.len(), 1);
    add(&c, &c.coach).await;
    let coach = proven(&c, &c.coach).await;
    c.caseload.passkeys().remove(&coach, only).await.unwrap();
}

async fn a_reset_takes_the_passkeys_too_and_the_owner_hears_of_all_of_it(on: On) {
    let sink = SmtpSink::start().unwrap();
    let c = under(on, SecondFactorRule::Off, mail(ORIGIN, Some(sink.url())), Limits::default()).await;
    c.write(
        "UPDATE person SET primary_email = 'p@college.example', email_key = 'p@college.example' WHERE id = $1",
        [c.coach.person_id.into()],
    )
    .await;
    let mut phone = add(&c, &c.coach).await;
    let admin = proven(&c, &c.administrator).await;
    let seen = c.caseload.users().second_factor(&admin, c.coach.person_id).await.unwrap().unwrap();
    assert_eq!((seen.app, seen.passkeys.len(), seen.codes_left), (None, 1, RECOVERY_CODES as u64));
    c.caseload.users().reset_second_factor(&admin, c.coach.person_id, "a new phone").await.unwrap();
    assert_eq!(whole(&c, &mut phone).await, REFUSED);
    assert!(c.caseload.accounts().sign_in("coach", PASSWORD, None).await.is_ok());
    assert_eq!(c.count("SELECT COUNT(*) FROM recovery_code", []).await, 0);
    add(&c, &c.coach).await;
    assert!(c.caseload.by_command().reset_second_factor("coach").await.unwrap());
    assert_eq!(c.count("SELECT COUNT(*) FROM passkey", []).await, 0);
    add(&c, &c.coach).await;
    let (coach, only) = (proven(&c, &c.coach).await, passkeys(&c, &c.coach).await[0].id);
    c.caseload.passkeys().remove(&coach, only).await.unwrap();
    c.send_notices(true).await;
    let mut subjects: Vec<String> = Vec::new();
    for letter in sink.taken().unwrap() {
        subjects
            .extend(letter.data.lines().filter_map(|line| line.strip_prefix("Subject: Docket: ")).map(str::to_owned));
    }
    subjects.sort();
    let (new, reset) = ("a passkey was added", "your second factor was reset");
    assert_eq!(subjects, [new, new, new, "a passkey was removed", reset, reset]);
}

async fn without_a_name_in_the_address_there_are_none(on: On) {
    let c = under(on, SecondFactorRule::Off, mail("http://127.0.0.1:3000", None), Limits::default()).await;
    let keys = c.caseload.passkeys();
    assert!(!keys.are_possible());
    let off = |outcome: Result<AskedForPasskey, caseload::Error>| said(outcome.map_err(Problem::from));
    assert_eq!(off(keys.ask_anybody().await), "passkeys_off");
    assert_eq!(off(keys.ask_to_add(&c.coach).await), "passkeys_off");
    let answer = PasskeyAnswer { secret: "x", answer: "{}" };
    assert_eq!(said(whole_at(&c, answer, None).await), "passkeys_off");
}
