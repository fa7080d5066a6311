//! The pages of administrators. The server renders them whole; what moves on them is rendered again and put in place.

pub mod act;
pub mod api;
pub mod audit;
pub mod failures;
pub mod fields;
pub mod fresh_password;
pub mod kind;
pub mod locks;
pub mod overview;
pub mod processes;
pub mod remedy;
pub mod schedules;
pub mod settings;
pub mod task;
pub mod tasks;
pub mod users;
pub mod words;
