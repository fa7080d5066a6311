//! Settings that providers and the directory have alike.

use caseload::provided::LinkBy;
use model::Role;

use crate::config::{Sources, Wrong, value};

pub(super) fn link_by(text: &str) -> Result<LinkBy, String> {
    text.parse().map_err(|_| "`username`, `email` or `nothing` is needed".into())
}

pub(super) fn role(text: &str) -> Result<Role, String> {
    text.parse().map_err(|_| "`coach`, `manager` or `administrator` is needed".into())
}

/// The groups that make each role, from the highest on, under `section.role_…`.
pub(super) fn role_groups(from: &mut Sources, section: &str) -> Result<Vec<(Role, Vec<String>)>, Wrong> {
    let mut roles = Vec::new();
    for role in [Role::Administrator, Role::Manager, Role::Coach] {
        roles.push((role, from.one(&format!("{section}.role_{}", role.name()), "", value::list)?));
    }
    Ok(roles)
}
