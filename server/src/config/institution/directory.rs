//! The directory of the institution, which provisions staff by SCIM 2.0. Nobody comes in by it without a token.

use caseload::directory::{DirectoryBounds, DirectoryRule};

use super::words::{link_by, role, role_groups};
use crate::config::{Sources, Wrong, http::BODY_LIMIT, value};

/// What the directory may do, and how much.
pub fn read(from: &mut Sources) -> Result<DirectoryRule, Wrong> {
    let usual = DirectoryRule::default();
    let link_by = from.one("scim.link_by", usual.link_by.name(), link_by)?;
    let new_role = from.one("scim.new_role", usual.new_role.name(), role)?;
    let roles = role_groups(from, "scim")?;
    let mut most = |key: &str, usual: u32| from.one(key, &usual.to_string(), value::count);
    let bounds = DirectoryBounds {
        users: most("scim.users", usual.bounds.users)?,
        groups: most("scim.groups", usual.bounds.groups)?,
        members: most("scim.members", usual.bounds.members)?,
        page: most("scim.page", usual.bounds.page)?,
        operations: most("scim.operations", usual.bounds.operations)?,
        filter: most("scim.filter_bytes", usual.bounds.filter)?,
        body: from.one("scim.body_kib", &usual.bounds.body.to_string(), body)?,
    };
    Ok(DirectoryRule { link_by, new_role, roles, bounds })
}

/// What is longer is refused before anybody is asked.
fn body(text: &str) -> Result<u32, String> {
    let most = (BODY_LIMIT / 1024) as u32;
    let given = text.parse().ok().filter(|given| (1..=most).contains(given));
    given.ok_or_else(|| format!("a number from 1 to {most} is needed"))
}
