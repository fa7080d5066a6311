//! What somebody chooses for themselves.

use caseload::preferences::Chosen;
use model::{
    Problem,
    preferences::{Preferences, Theme},
};
use testkit::On;

use crate::college::College;

testkit::on_both!(
    what_is_chosen_is_there_at_the_next_request,
    a_wrong_choice_is_named_and_changes_nothing,
    ending_the_sessions_leaves_the_one_that_goes_on,
);

async fn what_is_chosen_is_there_at_the_next_request(on: On) {
    let c = College::of(on, 1).await;
    assert_eq!(c.manager.preferences, Preferences::default());
    let chosen =
        Chosen { theme: "dark", time_zone: " Europe/Oslo ", shortcuts: false, live: true, ..Chosen::default() };
    c.caseload.set_preferences(&c.manager, chosen).await.unwrap();
    let now = c.caseload.actor_of_session(c.manager.person_id, c.manager.session_version).await.unwrap().unwrap();
    let kept = Preferences {
        theme: Theme::Dark,
        time_zone: Some("Europe/Oslo".into()),
        shortcuts: false,
        live: true,
        ..Preferences::default()
    };
    assert_eq!(now.preferences, kept);
    assert_eq!(now.time_zone().map(|zone| zone.name()), Some("Europe/Oslo"));
    let others = c.caseload.actor_of_session(c.coach.person_id, c.coach.session_version).await.unwrap().unwrap();
    assert_eq!(others.preferences, Preferences::default());
}

async fn a_wrong_choice_is_named_and_changes_nothing(on: On) {
    let c = College::of(on, 1).await;
    let chosen = Chosen { theme: "pink", time_zone: "Atlantis", shortcuts: false, live: false, ..Chosen::default() };
    let problem = Problem::from(c.caseload.set_preferences(&c.manager, chosen).await.unwrap_err());
    assert_eq!(problem.errors.iter().map(|error| error.field.as_str()).collect::<Vec<_>>(), ["theme", "time_zone"]);
    let now = c.caseload.actor_of_session(c.manager.person_id, c.manager.session_version).await.unwrap().unwrap();
    assert_eq!(now.preferences, Preferences::default());
}

async fn ending_the_sessions_leaves_the_one_that_goes_on(on: On) {
    let c = College::of(on, 1).await;
    let version = c.caseload.end_sessions(&c.manager).await.unwrap();
    let of = async |version| c.caseload.actor_of_session(c.manager.person_id, version).await.unwrap().is_some();
    assert_eq!((of(c.manager.session_version).await, of(version).await), (false, true));
    assert_eq!(c.count("SELECT COUNT(*) FROM audit WHERE action = 'account.sessions_end'", []).await, 1);
}
