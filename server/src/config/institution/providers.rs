//! The sign-ins of institutions: providers of OpenID Connect, each under a name of its own, which stands in its addresses.

use std::{path::Path, time::Duration};

use caseload::provided::AccountRule;
use model::Role;
use url::Url;

use super::words::{link_by, role, role_groups};
use crate::config::{SettingOrigin, Sources, Wrong, duration, encryption, value};

/// The most providers: each is a button on the sign-in page.
const MOST: usize = 8;

/// The longest name of one, in bytes.
const LONGEST_NAME: usize = 32;

/// What only a provider and Docket know. No message shows it.
#[derive(Clone)]
pub struct ProviderSecret(pub String);

impl std::fmt::Debug for ProviderSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ProviderSecret(…)")
    }
}

/// One provider.
#[derive(Clone, Debug)]
pub struct ProviderSettings {
    pub name: String,
    /// As the provider writes it, to the letter.
    pub issuer: String,
    pub client_id: String,
    pub client_secret: Option<ProviderSecret>,
    /// Whether it is asked without encryption, though others may listen.
    pub allows_plaintext: bool,
    pub scopes: Vec<String>,
    /// Who people sign in with, for its button.
    pub label: String,
    /// What it is asked to show its own users.
    pub prompt: Option<String>,
    /// Of these ways to sign in one must have been used, as the provider names them.
    pub acr: Vec<String>,
    /// How far its clock may be off.
    pub clock_skew: Duration,
    /// How long a session lasts without the provider's word that its owner may still come in.
    pub confirm_every: Duration,
    pub claims: ClaimNames,
    /// What makes each role, from the highest on; all empty where roles are given in Docket.
    pub roles: Vec<(Role, Vec<String>)>,
    pub accounts: AccountRule,
}

/// Where the provider writes what.
#[derive(Clone, Debug)]
pub struct ClaimNames {
    pub username: String,
    pub school_id: Option<String>,
    pub roles: Option<String>,
}

/// The settings of each provider, after `oidc.NAME.`.
const KEYS: [&str; 20] = [
    "issuer",
    "allow_plaintext",
    "client_id",
    "client_secret",
    "client_secret_file",
    "scopes",
    "label",
    "prompt",
    "acr",
    "clock_skew",
    "confirm_every",
    "username_claim",
    "school_id_claim",
    "role_claim",
    "role_administrator",
    "role_manager",
    "role_coach",
    "link_by",
    "create_accounts",
    "new_role",
];

/// All of them, by name.
pub fn read(from: &mut Sources) -> Result<Vec<ProviderSettings>, Wrong> {
    for key in KEYS {
        from.family(format!("oidc.NAME.{key}"));
    }
    let names = from.names("oidc");
    if names.len() > MOST {
        return Err(Wrong::TooMany { what: "oidc", most: MOST });
    }
    names.into_iter().map(|name| provider(from, name)).collect()
}

fn provider(from: &mut Sources, name: String) -> Result<ProviderSettings, Wrong> {
    let key = |key: &str| format!("oidc.{name}.{key}");
    let plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    if !plain || name.is_empty() || name.len() > LONGEST_NAME {
        let why = "a short name of small letters and digits is needed: it stands in addresses".to_owned();
        return Err(Wrong::Value {
            key: format!("oidc.{name}"),
            value: String::new(),
            origin: SettingOrigin::Default,
            why,
        });
    }
    let issuer = from.one(&key("issuer"), "", issuer)?;
    let allowed = from.one(&key("allow_plaintext"), "false", value::boolean)?;
    if !allowed && encryption::provider(&issuer) {
        return Err(Wrong::Value {
            key: key("issuer"),
            value: issuer,
            origin: from.origin(&key("issuer")),
            why: "https://… is needed for a provider on another machine".to_owned(),
        });
    }
    let client_id = from.one(&key("client_id"), "", needed)?;
    let written = from.hidden(&key("client_secret"), value::text)?;
    let in_file = from.one(&key("client_secret_file"), "", secret_file)?;
    let words = |text: &str| Ok(value::words(text));
    let scopes = from.one(&key("scopes"), "profile email", words)?;
    let label = from.one(&key("label"), &name, needed)?;
    let prompt = from.one(&key("prompt"), "", prompt)?;
    let acr = from.one(&key("acr"), "", words)?;
    let clock_skew = from.one(&key("clock_skew"), "1m", duration::parse)?;
    let confirm_every = from.one(&key("confirm_every"), "1h", duration::positive)?;
    let claims = ClaimNames {
        username: from.one(&key("username_claim"), "preferred_username", needed)?,
        school_id: from.one(&key("school_id_claim"), "", maybe)?,
        roles: from.one(&key("role_claim"), "", maybe)?,
    };
    let roles = role_groups(from, &format!("oidc.{name}"))?;
    // With the one and not the other nobody would have a role, or everybody keep theirs.
    if claims.roles.is_some() == roles.iter().all(|(_, groups)| groups.is_empty()) {
        let (value, needed) = match &claims.roles {
            Some(claim) => (claim.clone(), "the groups of at least one role are needed with it, such as role_coach"),
            None => (String::new(), "the claim is needed in which the groups of role_… stand"),
        };
        let (key, origin) = (key("role_claim"), from.origin(&key("role_claim")));
        return Err(Wrong::Value { key, value, origin, why: needed.to_owned() });
    }
    let accounts = AccountRule {
        link_by: from.one(&key("link_by"), "email", link_by)?,
        create: from.one(&key("create_accounts"), "false", value::boolean)?,
        new_role: from.one(&key("new_role"), Role::Coach.name(), role)?,
    };
    let client_secret = [written, in_file].into_iter().find(|secret| !secret.is_empty()).map(ProviderSecret);
    Ok(ProviderSettings {
        name,
        issuer,
        client_id,
        client_secret,
        allows_plaintext: allowed,
        scopes,
        label,
        prompt,
        acr,
        clock_skew,
        confirm_every,
        claims,
        roles,
        accounts,
    })
}

fn issuer(text: &str) -> Result<String, String> {
    let url: Option<Url> = text.parse().ok();
    let url = url.filter(|url| url.host().is_some() && matches!(url.scheme(), "https" | "http"));
    let url = url.filter(|url| url.query().is_none() && url.fragment().is_none() && url.username().is_empty());
    url.map(|_| text.to_owned())
        .ok_or_else(|| "the address of the provider is needed, as it names itself: https://…".into())
}

fn needed(text: &str) -> Result<String, String> {
    if text.is_empty() { Err("a value is needed".into()) } else { Ok(text.to_owned()) }
}

fn maybe(text: &str) -> Result<Option<String>, String> {
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

fn prompt(text: &str) -> Result<Option<String>, String> {
    match text {
        "" => Ok(None),
        "login" | "select_account" | "consent" => Ok(Some(text.to_owned())),
        _ => Err("`login`, `select_account` or `consent` is needed, or nothing".into()),
    }
}

fn secret_file(path: &str) -> Result<String, String> {
    match path {
        "" => Ok(String::new()),
        path => std::fs::read_to_string(Path::new(path))
            .map(|secret| secret.trim().to_owned())
            .map_err(|error| format!("this file cannot be read: {error}")),
    }
}
