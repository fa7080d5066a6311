//! How the interface describes itself: what it can do, and what users and groups have.

use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::Response,
};
use caseload::directory::Slice;
use model::{Code, Problem};
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    answers::answer,
    asked::FromDirectory,
    group_shape::GROUP,
    list,
    user_shape::{USER, location},
};
use crate::{
    state::AppState,
    web::problem::{Answer, ProblemAnswer},
};

const CONFIG: &str = "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig";
const TYPE: &str = "urn:ietf:params:scim:schemas:core:2.0:ResourceType";
const SCHEMA: &str = "urn:ietf:params:scim:schemas:core:2.0:Schema";

/// What is so of each description.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MetaOfOurs {
    resource_type: &'static str,
    location: String,
}

impl MetaOfOurs {
    fn new(resource_type: &'static str, location: String) -> MetaOfOurs {
        MetaOfOurs { resource_type, location }
    }
}

/// `GET /scim/v2/ServiceProviderConfig`.
pub async fn config(State(state): State<AppState>, _: FromDirectory) -> Response {
    let no = json!({ "supported": false });
    let body = json!({
        "schemas": [CONFIG],
        "patch": { "supported": true },
        "bulk": { "supported": false, "maxOperations": 0, "maxPayloadSize": 0 },
        "filter": { "supported": true, "maxResults": state.directory.bounds.page },
        "changePassword": no,
        "sort": no,
        "etag": { "supported": true },
        "authenticationSchemes": [{
            "type": "oauthbearertoken",
            "name": "Bearer token",
            "description": "A token that the command “docket directory token” makes.",
            "primary": true,
        }],
        "meta": MetaOfOurs::new("ServiceProviderConfig", at(&state, "ServiceProviderConfig", "")),
    });
    answer(StatusCode::OK, &body)
}

/// `GET /scim/v2/ResourceTypes`.
pub async fn types(State(state): State<AppState>, _: FromDirectory) -> Response {
    all(resource_types(&state))
}

/// `GET /scim/v2/ResourceTypes/{id}`.
pub async fn one_type(State(state): State<AppState>, _: FromDirectory, Path(id): Path<String>) -> Answer<Response> {
    one(resource_types(&state), &id)
}

/// `GET /scim/v2/Schemas`.
pub async fn schemas(State(state): State<AppState>, _: FromDirectory) -> Response {
    all(both_schemas(&state))
}

/// `GET /scim/v2/Schemas/{id}`.
pub async fn one_schema(State(state): State<AppState>, _: FromDirectory, Path(id): Path<String>) -> Answer<Response> {
    one(both_schemas(&state), &id)
}

fn all(resources: Vec<Value>) -> Response {
    let total = resources.len() as u64;
    list::list(total, Slice { skip: 0, most: total }, resources)
}

fn one(resources: Vec<Value>, id: &str) -> Answer<Response> {
    let found = resources.into_iter().find(|resource| resource["id"] == id);
    let unknown = || ProblemAnswer(Problem::new(404, Code::NOT_FOUND, "Not found", "There is nothing with this id."));
    Ok(answer(StatusCode::OK, &found.ok_or_else(unknown)?))
}

fn at(state: &AppState, kind: &str, id: &str) -> String {
    location(&state.http.public_url, kind, id).trim_end_matches('/').to_owned()
}

fn resource_types(state: &AppState) -> Vec<Value> {
    let of = |name: &str, endpoint: &str, schema: &str, about: &str| {
        json!({
            "schemas": [TYPE],
            "id": name,
            "name": name,
            "endpoint": endpoint,
            "description": about,
            "schema": schema,
            "meta": MetaOfOurs::new("ResourceType", at(state, "ResourceTypes", name)),
        })
    };
    vec![
        of("User", "/Users", USER, "A member of staff with an account"),
        of("Group", "/Groups", GROUP, "A group of users, which can make their role"),
    ]
}

fn both_schemas(state: &AppState) -> Vec<Value> {
    let of = |id: &str, name: &str, about: &str, attributes: Vec<Value>| {
        json!({
            "schemas": [SCHEMA],
            "id": id,
            "name": name,
            "description": about,
            "attributes": attributes,
            "meta": MetaOfOurs::new("Schema", at(state, "Schemas", id)),
        })
    };
    let reference = |mut one: Value, kinds: &[&str]| {
        one["referenceTypes"] = json!(kinds);
        one
    };
    let inner = |text: &str| reference(read_only(text, "reference"), &["User", "Group"]);
    let user = vec![
        needed(attribute("userName", "string", "With which they sign in; capitals make no difference"), "server"),
        exact(attribute("externalId", "string", "The directory’s own id")),
        complex(
            "name",
            false,
            vec![
                attribute("givenName", "string", "The first name"),
                attribute("familyName", "string", "The last name"),
                read_only("formatted", "string"),
            ],
        ),
        attribute("displayName", "string", "How they are shown, where neither name is given"),
        complex(
            "emails",
            true,
            vec![
                attribute("value", "string", "The address; the primary one is kept"),
                attribute("type", "string", "“work”"),
                attribute("primary", "boolean", "Whether it is the one that counts"),
            ],
        ),
        attribute("active", "boolean", "Whether they are let in"),
        unchangeable(complex(
            "groups",
            true,
            vec![read_only("value", "string"), inner("$ref"), read_only("display", "string")],
        )),
    ];
    let group = vec![
        needed(attribute("displayName", "string", "What the group is called"), "server"),
        exact(attribute("externalId", "string", "The directory’s own id")),
        complex(
            "members",
            true,
            vec![
                attribute("value", "string", "The id of a user"),
                inner("$ref"),
                read_only("display", "string"),
                read_only("type", "string"),
            ],
        ),
    ];
    vec![
        of(USER, "User", "A member of staff with an account", user),
        of(GROUP, "Group", "A group of users, which can make their role", group),
    ]
}

fn attribute(name: &str, kind: &str, about: &str) -> Value {
    json!({
        "name": name,
        "type": kind,
        "multiValued": false,
        "description": about,
        "required": false,
        "caseExact": false,
        "mutability": "readWrite",
        "returned": "default",
        "uniqueness": "none",
    })
}

fn needed(mut one: Value, uniqueness: &str) -> Value {
    one["required"] = true.into();
    one["uniqueness"] = uniqueness.into();
    one
}

fn exact(mut one: Value) -> Value {
    one["caseExact"] = true.into();
    one
}

fn unchangeable(mut one: Value) -> Value {
    one["mutability"] = "readOnly".into();
    one
}

fn read_only(name: &str, kind: &str) -> Value {
    unchangeable(attribute(name, kind, ""))
}

fn complex(name: &str, is_list: bool, parts: Vec<Value>) -> Value {
    let mut one = attribute(name, "complex", "");
    one["multiValued"] = is_list.into();
    one["subAttributes"] = parts.into();
    one
}
