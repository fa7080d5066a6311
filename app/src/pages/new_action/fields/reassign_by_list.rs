//! A list of people and coaches: it is uploaded, and kept with its preview.

use model::Problem;

use super::form::Fields;
use crate::components::type_erasure::Erase;
use crate::components::values::numbers::people;

pub const FIELDS: Fields = Fields {
    title: "Reassign coaches by list",
    hint: None,
    names: &[],
    is_kept: true,
    tidy: |_| (),
    action: |_| Err(Problem::not_found("page")),
    controls: |_, _| ().erase(),
    button: |count| format!("Reassign {}", people(count)),
};
