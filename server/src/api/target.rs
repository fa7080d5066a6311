//! At whom a request is aimed: exactly one of `personIds`, `schoolIds`, `query` (with `exclude`) and `everyone`.

use model::{PeopleFilter, PersonId, Problem, Target};
use serde::Deserialize;

/// The member `target` of a request.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct TargetBody {
    person_ids: Option<Vec<PersonId>>,
    school_ids: Option<Vec<String>>,
    /// The list's filters, as arrays.
    query: Option<PeopleFilter>,
    exclude: Option<Vec<PersonId>>,
    everyone: Option<bool>,
}

impl TryFrom<TargetBody> for Target {
    type Error = Problem;

    fn try_from(body: TargetBody) -> Result<Target, Problem> {
        match body {
            TargetBody { person_ids: Some(ids), school_ids: None, query: None, exclude: None, everyone: None } => {
                Ok(Target::People(ids))
            }
            TargetBody { person_ids: None, school_ids: Some(ids), query: None, exclude: None, everyone: None } => {
                Ok(Target::SchoolIds(ids))
            }
            TargetBody { person_ids: None, school_ids: None, query: Some(filter), exclude, everyone: None } => {
                Ok(Target::Query { filter: filter.checked()?, exclude: exclude.unwrap_or_default() })
            }
            TargetBody { person_ids: None, school_ids: None, query: None, exclude: None, everyone: Some(true) } => {
                Ok(Target::Everyone)
            }
            _ => Err(Problem::field(
                "target",
                "invalid",
                "Give exactly one of personIds, schoolIds, query (with exclude, if you like) and everyone: true.",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(json: &str) -> Result<Target, Problem> {
        serde_json::from_str::<TargetBody>(json).unwrap().try_into()
    }

    #[test]
    fn each_way_of_naming_people_is_read() {
        assert_eq!(target(r#"{"personIds":[]}"#).unwrap(), Target::People(vec![]));
        assert_eq!(target(r#"{"schoolIds":["1","2"]}"#).unwrap(), Target::SchoolIds(vec!["1".into(), "2".into()]));
        assert_eq!(target(r#"{"everyone":true}"#).unwrap(), Target::Everyone);
        let filter = PeopleFilter { major: vec!["AAA".into()], ..PeopleFilter::default() };
        let exclude = vec![PersonId::NOBODY];
        let json = r#"{"query":{"major":["AAA"]},"exclude":["00000000-0000-0000-0000-000000000000"]}"#;
        assert_eq!(target(json).unwrap(), Target::Query { filter, exclude });
    }

    #[test]
    fn none_or_two_at_once_are_refused() {
        for json in [
            "{}",
            r#"{"everyone":false}"#,
            r#"{"everyone":true,"schoolIds":[]}"#,
            r#"{"exclude":[]}"#,
            r#"{"personIds":[],"query":{}}"#,
            r#"{"personIds":[],"exclude":[]}"#,
        ] {
            assert_eq!(target(json).unwrap_err().errors[0].field, "target", "{json}");
        }
    }
}
