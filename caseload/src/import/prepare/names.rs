//! What columns are called elsewhere, in plain English: the best known name of each field first. Compared without capitals, blanks
//! and signs.

use crate::import::rows::field::Field;

/// The names of a field.
fn names(field: Field) -> &'static [&'static str] {
    match field {
        Field::SchoolId => &[
            "schoolid",
            "studentid",
            "studentno",
            "studentnumber",
            "studentnr",
            "schoolnumber",
            "collegeid",
            "universityid",
            "matriculationnumber",
            "matricno",
            "registrationnumber",
            "personid",
            "personnumber",
            "externalid",
            "idnumber",
            "studid",
            "sid",
            "emplid",
            "idstudent",
            "idno",
            "number",
            "id",
        ],
        Field::LastName => {
            &["lastname", "surname", "familyname", "last", "lname", "secondname", "namelast", "studentlastname", "name"]
        }
        Field::FirstName => &[
            "firstname",
            "forename",
            "givenname",
            "first",
            "fname",
            "givennames",
            "forenames",
            "preferredname",
            "namefirst",
            "studentfirstname",
        ],
        Field::MiddleName => &["middlename", "middle", "middlenames", "middleinitial", "mname"],
        Field::PrimaryEmail => &[
            "primaryemail",
            "email",
            "emailaddress",
            "schoolemail",
            "collegeemail",
            "universityemail",
            "campusemail",
            "studentemail",
            "workemail",
            "institutionalemail",
            "mail",
            "primaryemailaddress",
        ],
        Field::SecondaryEmail => &[
            "secondaryemail",
            "privateemail",
            "personalemail",
            "secondemail",
            "alternateemail",
            "alternativeemail",
            "otheremail",
            "homeemail",
            "email2",
            "secondaryemailaddress",
        ],
        Field::BirthDate => &["birthdate", "dateofbirth", "dob", "birthday", "born", "bornon"],
        Field::StudentType => &[
            "studenttype",
            "type",
            "stage",
            "classification",
            "classlevel",
            "level",
            "yearofstudy",
            "studentlevel",
            "category",
            "admittype",
        ],
        Field::HomeCampus => &["homecampus", "campus", "site", "campuslocation", "campusname", "maincampus", "region"],
        Field::DeclaredMajor => &[
            "declaredmajor",
            "major",
            "programme",
            "program",
            "course",
            "courseofstudy",
            "degreeprogram",
            "fieldofstudy",
            "subject",
            "studyprogram",
            "plan",
            "degree",
        ],
        Field::StartTerm => &[
            "startterm",
            "start",
            "term",
            "entryterm",
            "admitterm",
            "intake",
            "cohort",
            "startsemester",
            "semester",
            "firstterm",
            "startingterm",
        ],
        Field::Coach => {
            &["coachschoolid", "coachid", "coach", "advisorid", "advisor", "adviserid", "adviser", "mentor"]
        }
        Field::ProgramStatus => &["programstatus", "status", "studentstatus", "enrolmentstatus", "enrollmentstatus"],
        Field::ChangeReason => &["reason", "changereason", "statusreason", "reasonofthestatus", "reasonforstatus"],
        Field::Activated => &["activated", "isactivated", "accountactivated"],
        Field::EmailOptOut => &["optedoutofemail", "emailoptout", "optout", "noemail", "unsubscribed", "donotemail"],
    }
}

/// The fields that a column of this name may be, with how well known the name is: 0 is best.
pub fn called(column: &str) -> impl Iterator<Item = (Field, usize)> {
    let column = plain(column);
    Field::ALL.into_iter().filter_map(move |field| {
        let place = names(field).iter().position(|name| *name == column)?;
        Some((field, place))
    })
}

/// Whether the name of a column of addresses says that they are people's own.
pub fn is_private(column: &str) -> bool {
    let column = plain(column);
    ["private", "personal", "second", "alternat", "other", "home", "2"].iter().any(|word| column.contains(word))
}

/// A name without what people write differently.
pub fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_name_stands_for_one_field_and_is_written_plainly() {
        let mut seen = BTreeSet::new();
        for field in Field::ALL {
            for name in names(field) {
                assert_eq!(plain(name), *name);
                assert!(seen.insert(*name), "{name} stands for two fields");
            }
            let by_label = called(field.label()).next().map(|(field, _)| field);
            assert!(by_label == Some(field) || field == Field::Coach, "{field:?} is found by what it is called here");
        }
    }
}
