//! The invented college: what its people can be, and how many of them are.

use chrono::Datelike;
use model::{ChangeReason, Instant, ProgramStatus};

pub const CAMPUSES: [&str; 6] = ["Downtown", "Eastside", "Harbor", "Lakeview", "North Valley", "Online"];

pub const MAJORS: [&str; 25] = [
    "Accounting",
    "Anthropology",
    "Biology",
    "Business Administration",
    "Chemistry",
    "Civil Engineering",
    "Communication",
    "Computer Science",
    "Criminal Justice",
    "Early Childhood Education",
    "Economics",
    "Electrical Engineering",
    "English",
    "Environmental Science",
    "Fine Arts",
    "Health Information",
    "History",
    "Hospitality",
    "Mathematics",
    "Mechanical Engineering",
    "Music",
    "Nursing",
    "Political Science",
    "Psychology",
    "Sociology",
];

pub const STUDENT_TYPES: [(&str, u32); 5] =
    [("First-time", 45), ("Continuing", 25), ("Transfer", 18), ("Dual enrollment", 7), ("Returning", 5)];

pub const STATUSES: [(ProgramStatus, u32); 5] = [
    (ProgramStatus::Active, 62),
    (ProgramStatus::Inactive, 14),
    (ProgramStatus::NonParticipating, 12),
    (ProgramStatus::NoShow, 7),
    (ProgramStatus::Transitioned, 5),
];

pub const REASONS: [(ChangeReason, u32); 8] = [
    (ChangeReason::NoResponse, 30),
    (ChangeReason::NotInterested, 20),
    (ChangeReason::AcademicProgress, 15),
    (ChangeReason::Finances, 12),
    (ChangeReason::Family, 8),
    (ChangeReason::Health, 6),
    (ChangeReason::MovedAway, 5),
    (ChangeReason::Other, 4),
];

/// The eight terms up to the year of `now`: `Spring 2025`, `Fall 2025`, …
pub fn terms(now: Instant) -> [String; 8] {
    std::array::from_fn(|place| {
        let year = now.year() - 3 + place as i32 / 2;
        format!("{} {year}", if place % 2 == 0 { "Spring" } else { "Fall" })
    })
}
