//! The mapping file: which column of a CSV file feeds which field of a person. TOML; `mappings/oulad.toml` is an example
//! with every part.

use std::{collections::BTreeMap, str::FromStr};

use model::{ProgramStatus, SchoolId, import::Separator, length::within};
use serde::{Deserialize, Serialize};

use crate::{
    import::error::ImportError, import::rows::field::Field, import::rows::field_source::ColumnSource,
    import::rows::mapping_errors, import::rows::person_row::Record,
};

/// The longest mapping, in bytes: what each of many hundred values of a field means.
pub const LONGEST: usize = 64 * 1024;

/// A checked mapping; it is read with [`str::parse`].
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    /// Whether new people get a name and an address made up from their school id, for files that carry none.
    #[serde(default)]
    pub(super) invent: bool,
    /// What stands between the cells; without it that is guessed from the first lines.
    #[serde(default)]
    pub(crate) separator: Option<Separator>,
    pub(super) person: BTreeMap<Field, ColumnSource>,
    /// What else is kept of a row, under names of one's own.
    #[serde(default)]
    pub(super) extra: BTreeMap<String, ColumnSource>,
    /// How several rows of one person become one: the first rule that tells two rows apart says which stays. Without
    /// rules the first one stays.
    #[serde(default)]
    pub(super) collapse: Vec<Rule>,
    #[serde(default)]
    pub(super) new_people: NewPeople,
}

/// What new people get of which the file says nothing. Whoever is in Docket keeps theirs.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewPeople {
    pub program_status: Option<ProgramStatus>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    pub column: String,
    pub keep: Keep,
}

/// Which of two rows stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    /// The one with the greater text: terms that are written so that they sort by time.
    Latest,
    /// The one with the greater number; an empty cell is less than any.
    Most,
}

impl Keep {
    /// As a mapping has it.
    pub fn name(self) -> &'static str {
        match self {
            Keep::Latest => "latest",
            Keep::Most => "most",
        }
    }
}

impl FromStr for Mapping {
    type Err = ImportError;

    /// Reads and checks a mapping. The error names the key, and the line where TOML knows it.
    fn from_str(toml: &str) -> Result<Mapping, ImportError> {
        let toml = within::<LONGEST>(toml).map_err(|error| ImportError::Mapping(error.to_string()))?;
        let mapping: Mapping =
            toml::from_str(toml).map_err(|error| ImportError::Mapping(mapping_errors::words(toml, &error)))?;
        mapping.check().map_err(ImportError::Mapping)?;
        Ok(mapping)
    }
}

impl Mapping {
    /// Where each field comes from, a line for each.
    pub fn in_words(&self) -> Vec<String> {
        let fields = self.person.iter().map(|(field, from)| format!("{} → {}", from.origin, field.label()));
        let extra = self.extra.iter().map(|(name, from)| format!("{} → {name}", from.origin));
        fields.chain(extra).collect()
    }

    fn check(&self) -> Result<(), String> {
        let name: &[Field] = if self.invent { &[] } else { &[Field::LastName] };
        let status: &[Field] = if self.new_people.program_status.is_some() { &[] } else { &[Field::ProgramStatus] };
        for field in [Field::SchoolId].iter().chain(status).chain(name) {
            if !self.person.contains_key(field) {
                return Err(format!("Under [person], {} is missing.", field.name()));
            }
        }
        if let Some(field) = Field::INVENTED.iter().find(|field| self.invent && self.person.contains_key(field)) {
            return Err(format!("Under [person], {} contradicts `invent = true`, which makes it up.", field.name()));
        }
        match self.new_people.program_status {
            Some(_) if self.person.contains_key(&Field::ProgramStatus) => {
                return Err("Under [new_people], program_status contradicts that under [person].".to_owned());
            }
            Some(status) if status.needs_reason() => {
                return Err(format!("Under [new_people], program_status: {status} needs a reason."));
            }
            Some(_) | None => {}
        }
        let dated = self.person.iter().filter(|(field, _)| **field != Field::BirthDate);
        let dated = dated.map(|(field, source)| (field.name(), source));
        let mut dated = dated.chain(self.extra.iter().map(|(name, source)| (name.as_str(), source)));
        if let Some((name, _)) = dated.find(|(_, source)| source.dates.is_some()) {
            return Err(format!("{name} is no date, so `dates` says nothing of it."));
        }
        for (field, source) in &self.person {
            for text in source.spelled_out() {
                let text = (!text.is_empty()).then_some(text);
                field
                    .set(text, &mut Record::new(SchoolId::made_up(0, 0)))
                    .map_err(|why| format!("Under [person], {}: {why}.", field.name()))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
        invent = true
        [person]
        school_id = "id"
        program_status = { column = "result", values = { Pass = "ACTIVE" }, otherwise = "INACTIVE" }
        activated = { value = true }
        [extra]
        band = "imd_band"
        [[collapse]]
        column = "term"
        keep = "latest"
    "#;

    #[test]
    fn a_good_one_is_read() {
        let mapping: Mapping = GOOD.parse().unwrap();
        assert_eq!(mapping.person.len(), 3);
        assert_eq!(mapping.collapse[0].keep, Keep::Latest);
        include_str!("../../../mappings/oulad.toml").parse::<Mapping>().unwrap();
    }

    #[test]
    fn errors_name_the_key() {
        for (from, to, named) in [
            ("invent", "invert", "invert"),
            ("activated", "activatd", "activatd"),
            ("column = \"result\"", "colunm = \"result\"", "colunm"),
            ("keep = \"latest\"", "keep = \"newest\"", "newest"),
            ("keep = \"latest\"", "", "keep"),
            ("school_id", "home_campus", "Under [person], school_id is missing."),
            ("invent = true", "", "Under [person], last_name is missing."),
            ("activated = { value = true }", "last_name = \"name\"", "Under [person], last_name contradicts"),
            ("\"ACTIVE\"", "\"ACTIV\"", "Under [person], program_status: “ACTIV”"),
            ("\"INACTIVE\"", "\"\"", "Under [person], program_status: the program status is missing."),
            ("{ value = true }", "{ value = \"perhaps\" }", "Under [person], activated: “perhaps”"),
            ("{ value = true }", "{ value = true, column = \"x\" }", "exactly one of"),
            ("{ value = true }", "{ value = true, otherwise = \"false\" }", "`otherwise`"),
            ("{ value = true }", "[1]", "the name of a column"),
            ("{ value = true }", "{ column = \"x\", dates = \"day_first\" }", "activated is no date"),
            (
                "[extra]",
                "[new_people]\nprogram_status = \"ACTIVE\"\n[extra]",
                "[new_people], program_status contradicts",
            ),
            ("[extra]", "[new_people]\nprogram_status = \"ACTIV\"\n[extra]", "ACTIV"),
        ] {
            assert!(GOOD.contains(from), "{from}");
            let error = GOOD.replacen(from, to, 1).parse::<Mapping>().unwrap_err().to_string();
            assert!(error.contains(named), "{to}: {error}");
        }
    }
}
