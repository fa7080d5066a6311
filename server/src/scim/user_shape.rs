//! A user as the directory writes and reads it.

use caseload::directory::{DirectoryPerson, DirectoryUser};
use model::{AccountId, DirectoryGroupId, Instant, Problem};
use serde::{Deserialize, Serialize};
use url::Url;

use super::answers::{refused, tag};

pub const USER: &str = "urn:ietf:params:scim:schemas:core:2.0:User";

/// A user as it is sent; what Docket does not keep is passed over.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SentUser {
    #[serde(default)]
    schemas: Vec<String>,
    #[serde(default)]
    user_name: Option<String>,
    #[serde(default)]
    external_id: Option<String>,
    #[serde(default)]
    name: Option<SentName>,
    #[serde(default)]
    display_name: Option<String>,
    #[serde(default)]
    emails: Option<Vec<SentEmail>>,
    #[serde(default)]
    active: Option<SentFlag>,
}

/// The parts of a name.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SentName {
    #[serde(default)]
    pub given_name: Option<String>,
    #[serde(default)]
    pub family_name: Option<String>,
    #[serde(default)]
    pub formatted: Option<String>,
}

/// One of several addresses.
#[derive(Debug, Deserialize)]
pub struct SentEmail {
    #[serde(default)]
    pub value: Option<String>,
    #[serde(default, rename = "type")]
    pub kind: Option<String>,
    #[serde(default)]
    pub primary: Option<SentFlag>,
}

/// Yes or no, which Entra ID also writes as a word.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum SentFlag {
    Flag(bool),
    Word(String),
}

impl SentFlag {
    pub fn read(&self, field: &str) -> Result<bool, Problem> {
        match self {
            SentFlag::Flag(flag) => Ok(*flag),
            SentFlag::Word(word) if word.eq_ignore_ascii_case("true") => Ok(true),
            SentFlag::Word(word) if word.eq_ignore_ascii_case("false") => Ok(false),
            SentFlag::Word(_) => Err(refused("invalidValue", format!("{field}: true or false is needed."))),
        }
    }
}

/// The address that counts: the primary one, or that of work, or the first.
pub fn address(emails: Vec<SentEmail>) -> Option<String> {
    let is_primary = |email: &SentEmail| {
        email.primary.as_ref().is_some_and(|primary| primary.read("emails.primary").unwrap_or_default())
    };
    let is_work = |email: &SentEmail| email.kind.as_deref().is_some_and(|kind| kind.eq_ignore_ascii_case("work"));
    let at = emails.iter().position(is_primary).or_else(|| emails.iter().position(is_work)).unwrap_or_default();
    emails.into_iter().nth(at)?.value
}

impl SentUser {
    /// What it says of somebody; who was known before stays let in or not unless it says so.
    pub fn person(self, active_before: bool) -> Result<DirectoryPerson, Problem> {
        if !self.schemas.is_empty() && !self.schemas.iter().any(|schema| schema.eq_ignore_ascii_case(USER)) {
            return Err(refused("invalidSyntax", format!("schemas: {USER} is needed.")));
        }
        let active = self.active.map_or(Ok(active_before), |active| active.read("active"))?;
        let name = self.name.unwrap_or_default();
        Ok(DirectoryPerson {
            user_name: self.user_name.unwrap_or_default(),
            external_id: self.external_id,
            given_name: name.given_name,
            family_name: name.family_name,
            display_name: self.display_name.or(name.formatted),
            email: self.emails.and_then(address),
            active,
        })
    }
}

/// A user as it is shown.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownUser {
    schemas: [&'static str; 1],
    id: AccountId,
    #[serde(skip_serializing_if = "Option::is_none")]
    external_id: Option<String>,
    user_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<ShownName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    display_name: Option<String>,
    emails: Vec<ShownEmail>,
    active: bool,
    groups: Vec<ShownGroupOf>,
    meta: ShownMeta,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownName {
    #[serde(skip_serializing_if = "Option::is_none")]
    given_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    family_name: Option<String>,
    formatted: String,
}

#[derive(Debug, Serialize)]
struct ShownEmail {
    value: String,
    #[serde(rename = "type")]
    kind: &'static str,
    primary: bool,
}

#[derive(Debug, Serialize)]
struct ShownGroupOf {
    value: DirectoryGroupId,
    display: String,
    #[serde(rename = "$ref")]
    at: String,
}

/// What is so of every resource.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownMeta {
    resource_type: &'static str,
    created: Instant,
    last_modified: Instant,
    location: String,
    version: String,
}

impl ShownMeta {
    pub fn new(resource_type: &'static str, dates: (Instant, Instant), location: String, version: i64) -> ShownMeta {
        ShownMeta { resource_type, created: dates.0, last_modified: dates.1, location, version: tag(version) }
    }
}

/// The address of a resource, for whoever is outside.
pub fn location(public: &Url, kind: &str, id: impl std::fmt::Display) -> String {
    format!("{}/scim/v2/{kind}/{id}", public.as_str().trim_end_matches('/'))
}

impl ShownUser {
    pub fn new(user: DirectoryUser, public: &Url) -> ShownUser {
        let (person, id) = (user.person, user.id);
        let formatted = [&person.given_name, &person.family_name].into_iter().flatten().cloned().collect::<Vec<_>>();
        let name = (!formatted.is_empty()).then(|| ShownName {
            given_name: person.given_name,
            family_name: person.family_name,
            formatted: formatted.join(" "),
        });
        let group = |(value, display)| ShownGroupOf { value, display, at: location(public, "Groups", value) };
        ShownUser {
            schemas: [USER],
            id,
            external_id: person.external_id,
            user_name: person.user_name,
            name,
            display_name: person.display_name,
            emails: person.email.into_iter().map(|value| ShownEmail { value, kind: "work", primary: true }).collect(),
            active: person.active,
            groups: user.groups.into_iter().map(group).collect(),
            meta: ShownMeta::new(
                "User",
                (user.created_date, user.modified_date),
                location(public, "Users", id),
                user.version,
            ),
        }
    }
}
