//! What belongs to one's own account. The server renders it.

pub mod api;
mod email_address;
mod look;
pub mod password;
pub mod second_factor;
mod sessions;
pub mod tokens;

use leptos::prelude::*;
use model::{
    Me,
    account::{SignedIn, Token},
    preferences::Preferences,
};

use crate::{
    components::{
        blank::Notice, contents::contents, icon::Icon, own_password::OwnProof, type_erasure::Erase,
        values::secret::secret,
    },
    refusal::Refusal,
};
use second_factor::SecondFactorPart;

/// What the page shows.
pub struct SettingsContent {
    pub me: Me,
    pub preferences: Preferences,
    /// Every time zone one can choose.
    pub zones: Vec<&'static str>,
    /// Nothing where they could not be read.
    pub sessions: Option<Vec<SignedIn>>,
    /// Where answers and notices go.
    pub address: Option<String>,
    /// Another one, which waits for its link to be followed.
    pub requested: Option<String>,
    /// The link that was followed.
    pub verify: Option<String>,
    /// Whether there is a mail server.
    pub mail: bool,
    pub tokens: Vec<Token>,
    /// A token that is shown this once.
    pub fresh: Option<String>,
    /// Whether the sign-in is too long ago for what takes a password.
    pub proof: OwnProof,
    /// Whether there is a password to change.
    pub has_password: bool,
    pub second_factor: SecondFactorPart,
}

/// The headings of its parts.
const PARTS: [(&str, &str); 5] = [
    ("h-look", "Preferences"),
    ("h-password", "Password"),
    ("h-factor", "Second factor"),
    ("h-sessions", "Sessions"),
    ("h-tokens", "Access tokens"),
];

/// The page; `done` says what has just been done.
#[component]
pub fn Settings(content: SettingsContent, done: Option<AnyView>, refusal: Option<Refusal>) -> impl IntoView {
    let SettingsContent {
        me,
        preferences,
        zones,
        sessions,
        address,
        requested,
        verify,
        mail,
        tokens,
        fresh,
        proof,
        has_password,
        second_factor,
    } = content;
    let shown = fresh.map(|token| {
        view! {
            <div class="notice ok" role="status">
                <Icon name="key"/>
                <div>
                    <strong>"Your new token"</strong>
                    <p>"Copy it now: it is shown this once."</p>
                    {secret(token)}
                </div>
            </div>
        }
    });
    let refused = refusal.as_ref().map(|refusal| {
        view! { <Notice title=refusal.0.title.clone() text=refusal.0.detail.clone()/> }
    });
    let refusal = refusal.as_ref();
    // What is asked in two forms is said in the one that was sent.
    let of_factor = refusal.filter(|refusal| refusal.given("form").is_some());
    let others = refusal.filter(|refusal| refusal.given("form").is_none());
    view! {
        <header class="head">
            <div>
                <h1>"Settings"</h1>
                <p class="facts">
                    <span>{me.name}</span>
                    <span>{format!("Username: {}", me.username)}</span>
                    <span>{format!("Role: {}", me.role.label())}</span>
                </p>
            </div>
        </header>
        {done}
        {shown}
        {refused}
        {verify.map(|token| email_address::followed(token, &proof, refusal))}
        <div class="with-contents">
            {contents(PARTS.map(|(id, name)| (id.to_owned(), name.to_owned())))}
            <div class="stack loose">
                {look::section(&preferences, zones, (address, requested), mail, refusal)}
                {password::section(has_password, refusal)}
                {second_factor::section(&second_factor, has_password, &proof, of_factor)}
                {sessions::section(sessions, !tokens.is_empty())}
                {tokens::section(tokens, me.role, proof, others)}
            </div>
        </div>
    }
    .erase()
}
