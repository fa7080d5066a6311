//! What a PATCH does to a group.

use caseload::directory::GroupEdit;
use model::{AccountId, Problem};
use serde_json::Value;

use super::{
    answers::refused,
    group_shape::{SentMember, member, members},
    patch::{PatchStep, PatchVerb},
};

/// These steps as changes of a group.
pub fn edits(steps: Vec<PatchStep>) -> Result<Vec<GroupEdit>, Problem> {
    steps.iter().map(edit).filter_map(Result::transpose).collect()
}

fn edit(step: &PatchStep) -> Result<Option<GroupEdit>, Problem> {
    Ok(Some(match (step.path.attribute.as_str(), step.verb) {
        ("displayname", _) => GroupEdit::Name(step.text()?.unwrap_or_default()),
        ("externalid", _) => GroupEdit::ExternalId(step.text()?),
        ("members", PatchVerb::Add) => GroupEdit::Add(named(step)?),
        ("members", PatchVerb::Replace) => GroupEdit::Members(named(step)?),
        ("members", PatchVerb::Remove) => match (&step.path.of, &step.value) {
            // All of them, unless some are named in either way.
            (None, Value::Null) => GroupEdit::Members(Vec::new()),
            _ => GroupEdit::Remove(named(step)?),
        },
        ("id" | "meta", _) if step.is_named => return Err(step.unchangeable()),
        ("id" | "meta" | "schemas", _) => return Ok(None),
        _ => return Err(step.unknown()),
    }))
}

/// Whom a step names: by `members[value eq "…"]`, or by a list, or one alone.
fn named(step: &PatchStep) -> Result<Vec<AccountId>, Problem> {
    if let Some(of) = &step.path.of {
        return match of.attribute.as_str() {
            "value" => Ok(vec![member(&of.value)?]),
            _ => Err(step.unknown()),
        };
    }
    let read = match &step.value {
        Value::Null => Ok(Vec::new()),
        Value::Array(_) => serde_json::from_value::<Vec<SentMember>>(step.value.clone()),
        one => serde_json::from_value::<SentMember>(one.clone()).map(|one| vec![one]),
    };
    members(read.map_err(|_| refused("invalidValue", "members: a list of objects with a value is needed."))?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::scim::patch::PatchRequest;

    const ANA: &str = "0192f3a4-0000-7000-8000-000000000001";

    fn of(operation: Value) -> Result<Vec<GroupEdit>, Problem> {
        let request: PatchRequest = serde_json::from_value(json!({ "Operations": [operation] })).unwrap();
        edits(request.steps(50)?)
    }

    #[test]
    fn members_are_named_in_every_way_that_directories_have() {
        let ana: AccountId = ANA.parse().unwrap();
        let gone = [GroupEdit::Remove(vec![ana])];
        assert_eq!(of(json!({ "op": "remove", "path": format!("members[value eq \"{ANA}\"]") })).unwrap(), gone);
        let listed = json!({ "op": "Remove", "path": "members", "value": [{ "$ref": null, "value": ANA }] });
        assert_eq!(of(listed).unwrap(), gone);
        let added = [GroupEdit::Add(vec![ana])];
        assert_eq!(of(json!({ "op": "Add", "path": "members", "value": [{ "value": ANA }] })).unwrap(), added);
        assert_eq!(of(json!({ "op": "add", "path": "members", "value": { "value": ANA } })).unwrap(), added);
        assert_eq!(of(json!({ "op": "remove", "path": "members" })).unwrap(), [GroupEdit::Members(Vec::new())]);
    }

    #[test]
    fn a_group_is_renamed_by_a_path_or_within_an_object() {
        let renamed = [GroupEdit::Name("Deans".to_owned())];
        assert_eq!(of(json!({ "op": "Replace", "path": "displayName", "value": "Deans" })).unwrap(), renamed);
        assert_eq!(of(json!({ "op": "replace", "value": { "id": "x", "displayName": "Deans" } })).unwrap(), renamed);
    }

    #[test]
    fn what_is_no_member_is_refused() {
        let kind = |operation: Value| of(operation).unwrap_err().more["scimType"].clone();
        assert_eq!(kind(json!({ "op": "add", "path": "members", "value": [{ "value": "x" }] })), "invalidValue");
        assert_eq!(kind(json!({ "op": "add", "path": "members", "value": "x" })), "invalidValue");
        assert_eq!(kind(json!({ "op": "remove", "path": "members[display eq \"x\"]" })), "invalidPath");
        assert_eq!(kind(json!({ "op": "replace", "path": "owner", "value": "x" })), "invalidPath");
    }
}
