//! The parts that pages are made of. They take data and give events; what they show comes from the page.

pub mod blank;
pub mod contents;
pub mod fold;
pub mod frame;
pub mod icon;
pub mod offered_actions;
pub mod optional;
pub mod own_password;
pub mod search_field;
pub mod table;
pub mod textarea;
pub mod tip;
pub mod title;
pub mod trusted_html;
pub mod type_erasure;
pub mod values;
