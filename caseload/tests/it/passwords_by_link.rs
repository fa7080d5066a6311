//! A password that somebody chooses by a link which was sent to their own address.

use std::time::Duration;

use caseload::{
    Added, NewToken, NewUser, Reauthenticated,
    mail::{Mail, MailSettings},
};
use model::{AccountId, Problem, Role, account::TokenScope};
use testkit::{On, SmtpSink};

use crate::college::{College, PASSWORD};

testkit::on_both!(
    a_forgotten_password_is_chosen_anew_by_whoever_reads_the_owners_mail,
    a_link_works_once_and_for_half_an_hour,
    a_newer_link_or_password_ends_an_older_link,
    a_name_that_nobody_has_is_answered_like_any_other,
    one_address_of_two_accounts_is_of_neither,
    links_are_counted_by_the_hour_and_by_the_place,
    the_secret_of_a_link_is_nowhere_but_in_its_email,
    an_invited_colleague_chooses_a_first_password,
    an_invitation_that_was_missed_is_sent_again,
    whoever_is_disabled_has_no_link,
    the_owner_hears_of_every_new_password,
);

const OTHER: &str = "violet kettle seven moons";
const MANAGER: &str = "m.sorbo@college.example";

struct WithMail {
    c: College,
    sink: SmtpSink,
}

impl WithMail {
    /// A college whose mail arrives, and a manager with an address.
    async fn of(on: On) -> WithMail {
        let sink = SmtpSink::start().unwrap();
        let mail = Mail::new(MailSettings { smtp_url: Some(sink.url()), ..MailSettings::default() }).unwrap();
        let c = College::with_mail(on, 0, mail).await;
        let with_mail = WithMail { c, sink };
        with_mail.gets(with_mail.c.manager.person_id, MANAGER).await;
        with_mail
    }

    async fn gets(&self, account: AccountId, address: &str) {
        let sql = "UPDATE person SET primary_email = $1, email_key = $1 WHERE id = $2";
        self.c.write(sql, [address.into(), account.into()]).await;
    }

    /// What is sent now: to whom, and the text.
    async fn sent(&self) -> Vec<(String, String)> {
        let before = self.sink.taken().unwrap().len();
        self.c.send_notices(true).await;
        let taken = self.sink.taken().unwrap();
        let text = |data: &str| data.replace("=\r\n", "").replace("=\n", "").replace("=3D", "=");
        taken[before..].iter().map(|mail| (mail.to.join(","), text(&mail.data))).collect()
    }

    async fn asks(&self, named: &str) -> Result<(), Problem> {
        self.c.caseload.accounts().request_password_link(named, None).await.map_err(Problem::from)
    }

    /// Asks for a link, and reads the secret in it.
    async fn link(&self, named: &str) -> String {
        self.asks(named).await.unwrap();
        secret(&self.sent().await.pop().unwrap().1)
    }

    async fn chooses(&self, token: &str, password: &str) -> Result<AccountId, Problem> {
        self.c.caseload.accounts().choose_password(token, password, None).await.map_err(Problem::from)
    }

    async fn signs_in(&self, username: &str, password: &str) -> bool {
        self.c.caseload.accounts().sign_in(username, password, None).await.is_ok()
    }

    async fn proven(&self) -> Reauthenticated {
        self.c.caseload.accounts().prove(&self.c.administrator, None, Some(PASSWORD)).await.unwrap()
    }

    async fn invites(&self, username: &str, address: &str) -> AccountId {
        let new = NewUser {
            username: username.to_owned(),
            name: "Eve Adams".to_owned(),
            role: Role::Coach,
            school_id: None,
            is_school_id_new: false,
            address: Some(address.to_owned()),
        };
        match self.c.caseload.users().add(&self.proven().await, new, "hired").await.unwrap() {
            Added::ByLink(id) => id,
            Added::ByPassword(_) => panic!("a password was made though an address was given"),
        }
    }
}

fn secret(text: &str) -> String {
    let token = text.split("/password?token=").nth(1).expect("a link");
    token.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect()
}

async fn a_forgotten_password_is_chosen_anew_by_whoever_reads_the_owners_mail(on: On) {
    let w = WithMail::of(on).await;
    let made = w.c.caseload.by_command().issue_for("manager", NewToken::new("t", TokenScope::Read)).await.unwrap();
    let version = w.c.manager.session_version;
    for named in ["manager", "  MANAGER ", MANAGER, "M.Sorbo@College.Example"] {
        w.asks(named).await.unwrap();
        w.c.test.clock.advance(Duration::from_secs(3_700));
    }
    let token = w.link("Manager").await;
    let owner = w.c.caseload.accounts().owner_of_link(&token).await.unwrap().unwrap();
    assert_eq!((owner.username.as_str(), owner.is_new), ("manager", false));
    assert_eq!(w.chooses(&token, "manager-2026").await.unwrap_err().errors[0].code, "guessable");
    assert_eq!(w.chooses(&token, OTHER).await.unwrap(), w.c.manager.person_id);
    assert_eq!([w.signs_in("manager", PASSWORD).await, w.signs_in("manager", OTHER).await], [false, true]);
    assert!(w.c.at_next_request(w.c.manager.person_id, version).await.is_none(), "a session went on");
    let bearer = w.c.caseload.tokens().actor_of(&made, TokenScope::Read, None).await.unwrap();
    assert!(bearer.is_none(), "a token went on");
}

async fn a_link_works_once_and_for_half_an_hour(on: On) {
    let w = WithMail::of(on).await;
    let late = w.link("manager").await;
    w.c.test.clock.advance(Duration::from_secs(1_801));
    assert_eq!(w.chooses(&late, OTHER).await.unwrap_err().code, "password_link_gone");
    assert!(w.c.caseload.accounts().owner_of_link(&late).await.unwrap().is_none());
    let token = w.link("manager").await;
    // Looking at the page uses nothing up: mail programs do.
    for _ in 0..3 {
        assert!(w.c.caseload.accounts().owner_of_link(&token).await.unwrap().is_some());
    }
    w.chooses(&token, OTHER).await.unwrap();
    let twice = w.chooses(&token, "seven other unrelated words").await.unwrap_err();
    assert_eq!((twice.status, twice.code.as_str()), (404, "password_link_gone"));
    assert!(w.signs_in("manager", OTHER).await);
}

async fn a_newer_link_or_password_ends_an_older_link(on: On) {
    let w = WithMail::of(on).await;
    let (first, second) = (w.link("manager").await, w.link("manager").await);
    assert!(w.chooses(&first, OTHER).await.is_err(), "the older one still worked");
    w.c.caseload.accounts().change_password(&w.c.manager, PASSWORD, OTHER).await.unwrap();
    assert!(w.chooses(&second, "seven other unrelated words").await.is_err(), "it outlived a change of the password");
}

async fn a_name_that_nobody_has_is_answered_like_any_other(on: On) {
    let w = WithMail::of(on).await;
    let long = "x".repeat(320);
    for named in ["nobody", "nobody@else.example", "coach", long.as_str()] {
        w.asks(named).await.unwrap();
    }
    // The coach has no address.
    assert_eq!(w.sent().await, []);
    assert_eq!(w.asks(&"x".repeat(321)).await.unwrap_err().errors[0].field, "username");
    assert_eq!(w.asks("  ").await.unwrap_err().errors[0].field, "username");
    assert_eq!(w.c.count("SELECT COUNT(*) FROM audit WHERE action = 'account.link'", []).await, 4);
}

async fn one_address_of_two_accounts_is_of_neither(on: On) {
    let w = WithMail::of(on).await;
    w.gets(w.c.coach.person_id, MANAGER).await;
    w.asks(MANAGER).await.unwrap();
    assert_eq!(w.sent().await, []);
    // By the username it is clear whose it is.
    w.link("coach").await;
}

async fn links_are_counted_by_the_hour_and_by_the_place(on: On) {
    let w = WithMail::of(on).await;
    for _ in 0..w.c.caseload.limits().password_links {
        w.link("manager").await;
    }
    w.asks("manager").await.unwrap();
    assert_eq!(w.sent().await, [], "more than may be sent to one account");
    let asks = async || w.asks("somebody").await;
    for _ in 0..9 {
        asks().await.unwrap();
    }
    // The tenth is answered, and after it one has to wait; nobody learns whether there is such an account.
    asks().await.unwrap();
    let refused = asks().await.unwrap_err();
    assert_eq!((refused.status, refused.code.as_str()), (429, "throttled"));
    assert!(refused.detail.starts_with("Too many links were asked for."), "{}", refused.detail);
    assert!(w.signs_in("manager", PASSWORD).await, "and it keeps nobody from signing in");
    w.c.test.clock.advance(Duration::from_secs(3_601));
    w.link("manager").await;
}

async fn the_secret_of_a_link_is_nowhere_but_in_its_email(on: On) {
    let w = WithMail::of(on).await;
    w.asks("manager").await.unwrap();
    let kept = "SELECT COUNT(*) FROM password_link WHERE token_hash IS NOT NULL";
    assert_eq!(w.c.count(kept, []).await, 0, "it has a secret before anybody can have read it");
    let token = secret(&w.sent().await.pop().unwrap().1);
    let sql = "SELECT COUNT(*) FROM password_link WHERE token_hash = $1";
    assert_eq!(w.c.count(sql, [token.as_str().into()]).await, 0);
    let like = format!("%{token}%");
    let sql = "SELECT COUNT(*) FROM notice WHERE body LIKE $1 OR subject LIKE $1";
    assert_eq!(w.c.count(sql, [like.as_str().into()]).await, 0);
    assert_eq!(w.c.count("SELECT COUNT(*) FROM audit WHERE detail LIKE $1", [like.as_str().into()]).await, 0);
}

async fn an_invited_colleague_chooses_a_first_password(on: On) {
    let w = WithMail::of(on).await;
    let id = w.invites("eve", "eve@college.example").await;
    let (to, text) = w.sent().await.pop().unwrap();
    assert_eq!(to, "eve@college.example");
    assert!(text.contains("Your username is"), "{text}");
    let token = secret(&text);
    w.c.test.clock.advance(Duration::from_secs(6 * 86_400));
    assert!(w.c.caseload.accounts().owner_of_link(&token).await.unwrap().unwrap().is_new);
    assert_eq!(w.chooses(&token, OTHER).await.unwrap(), id);
    assert!(w.signs_in("eve", OTHER).await);
    let address = "SELECT COUNT(*) FROM person WHERE id = $1 AND primary_email = 'eve@college.example'";
    assert_eq!(w.c.count(address, [id.into()]).await, 1, "where the invitation was read is theirs");
    // And so the next link goes there.
    w.link("eve@college.example").await;
}

async fn an_invitation_that_was_missed_is_sent_again(on: On) {
    let w = WithMail::of(on).await;
    let id = w.invites("eve", "eve@college.example").await;
    let first = secret(&w.sent().await.pop().unwrap().1);
    w.c.test.clock.advance(Duration::from_secs(8 * 86_400));
    assert!(w.chooses(&first, OTHER).await.is_err());
    // Nobody has proved that the address is theirs.
    w.asks("eve").await.unwrap();
    assert_eq!(w.sent().await, []);
    let goes_to = w.c.caseload.users().link_goes_to(&w.c.administrator, id).await.unwrap();
    assert_eq!(goes_to.as_deref(), Some("eve@college.example"));
    w.c.caseload.users().send_link(&w.proven().await, id, "missed it").await.unwrap();
    w.chooses(&secret(&w.sent().await.pop().unwrap().1), OTHER).await.unwrap();
    let nowhere = w.c.caseload.users().send_link(&w.proven().await, w.c.coach.person_id, "x").await;
    assert_eq!(Problem::from(nowhere.unwrap_err()).code, "no_own_address");
}

async fn whoever_is_disabled_has_no_link(on: On) {
    let w = WithMail::of(on).await;
    let token = w.link("manager").await;
    w.c.caseload.users().disable(&w.c.administrator, w.c.manager.person_id, "left").await.unwrap();
    assert!(w.c.caseload.accounts().owner_of_link(&token).await.unwrap().is_none());
    assert!(w.chooses(&token, OTHER).await.is_err());
    w.asks("manager").await.unwrap();
    w.asks(MANAGER).await.unwrap();
    assert_eq!(w.sent().await, []);
    w.c.caseload.users().enable(&w.proven().await, w.c.manager.person_id, "back").await.unwrap();
    assert!(w.chooses(&token, OTHER).await.is_err(), "a link of before works again");
}

async fn the_owner_hears_of_every_new_password(on: On) {
    let w = WithMail::of(on).await;
    let told = async |says: &str| {
        let (to, text) = w.sent().await.pop().unwrap();
        let text = text.replace(['\r', '\n'], " ");
        assert!(to == MANAGER && text.contains(says), "{to}: {text}");
    };
    w.c.caseload.accounts().change_password(&w.c.manager, PASSWORD, OTHER).await.unwrap();
    told("in your settings").await;
    let token = w.link("manager").await;
    w.chooses(&token, PASSWORD).await.unwrap();
    told("with a link").await;
    w.c.caseload.users().reset_password(&w.proven().await, w.c.manager.person_id, "lost").await.unwrap();
    told("An administrator").await;
}
