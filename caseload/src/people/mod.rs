//! The people: who they are, who is found, who was picked, and what is written about each.

pub mod emails_to_person;
pub mod extra_fields;
pub mod filter;
pub mod fold;
pub mod journal;
pub mod list;
pub mod names;
pub mod person;
pub mod private_to_account;
pub mod selection;
pub mod status;
pub mod status_words;
pub mod targeted_people;
pub mod timeline;
pub mod views;
