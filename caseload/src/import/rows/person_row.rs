//! A row of `person` as import and generation see it.

use chrono::NaiveDate;
use model::{ChangeReason, Instant, PersonId, ProgramStatus, SchoolId};
use sea_orm::DbErr;
use serde_json::Map;

use crate::entity::people::person::Model;

/// A person, without what is computed (the keys) and what the database sets (the dates of the row).
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub id: PersonId,
    pub student: bool,
    pub school_id: SchoolId,
    pub first_name: String,
    pub middle_name: Option<String>,
    pub last_name: String,
    pub primary_email: Option<String>,
    pub secondary_email: Option<String>,
    pub birth_date: Option<NaiveDate>,
    pub student_type: Option<String>,
    pub home_campus: Option<String>,
    pub declared_major: Option<String>,
    pub start_term: Option<String>,
    pub coach_id: Option<PersonId>,
    pub program_status: Option<ProgramStatus>,
    pub change_reason: Option<ChangeReason>,
    pub status_date: Option<Instant>,
    pub activated: bool,
    pub email_opt_out: bool,
    pub extra: Map<String, serde_json::Value>,
}

impl Record {
    /// A student of whom nothing else is known: activated, and open to mail.
    pub fn new(school_id: SchoolId) -> Record {
        Record {
            id: PersonId::NOBODY,
            student: true,
            school_id,
            first_name: String::new(),
            middle_name: None,
            last_name: String::new(),
            primary_email: None,
            secondary_email: None,
            birth_date: None,
            student_type: None,
            home_campus: None,
            declared_major: None,
            start_term: None,
            coach_id: None,
            program_status: None,
            change_reason: None,
            status_date: None,
            activated: true,
            email_opt_out: false,
            extra: Map::new(),
        }
    }
}

impl TryFrom<Model> for Record {
    type Error = DbErr;

    fn try_from(row: Model) -> Result<Record, DbErr> {
        Ok(Record {
            id: row.id,
            student: row.student,
            school_id: row.school_id,
            first_name: row.first_name,
            middle_name: row.middle_name,
            last_name: row.last_name,
            primary_email: row.primary_email,
            secondary_email: row.secondary_email,
            birth_date: row.birth_date,
            student_type: row.student_type,
            home_campus: row.home_campus,
            declared_major: row.declared_major,
            start_term: row.start_term,
            coach_id: row.coach_id,
            program_status: row.program_status,
            change_reason: row.change_reason,
            status_date: row.status_date,
            activated: row.activated,
            email_opt_out: row.email_opt_out,
            extra: serde_json::from_str(&row.extra).map_err(|error| DbErr::Json(error.to_string()))?,
        })
    }
}
