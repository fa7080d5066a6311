//! A list of people and coaches: it is uploaded, and kept with its preview.

use model::{Problem, people};

use super::form::Fields;
use crate::components::type_erasure::Erase;

pub const FIELDS: Fields = Fields {
    title: "Reassign coaches by list",
    names: &[],
    is_kept: true,
    tidy: |_| (),
    action: |_| Err(Problem::not_found("page")),
    controls: |_, _| ().erase(),
    button: |count| format!("Reassign {}", people(count)),
};
