//! At whom a request is aimed: exactly one of `personIds`, `schoolIds`, `query` (with `exclude`) and `everyone`.

use model::{PeopleFilter, PersonId, Problem, SchoolId, Target, school_id::NoSchoolId};
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
                Ok(Target::SchoolIds(school_ids(&ids)?))
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

/// Blank ones are nobody's.
fn school_ids(given: &[String]) -> Result<Vec<SchoolId>, Problem> {
    let ids = given.iter().map(|id| id.parse()).filter(|id| *id != Err(NoSchoolId::Blank));
    ids.collect::<Result<_, _>>().map_err(|why: NoSchoolId| why.of("schoolIds"))
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
        assert_eq!(
            target(r#"{"schoolIds":["1"," ","2 "]}"#).unwrap(),
            Target::SchoolIds(["1", "2"].map(|id| id.parse().unwrap()).to_vec())
        );
        assert_eq!(target(r#"{"everyone":true}"#).unwrap(), Target::Everyone);
        let filter = PeopleFilter { major: vec!["AAA".into()], ..PeopleFilter::default() };
        let exclude = vec![PersonId::NOBODY];
        let json = r#"{"query":{"major":["AAA"]},"exclude":["00000000-0000-0000-0000-000000000000"]}"#;
        assert_eq!(target(json).unwrap(), Target::Query { filter, exclude });
    }

    #[test]
    fn what_no_school_id_is_is_refused_by_name() {
        for (json, code) in [(r#"{"schoolIds":["1","a\u0000b"]}"#, "invalid"), (r#"{"schoolIds":["X"]}"#, "too_long")] {
            let refused = target(&json.replace('X', &"x".repeat(201))).unwrap_err();
            assert_eq!((refused.errors[0].field.as_str(), refused.errors[0].code.as_str()), ("schoolIds", code));
        }
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
