//! A PATCH, as either of the big directories writes it: Entra ID names each attribute by a path and begins its operations with a capital;
//! Okta sends an object of attributes without a path. Both become steps, each of one attribute.

use model::Problem;
use serde::Deserialize;
use serde_json::Value;

use super::{
    answers::refused,
    filter::{self, FilterTerm, plain},
};

/// The longest path, in bytes.
const LONGEST_PATH: usize = 300;

/// What is sent.
#[derive(Debug, Deserialize)]
pub struct PatchRequest {
    #[serde(rename = "Operations", alias = "operations")]
    operations: Vec<PatchOperation>,
}

#[derive(Debug, Deserialize)]
struct PatchOperation {
    op: String,
    #[serde(default)]
    path: Option<String>,
    #[serde(default)]
    value: Value,
}

/// What is done to an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchVerb {
    Add,
    Replace,
    Remove,
}

/// One change of one attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct PatchStep {
    pub verb: PatchVerb,
    pub path: PatchPath,
    pub value: Value,
    /// Whether it was named by a path, and not as a member of an object.
    pub is_named: bool,
}

/// Which attribute: `emails[type eq "work"].value`. Names are in small letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatchPath {
    pub attribute: String,
    /// Which of several values.
    pub of: Option<FilterTerm>,
    pub part: Option<String>,
}

impl PatchRequest {
    /// Its steps, one after the other.
    pub fn steps(self, most: u32) -> Result<Vec<PatchStep>, Problem> {
        if self.operations.len() > most as usize {
            let most = model::grouped(u64::from(most));
            let detail = format!("A PATCH can have {most} operations, which is the limit of scim.operations.");
            return Err(refused("tooMany", detail));
        }
        let mut steps = Vec::new();
        for operation in self.operations {
            let verb = verb(&operation.op)?;
            match (operation.path.filter(|path| !path.trim().is_empty()), operation.value) {
                (Some(path), value) => {
                    steps.push(PatchStep { verb, path: PatchPath::read(&path)?, value, is_named: true });
                }
                (None, _) if verb == PatchVerb::Remove => {
                    return Err(refused("noTarget", "What is removed is named by a path."));
                }
                (None, Value::Object(members)) => {
                    for (name, value) in members {
                        steps.push(PatchStep { verb, path: PatchPath::read(&name)?, value, is_named: false });
                    }
                }
                (None, _) => {
                    return Err(refused("invalidSyntax", "Without a path, the value is an object of attributes."));
                }
            }
        }
        Ok(steps)
    }
}

fn verb(op: &str) -> Result<PatchVerb, Problem> {
    match &*op.to_ascii_lowercase() {
        "add" => Ok(PatchVerb::Add),
        "replace" => Ok(PatchVerb::Replace),
        "remove" => Ok(PatchVerb::Remove),
        _ => {
            let op = model::enum_words::quoted(op);
            Err(refused("invalidSyntax", format!("op: {op} is none of add, replace and remove.")))
        }
    }
}

impl PatchPath {
    fn read(path: &str) -> Result<PatchPath, Problem> {
        let wrong = || refused("invalidPath", format!("path: {} is not understood.", model::enum_words::quoted(path)));
        if path.len() > LONGEST_PATH {
            return Err(wrong());
        }
        let path = plain(path.trim());
        // Of another schema, whose name has dots of its own.
        if path.to_ascii_lowercase().starts_with("urn:") {
            return Ok(PatchPath { attribute: path.to_lowercase(), of: None, part: None });
        }
        let (attribute, of, rest) = match path.split_once('[') {
            Some((attribute, rest)) => {
                let (inner, rest) = rest.rsplit_once(']').ok_or_else(wrong)?;
                (attribute, Some(one_of(inner).ok_or_else(wrong)?), rest)
            }
            None => {
                let end = path.find('.').unwrap_or(path.len());
                (&path[..end], None, &path[end..])
            }
        };
        let part = match rest.strip_prefix('.') {
            Some(part) => Some(part.to_lowercase()),
            None if rest.is_empty() => None,
            None => return Err(wrong()),
        };
        Ok(PatchPath { attribute: attribute.to_lowercase(), of, part })
    }

    /// As somebody is told of it.
    pub fn named(&self) -> String {
        match &self.part {
            Some(part) => format!("{}.{part}", self.attribute),
            None => self.attribute.clone(),
        }
    }
}

/// `type eq "work"`, or `primary eq true`.
fn one_of(text: &str) -> Option<FilterTerm> {
    let quoted = match text.trim().rsplit_once(' ') {
        Some((before, flag @ ("true" | "false" | "True" | "False"))) => format!("{before} \"{flag}\""),
        _ => text.to_owned(),
    };
    let mut terms = filter::terms(&quoted, LONGEST_PATH).ok()?;
    (terms.len() == 1).then(|| terms.remove(0))
}

impl PatchStep {
    /// The text that an attribute is to have; nothing where it is removed.
    pub fn text(&self) -> Result<Option<String>, Problem> {
        match (&self.value, self.verb) {
            (_, PatchVerb::Remove) | (Value::Null, _) => Ok(None),
            (Value::String(text), _) => Ok(Some(text.clone())),
            _ => Err(refused("invalidValue", format!("{}: a text is needed.", self.path.named()))),
        }
    }

    /// The refusal of what nobody may change.
    pub fn unchangeable(&self) -> Problem {
        refused("mutability", format!("{} cannot be changed.", self.path.named()))
    }

    /// The refusal of an attribute that there is not.
    pub fn unknown(&self) -> Problem {
        refused(
            "invalidPath",
            format!("path: there is no attribute {}.", model::enum_words::quoted(&self.path.named())),
        )
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn path(text: &str) -> (String, Option<String>, Option<String>) {
        let path = PatchPath::read(text).unwrap();
        (path.attribute, path.of.map(|term| format!("{}={}", term.attribute, term.value)), path.part)
    }

    #[test]
    fn a_path_is_read_with_its_brackets_and_its_schema() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(path("displayName"), ("displayname".to_owned(), None, None));
        assert_eq!(path("name.givenName"), ("name".to_owned(), None, some("givenname")));
        assert_eq!(path("emails[type eq \"work\"].value"), ("emails".to_owned(), some("type=work"), some("value")));
        assert_eq!(path("emails[primary eq true]"), ("emails".to_owned(), some("primary=true"), None));
        assert_eq!(path("urn:ietf:params:scim:schemas:core:2.0:User:userName"), ("username".to_owned(), None, None));
        let of_another = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager";
        assert_eq!(path(of_another), (of_another.to_lowercase(), None, None));
        for wrong in
            ["emails[type eq \"work\"", "emails[x]", "emails[type eq \"a\" and b eq \"c\"]", "members[value eq \"7\"]x"]
        {
            assert_eq!(PatchPath::read(wrong).unwrap_err().more["scimType"], "invalidPath", "{wrong}");
        }
    }

    #[test]
    fn an_object_without_a_path_is_a_step_for_each_of_its_members() {
        let body =
            json!({ "Operations": [{ "op": "Replace", "value": { "active": false, "name.familyName": "Lund" } }] });
        let steps = serde_json::from_value::<PatchRequest>(body).unwrap().steps(10).unwrap();
        let told: Vec<(String, PatchVerb)> = steps.iter().map(|step| (step.path.named(), step.verb)).collect();
        let replaced = |name: &str| (name.to_owned(), PatchVerb::Replace);
        assert_eq!(told, [replaced("active"), replaced("name.familyname")]);
    }

    #[test]
    fn what_is_no_operation_says_which_kind_of_mistake_it_is() {
        let kind = |operation: Value| {
            let body = json!({ "Operations": [operation, { "op": "add", "path": "active", "value": true }] });
            let steps = serde_json::from_value::<PatchRequest>(body).unwrap().steps(2);
            steps.err().map(|problem| problem.more["scimType"].as_str().unwrap().to_owned())
        };
        assert_eq!(kind(json!({ "op": "move", "path": "active" })).as_deref(), Some("invalidSyntax"));
        assert_eq!(kind(json!({ "op": "remove" })).as_deref(), Some("noTarget"));
        assert_eq!(kind(json!({ "op": "add", "value": 7 })).as_deref(), Some("invalidSyntax"));
        assert_eq!(kind(json!({ "op": "add", "path": "a", "value": 7 })), None);
        let many = json!({ "Operations": [{ "op": "remove", "path": "a" }, { "op": "remove", "path": "b" }] });
        let many = serde_json::from_value::<PatchRequest>(many).unwrap().steps(1).unwrap_err();
        assert_eq!(many.more["scimType"], "tooMany");
    }
}
