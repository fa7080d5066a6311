//! What somebody chooses for themselves.

use std::time::Duration;

use caseload::preferences::ChosenPreferences;
use caseload::{
    Actor, AddressChange, Reauthenticated,
    mail::{Mail, MailSettings},
};
use model::{
    Problem,
    composer::Typed,
    preferences::{DateFormat, NumberFormat, Preferences, Theme},
};
use testkit::{On, SmtpSink};

use crate::college::{College, PASSWORD};

testkit::on_both!(
    what_is_chosen_is_there_at_the_next_request,
    a_wrong_choice_is_named_and_changes_nothing,
    ending_the_sessions_leaves_the_one_that_goes_on,
    an_address_is_used_once_its_link_was_followed,
    links_to_addresses_are_counted_by_the_hour,
    a_link_to_an_address_is_of_one_account_and_one_day,
    a_former_address_hears_of_the_one_that_took_its_place,
);

async fn proven(c: &College, who: &Actor) -> Reauthenticated {
    c.caseload.accounts().prove(who, None, Some(PASSWORD)).await.unwrap()
}

/// Whoever came upon a session that was left open gave the account an address of their own, had a link to a new password sent there,
/// and nobody heard of it.
async fn a_former_address_hears_of_the_one_that_took_its_place(on: On) {
    let (c, sink) = with_mail(on).await;
    let told = async |former: &str| {
        let sql = "SELECT COUNT(*) FROM notice WHERE purpose = 'ADDRESS_CHANGE' AND address = $1";
        c.count(sql, [former.into()]).await
    };
    for address in ["k.lund@college.example", "somebody@else.example"] {
        let wish = ChosenPreferences { theme: "dark", address: Some(address), ..ChosenPreferences::default() };
        c.caseload.accounts().set_preferences(&c.manager, wish).await.unwrap();
        let before = c.caseload.accounts().own_address(&c.manager).await.unwrap().unwrap_or_default();
        let told_before = told(&before).await;
        c.caseload.accounts().verify_address(&proven(&c, &c.manager).await, &link(&sink)).await.unwrap();
        let more = i64::from(!before.is_empty());
        assert_eq!(told(&before).await, told_before + more, "{before}");
    }
    assert_eq!(told("k.lund@college.example").await, 1);
}

async fn what_is_chosen_is_there_at_the_next_request(on: On) {
    let c = College::of(on, 1).await;
    assert_eq!(c.manager.preferences, Preferences::default());
    let chosen = ChosenPreferences {
        theme: "dark",
        dates: "dots",
        numbers: "apostrophe",
        time_zone: " Europe/Oslo ",
        shortcuts: false,
        live: true,
        ..ChosenPreferences::default()
    };
    c.caseload.accounts().set_preferences(&c.manager, chosen).await.unwrap();
    let now = c.at_next_request(c.manager.person_id, c.manager.session_version).await.unwrap();
    let kept = Preferences {
        theme: Theme::Dark,
        dates: DateFormat::Dots,
        numbers: NumberFormat::Apostrophe,
        time_zone: Some("Europe/Oslo".into()),
        shortcuts: false,
        live: true,
        ..Preferences::default()
    };
    assert_eq!(now.preferences, kept);
    assert_eq!(now.time_zone().map(|zone| zone.name()), Some("Europe/Oslo"));
    let others = c.at_next_request(c.coach.person_id, c.coach.session_version).await.unwrap();
    assert_eq!(others.preferences, Preferences::default());
}

async fn a_wrong_choice_is_named_and_changes_nothing(on: On) {
    let c = College::of(on, 1).await;
    let chosen = ChosenPreferences {
        theme: "pink",
        time_zone: "Atlantis",
        shortcuts: false,
        live: false,
        ..ChosenPreferences::default()
    };
    let problem = Problem::from(c.caseload.accounts().set_preferences(&c.manager, chosen).await.unwrap_err());
    assert_eq!(problem.errors.iter().map(|error| error.field.as_str()).collect::<Vec<_>>(), ["theme", "time_zone"]);
    let now = c.at_next_request(c.manager.person_id, c.manager.session_version).await.unwrap();
    assert_eq!(now.preferences, Preferences::default());
}

async fn ending_the_sessions_leaves_the_one_that_goes_on(on: On) {
    let c = College::of(on, 1).await;
    let version = c.caseload.accounts().end_sessions(&c.manager, false).await.unwrap();
    let of = async |version| c.at_next_request(c.manager.person_id, version).await.is_some();
    assert_eq!((of(c.manager.session_version).await, of(version).await), (false, true));
    assert_eq!(c.count("SELECT COUNT(*) FROM audit WHERE action = 'account.sessions_end'", []).await, 1);
}

/// A college whose mail arrives, and what it says.
async fn with_mail(on: On) -> (College, SmtpSink) {
    let sink = SmtpSink::start().unwrap();
    let mail = Mail::new(MailSettings { smtp_url: Some(sink.url()), ..MailSettings::default() }).unwrap();
    (College::with_mail(on, 1, mail).await, sink)
}

/// The token in the latest link.
fn link(sink: &SmtpSink) -> String {
    let taken = sink.taken().unwrap();
    // As it goes over the wire, long lines are broken.
    let text = taken.last().unwrap().data.replace("=\r\n", "").replace("=\n", "").replace("=3D", "=");
    let token = text.split("/settings?verify=").nth(1).unwrap();
    token.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect()
}

/// Anybody's address could be typed, and mail went there and answers from there.
async fn an_address_is_used_once_its_link_was_followed(on: On) {
    let (c, sink) = with_mail(on).await;
    let own = async || c.caseload.accounts().own_address(&c.manager).await.unwrap();
    let before = own().await;
    let wish =
        ChosenPreferences { theme: "dark", address: Some("k.lund@college.example"), ..ChosenPreferences::default() };
    assert_eq!(c.caseload.accounts().set_preferences(&c.manager, wish).await.unwrap(), AddressChange::LinkSent);
    assert_eq!(own().await, before);
    assert_eq!(
        c.caseload.accounts().requested_address(&c.manager).await.unwrap().as_deref(),
        Some("k.lund@college.example")
    );
    assert_eq!(sink.taken().unwrap().last().unwrap().to, ["k.lund@college.example"]);
    let token = link(&sink);
    // Nothing else is sent to it yet.
    let typed = Typed { subject: "S".into(), body: "Hello".into(), to: "PRIMARY".into(), ..Typed::default() };
    let test = async || c.caseload.emails().send_test(&c.manager, &typed, None).await.map_err(Problem::from);
    assert_eq!(test().await.unwrap_err().code, "no_own_address");
    assert_eq!(sink.taken().unwrap().len(), 1);
    assert_eq!(c.count("SELECT COUNT(*) FROM address_wish WHERE token_hash = $1", [token.as_str().into()]).await, 0);
    c.caseload.accounts().verify_address(&proven(&c, &c.manager).await, &token).await.unwrap();
    assert_eq!(own().await.as_deref(), Some("k.lund@college.example"));
    test().await.unwrap();
    assert_eq!(sink.taken().unwrap().len(), 2);
    let twice =
        Problem::from(c.caseload.accounts().verify_address(&proven(&c, &c.manager).await, &token).await.unwrap_err());
    assert_eq!(twice.code, "address_link_gone");
    let none = ChosenPreferences { theme: "dark", address: Some(""), ..ChosenPreferences::default() };
    assert_eq!(c.caseload.accounts().set_preferences(&c.manager, none).await.unwrap(), AddressChange::Settled);
    assert_eq!(own().await, None);
    let traces = "SELECT COUNT(*) FROM audit WHERE action = 'account.address' AND actor_id = $1";
    assert_eq!(c.count(traces, [c.manager.person_id.into()]).await, 2);
}

/// Taking the wish back each time, one could have had a letter sent to anybody as often as one pressed the button.
async fn links_to_addresses_are_counted_by_the_hour(on: On) {
    let (c, sink) = with_mail(on).await;
    let wish = |address| ChosenPreferences { theme: "dark", address: Some(address), ..ChosenPreferences::default() };
    let sent = usize::try_from(c.caseload.limits().address_links).unwrap();
    for _ in 0..sent {
        c.caseload.accounts().set_preferences(&c.manager, wish("somebody@else.example")).await.unwrap();
        c.caseload.accounts().set_preferences(&c.manager, wish("")).await.unwrap();
    }
    let refused =
        c.caseload.accounts().set_preferences(&c.manager, wish("somebody@else.example")).await.map_err(Problem::from);
    let refused = refused.unwrap_err();
    assert_eq!((refused.status, refused.errors[0].field.as_str()), (429, "address"));
    assert_eq!(refused.more["limit"], "limits.address_links_per_hour");
    assert_eq!(sink.taken().unwrap().len(), sent);
    c.test.clock.advance(Duration::from_secs(3_601));
    c.caseload.accounts().set_preferences(&c.manager, wish("k.lund@college.example")).await.unwrap();
    assert_eq!(sink.taken().unwrap().len(), sent + 1);
}

async fn a_link_to_an_address_is_of_one_account_and_one_day(on: On) {
    let (c, sink) = with_mail(on).await;
    let wish =
        || ChosenPreferences { theme: "dark", address: Some("k.lund@college.example"), ..ChosenPreferences::default() };
    c.caseload.accounts().set_preferences(&c.manager, wish()).await.unwrap();
    let token = link(&sink);
    let theirs =
        Problem::from(c.caseload.accounts().verify_address(&proven(&c, &c.coach).await, &token).await.unwrap_err());
    assert_eq!(theirs.code, "address_link_gone");
    c.test.clock.advance(std::time::Duration::from_secs(86_401));
    let late =
        Problem::from(c.caseload.accounts().verify_address(&proven(&c, &c.manager).await, &token).await.unwrap_err());
    assert_eq!((late.status, late.code.as_str()), (404, "address_link_gone"));
    c.caseload.accounts().set_preferences(&c.manager, wish()).await.unwrap();
    c.caseload.accounts().verify_address(&proven(&c, &c.manager).await, &link(&sink)).await.unwrap();
}
