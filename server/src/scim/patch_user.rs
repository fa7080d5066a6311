//! What a PATCH does to what the directory says of somebody.

use caseload::directory::DirectoryPerson;
use model::Problem;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    answers::refused,
    patch::{PatchStep, PatchVerb},
    user_shape::{SentEmail, SentFlag, SentName, address},
};

/// What is part of a user, and nothing that Docket keeps: a directory may send it as often as it likes.
const NOT_KEPT: [&str; 16] = [
    "addresses",
    "entitlements",
    "ims",
    "locale",
    "nickname",
    "password",
    "phonenumbers",
    "photos",
    "preferredlanguage",
    "profileurl",
    "roles",
    "schemas",
    "timezone",
    "title",
    "usertype",
    "x509certificates",
];
const EXTENSION: &str = "urn:ietf:params:scim:schemas:extension:";

/// What is said of somebody once all these steps are taken.
pub fn patched(mut person: DirectoryPerson, steps: Vec<PatchStep>) -> Result<DirectoryPerson, Problem> {
    for step in steps {
        take(&mut person, &step)?;
    }
    Ok(person)
}

fn take(person: &mut DirectoryPerson, step: &PatchStep) -> Result<(), Problem> {
    let path = &step.path;
    match (path.attribute.as_str(), path.part.as_deref()) {
        ("username", None) => person.user_name = step.text()?.unwrap_or_default(),
        ("externalid", None) => person.external_id = step.text()?,
        ("displayname", None) => person.display_name = step.text()?,
        ("active", None) => {
            let is_gone = step.verb == PatchVerb::Remove;
            person.active = if is_gone { false } else { read::<SentFlag>(step)?.read("active")? };
        }
        ("name", None) if step.verb == PatchVerb::Remove => (person.given_name, person.family_name) = (None, None),
        ("name", None) => {
            let name: SentName = read(step)?;
            // What is not named stays.
            person.given_name = name.given_name.or(person.given_name.take());
            person.family_name = name.family_name.or(person.family_name.take());
        }
        ("name", Some("givenname")) => person.given_name = step.text()?,
        ("name", Some("familyname")) => person.family_name = step.text()?,
        ("name", Some("formatted" | "middlename" | "honorificprefix" | "honorificsuffix")) => {}
        ("emails", None) => person.email = emails(step)?,
        // The one that is kept, however it is picked out.
        ("emails", Some("value")) => person.email = step.text()?,
        ("emails", Some("type" | "primary" | "display")) => {}
        ("id" | "meta" | "groups", _) if step.is_named => return Err(step.unchangeable()),
        ("id" | "meta" | "groups", _) => {}
        (other, _) if NOT_KEPT.contains(&other) || other.starts_with(EXTENSION) => {}
        _ => return Err(step.unknown()),
    }
    Ok(())
}

/// The address that counts of those that are sent: a list, or the one that the path picks out.
fn emails(step: &PatchStep) -> Result<Option<String>, Problem> {
    match &step.value {
        _ if step.verb == PatchVerb::Remove => Ok(None),
        Value::Array(_) => Ok(address(read(step)?)),
        _ => Ok(read::<SentEmail>(step)?.value),
    }
}

fn read<T: DeserializeOwned>(step: &PatchStep) -> Result<T, Problem> {
    let detail = || format!("{} does not have the expected form.", step.path.named());
    serde_json::from_value(step.value.clone()).map_err(|_| refused("invalidValue", detail()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::scim::patch::PatchRequest;

    fn ana() -> DirectoryPerson {
        DirectoryPerson {
            user_name: "ana@north.example".to_owned(),
            external_id: Some("7".to_owned()),
            given_name: Some("Ana".to_owned()),
            family_name: Some("Reyes".to_owned()),
            display_name: Some("Ana Reyes".to_owned()),
            email: Some("ana@north.example".to_owned()),
            active: true,
        }
    }

    fn after(operations: Value) -> Result<DirectoryPerson, Problem> {
        let request: PatchRequest = serde_json::from_value(json!({ "Operations": operations })).unwrap();
        patched(ana(), request.steps(50)?)
    }

    #[test]
    fn each_attribute_is_changed_by_its_path_or_within_an_object() {
        let one = after(json!([
            { "op": "Replace", "path": "active", "value": "False" },
            { "op": "replace", "path": "name.familyName", "value": "Lund" },
            { "op": "Add", "path": "emails[type eq \"work\"].value", "value": "lund@north.example" },
            { "op": "Remove", "path": "externalId" },
        ]))
        .unwrap();
        let other = after(json!([{ "op": "replace", "value": {
            "active": false, "name": { "familyName": "Lund" }, "externalId": null, "id": "x",
            "emails": [{ "value": "x@y.example", "type": "home" }, { "value": "lund@north.example", "primary": true }],
        } }]))
        .unwrap();
        assert_eq!(one, other);
        let expected = DirectoryPerson {
            active: false,
            external_id: None,
            family_name: Some("Lund".to_owned()),
            email: Some("lund@north.example".to_owned()),
            ..ana()
        };
        assert_eq!(one, expected);
    }

    #[test]
    fn what_docket_does_not_keep_is_passed_over() {
        let same = after(json!([
            { "op": "Add", "path": "title", "value": "Dean" },
            { "op": "Add", "path": "addresses[type eq \"work\"].locality", "value": "Northfield" },
            { "op": "Add", "path": "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", "value": "Law" },
            { "op": "replace", "value": { "password": "x", "phoneNumbers": [] } },
        ]));
        assert_eq!(same.unwrap(), ana());
    }

    #[test]
    fn what_cannot_be_changed_or_is_nothing_is_told_apart() {
        let kind = |operation: Value| after(json!([operation])).unwrap_err().more["scimType"].clone();
        assert_eq!(kind(json!({ "op": "replace", "path": "id", "value": "x" })), "mutability");
        assert_eq!(kind(json!({ "op": "replace", "path": "color", "value": "x" })), "invalidPath");
        assert_eq!(kind(json!({ "op": "replace", "path": "active", "value": "maybe" })), "invalidValue");
        assert_eq!(kind(json!({ "op": "replace", "path": "displayName", "value": 7 })), "invalidValue");
    }
}
