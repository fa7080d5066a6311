//! The fields of a person that a mapping can name, and how each is read from text.

use std::str::FromStr;

use model::school_id::NoSchoolId;
use serde::Deserialize;

use crate::{import::rows::check, import::rows::person_row::Record};

/// In the order in which a row sets them: a status first drops the reason of the former one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    SchoolId,
    /// May be empty: some people have one name.
    FirstName,
    MiddleName,
    LastName,
    PrimaryEmail,
    SecondaryEmail,
    /// `YYYY-MM-DD`.
    BirthDate,
    StudentType,
    HomeCampus,
    DeclaredMajor,
    StartTerm,
    /// The school id of a member of staff, who is in Docket already: whom a file adds are students.
    Coach,
    /// A stored name, such as `ACTIVE`.
    ProgramStatus,
    /// A stored name, such as `HEALTH`.
    ChangeReason,
    Activated,
    EmailOptOut,
}

impl Field {
    /// The fields that `invent` makes up.
    pub const INVENTED: [Field; 5] =
        [Field::FirstName, Field::MiddleName, Field::LastName, Field::PrimaryEmail, Field::SecondaryEmail];

    /// In the order in which people choose them.
    pub const ALL: [Field; 16] = [
        Field::SchoolId,
        Field::LastName,
        Field::FirstName,
        Field::MiddleName,
        Field::PrimaryEmail,
        Field::SecondaryEmail,
        Field::BirthDate,
        Field::StudentType,
        Field::HomeCampus,
        Field::DeclaredMajor,
        Field::StartTerm,
        Field::Coach,
        Field::ProgramStatus,
        Field::ChangeReason,
        Field::Activated,
        Field::EmailOptOut,
    ];

    /// What people call it.
    pub fn label(self) -> &'static str {
        match self {
            Field::SchoolId => "School ID",
            Field::FirstName => "First name",
            Field::MiddleName => "Middle name",
            Field::LastName => "Last name",
            Field::PrimaryEmail => "Primary email",
            Field::SecondaryEmail => "Secondary email",
            Field::BirthDate => "Birth date",
            Field::StudentType => "Student type",
            Field::HomeCampus => "Home campus",
            Field::DeclaredMajor => "Declared major",
            Field::StartTerm => "Start term",
            Field::Coach => "Coach, by school ID",
            Field::ProgramStatus => "Program status",
            Field::ChangeReason => "Reason of the status",
            Field::Activated => "Activated",
            Field::EmailOptOut => "Opted out of email",
        }
    }

    /// The field that a mapping calls so.
    pub fn named(name: &str) -> Option<Field> {
        Field::ALL.into_iter().find(|field| field.name() == name)
    }

    /// The key in a mapping.
    pub fn name(self) -> &'static str {
        match self {
            Field::SchoolId => "school_id",
            Field::FirstName => "first_name",
            Field::MiddleName => "middle_name",
            Field::LastName => "last_name",
            Field::PrimaryEmail => "primary_email",
            Field::SecondaryEmail => "secondary_email",
            Field::BirthDate => "birth_date",
            Field::StudentType => "student_type",
            Field::HomeCampus => "home_campus",
            Field::DeclaredMajor => "declared_major",
            Field::StartTerm => "start_term",
            Field::Coach => "coach",
            Field::ProgramStatus => "program_status",
            Field::ChangeReason => "change_reason",
            Field::Activated => "activated",
            Field::EmailOptOut => "email_opt_out",
        }
    }

    /// Sets the field of a person, or says what is wrong with the text. Nothing stands for an empty cell.
    ///
    /// The coach is only checked here: who that is takes the database.
    pub fn set(self, text: Option<&str>, record: &mut Record) -> Result<(), String> {
        let line = || text.map(check::line).transpose();
        match self {
            Field::SchoolId => {
                let id = line()?.ok_or("the school ID is missing")?;
                record.school_id = id.parse().map_err(|why: NoSchoolId| why.to_string())?;
            }
            Field::FirstName => record.first_name = line()?.unwrap_or_default(),
            Field::MiddleName => record.middle_name = line()?,
            Field::LastName => record.last_name = line()?.ok_or("the last name is missing")?,
            Field::PrimaryEmail => record.primary_email = text.map(check::email).transpose()?,
            Field::SecondaryEmail => record.secondary_email = text.map(check::email).transpose()?,
            Field::BirthDate => record.birth_date = text.map(check::date).transpose()?,
            Field::StudentType => record.student_type = line()?,
            Field::HomeCampus => record.home_campus = line()?,
            Field::DeclaredMajor => record.declared_major = line()?,
            Field::StartTerm => record.start_term = line()?,
            Field::Coach => drop(line()?),
            Field::ProgramStatus => {
                record.program_status = Some(FromStr::from_str(text.ok_or("the program status is missing")?)?);
                record.change_reason = None;
            }
            Field::ChangeReason => record.change_reason = text.map(FromStr::from_str).transpose()?,
            Field::Activated => record.activated = text.map_or(Ok(true), check::flag)?,
            Field::EmailOptOut => record.email_opt_out = text.map_or(Ok(false), check::flag)?,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use model::SchoolId;
    use sea_orm::{IdenStatic, Iterable};

    use super::*;
    use crate::entity::people::person::Column;

    /// What no file sets by its own name: what Docket keeps for itself, and what comes of other fields.
    const OURS: &[Column] = &[
        Column::Id,
        Column::Student,
        Column::CoachId,
        Column::StatusDate,
        Column::Extra,
        Column::SortKey,
        Column::GivenKey,
        Column::SchoolKey,
        Column::EmailKey,
        Column::CreatedDate,
        Column::ModifiedDate,
    ];

    #[test]
    fn a_mapping_names_every_column_of_people_that_is_not_docket_s_own() {
        let ours: BTreeSet<&str> = OURS.iter().map(IdenStatic::as_str).collect();
        let known: BTreeSet<&str> = Column::iter().map(|column| column.as_str()).collect();
        let named: BTreeSet<&str> = Field::ALL.into_iter().map(Field::name).filter(|name| *name != "coach").collect();
        assert_eq!(known.difference(&ours).copied().collect::<BTreeSet<_>>(), named);
    }

    #[test]
    fn whom_an_import_can_bring_can_be_asked_for_by_their_id() {
        for text in ["G1-1".to_owned(), "Ø".repeat(200), "Ø".repeat(201), "a\0b".to_owned(), "a\nb".to_owned()] {
            let imported = Field::SchoolId.set(Some(&text), &mut Record::new(SchoolId::made_up(1, 1))).is_ok();
            assert_eq!(imported, text.parse::<SchoolId>().is_ok(), "{text:?}");
        }
    }
}
