//! A group as the directory writes and reads it.

use caseload::directory::{DirectoryGroup, DirectoryGroupName};
use model::{AccountId, DirectoryGroupId, Problem};
use serde::{Deserialize, Serialize};
use url::Url;

use super::{
    answers::refused,
    user_shape::{ShownMeta, location},
};

pub const GROUP: &str = "urn:ietf:params:scim:schemas:core:2.0:Group";

/// A group as it is sent.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SentGroup {
    #[serde(default)]
    schemas: Vec<String>,
    #[serde(default)]
    display_name: Option<String>,
    #[serde(default)]
    external_id: Option<String>,
    #[serde(default)]
    members: Option<Vec<SentMember>>,
}

/// Somebody who is in it.
#[derive(Debug, Deserialize)]
pub struct SentMember {
    pub value: String,
}

/// The account that a member is.
pub fn member(value: &str) -> Result<AccountId, Problem> {
    value.parse().map_err(|_| {
        let value = model::enum_words::quoted(value);
        refused("invalidValue", format!("members: there is no user with the id {value}."))
    })
}

pub fn members(sent: Vec<SentMember>) -> Result<Vec<AccountId>, Problem> {
    sent.iter().map(|sent| member(&sent.value)).collect()
}

impl SentGroup {
    /// What the group is called, and who is in it.
    pub fn read(self) -> Result<(DirectoryGroupName, Vec<AccountId>), Problem> {
        if !self.schemas.is_empty() && !self.schemas.iter().any(|schema| schema.eq_ignore_ascii_case(GROUP)) {
            return Err(refused("invalidSyntax", format!("schemas: {GROUP} is needed.")));
        }
        let display_name = self.display_name.unwrap_or_default();
        let members = members(self.members.unwrap_or_default())?;
        Ok((DirectoryGroupName { display_name, external_id: self.external_id }, members))
    }
}

/// A group as it is shown.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownGroup {
    schemas: [&'static str; 1],
    id: DirectoryGroupId,
    #[serde(skip_serializing_if = "Option::is_none")]
    external_id: Option<String>,
    display_name: String,
    members: Vec<ShownMember>,
    meta: ShownMeta,
}

#[derive(Debug, Serialize)]
struct ShownMember {
    value: AccountId,
    display: String,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(rename = "$ref")]
    at: String,
}

impl ShownGroup {
    pub fn new(group: DirectoryGroup, public: &Url) -> ShownGroup {
        let member =
            |(value, display)| ShownMember { value, display, kind: "User", at: location(public, "Users", value) };
        ShownGroup {
            schemas: [GROUP],
            id: group.id,
            external_id: group.name.external_id,
            display_name: group.name.display_name,
            members: group.members.into_iter().map(member).collect(),
            meta: ShownMeta::new(
                "Group",
                (group.created_date, group.modified_date),
                location(public, "Groups", group.id),
                group.version,
            ),
        }
    }
}
